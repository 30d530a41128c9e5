//===- RemapSegments.h - Remaps that may become loops -----------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_TRANSFORMS_REMAPS_REMAPSEGMENTS_H
#define ZPL_LIB_TRANSFORMS_REMAPS_REMAPSEGMENTS_H

#include "Communication/TransferEdits.h"
#include "Remaps/Combiners.h"
#include "Remaps/InverseScatters.h"
#include "zpl/Analysis/Effects.h"
#include "zpl/Transforms/PassContext.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <optional>
#include <string>

namespace zpl::air {

/// A gather that becomes element code.
struct LocalGather {
  const GatherStmt *gather;
  const CheckStmt *check;
  /// Makes its source, a temporary, of parts of another array's elements, which
  /// are read themselves then; null: nothing does.
  const ArrayAssignStmt *copy = nullptr;
  const RemapExpr *remap = nullptr;
  const Expr *element = nullptr; ///< the part of it

  /// The array that is read.
  Array *whole() const {
    return copy ? rootElement(copy->value)->array : gather->source;
  }
};

/// A scatter that becomes an assignment, or a call for each index.
struct LocalScatter {
  const ScatterStmt *scatter = nullptr; ///< null: there is none
  const CheckStmt *check = nullptr;
  /// What computes its values, which are not stored then; null: another does.
  const ArrayAssignStmt *value = nullptr;
  /// Makes its target, a temporary, of parts of another array's elements, which
  /// are set themselves then; and stores them back. Null: nothing does.
  const ArrayAssignStmt *copy = nullptr;
  const Stmt *back = nullptr;
  const RemapExpr *element = nullptr;
  Stmt *inverted = nullptr; ///< the assignment; null: it is a call

  /// The array that is set.
  Array *whole() const {
    return copy ? rootElement(copy->value)->array : scatter->target;
  }
};

/// Statements of a list that are replaced, by where they stand.
struct Segment {
  size_t begin, end;
  size_t user;  ///< of the results; the gather if there is none
  bool hasUser; ///< then the results are not stored
  llvm::SmallVector<LocalGather, 2> gathers;
  LocalScatter scatter{};
};

/// Whether a statement allocates or frees the array.
bool makes(const Stmt &stmt, const Array *array);

/// Finds the segments of a procedure's lists, and tells of remaps that have
/// none.
class RemapSegments {
public:
  RemapSegments(Module &module, Procedure &procedure, const Effects &effects,
                Combiners &combiners, const InverseScatters &inverses,
                PassContext &context);

  /// The segment of the gather or scatter at \p at, if there is one; that of a
  /// scatter is of statements from \p free on.
  std::optional<Segment> find(const StmtList &list, size_t at, size_t free);
  /// Whether the scatter becomes an assignment. The arrays that it reads are
  /// there before the segment begins then.
  bool inverts(const StmtList &list, const Segment &segment) const;

private:
  /// The segment of the gather that stands at \p at, if there is one.
  std::optional<Segment> ofGather(const StmtList &list, size_t at);
  /// The segment of the scatter at \p at, of statements from \p free on.
  std::optional<Segment> ofScatter(const StmtList &list, size_t at,
                                   size_t free);
  /// Makes the scatter at \p at, with the check at \p check, part of the segment.
  void setScatter(const StmtList &list, size_t at, size_t check,
                  Segment &segment) const;
  /// If the user of the gathers computes the values of a scatter, and nothing
  /// else does, adds that.
  void extendToScatter(const StmtList &list, Segment &segment);
  /// Whether the scatter of \p segment, at \p at, may compute its values, which
  /// the assignment at \p user stores for it alone; extends the segment then.
  bool takesValue(const StmtList &list, size_t user, size_t at,
                  Segment &segment) const;
  std::string whyNotScattered(const ScatterStmt &scatter) const;
  /// Adds the gather at \p at; false if it stays with the runtime.
  bool add(const StmtList &list, size_t at, Segment &segment);
  /// What makes the source of the gather at \p at, or the target of the scatter,
  /// if that is a temporary of parts of elements, `[%R] %T = @P.x`, which nothing
  /// else reads; a scatter's are stored back.
  const ArrayAssignStmt *copyOf(const StmtList &list, size_t at) const;
  /// Whether a scatter reads nothing of an array.
  bool isApart(const ScatterStmt &scatter, const Array &array) const;
  /// The check of the maps of the gather or scatter at \p at; the list's size:
  /// none.
  size_t checkOf(const StmtList &list, size_t at) const;
  /// The only statement of the list that uses the result of the gather at
  /// \p at, element by element; the list's size if there is none.
  size_t userOf(const StmtList &list, size_t at) const;
  /// Whether the gather at \p at may be executed with the statement at
  /// \p user: nothing that it reads changes before that stores.
  bool mayWait(const StmtList &list, size_t at, size_t user) const;
  /// Whether a statement from the check on, before \p end, changes what a
  /// gather reads.
  bool isWritten(const StmtList &list, size_t end,
                 const LocalGather &local) const;

  Module &module;
  Procedure &procedure;
  const Effects &effects;
  Combiners &combiners;
  const InverseScatters &inverses;
  PassContext &context;
  llvm::DenseMap<const Array *, unsigned> uses; ///< statements that name it
  llvm::DenseSet<const GatherStmt *> told;      ///< missed
};

} // namespace zpl::air

#endif // ZPL_LIB_TRANSFORMS_REMAPS_REMAPSEGMENTS_H
