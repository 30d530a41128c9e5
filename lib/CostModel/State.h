//===- State.h - What is known while a program is gone through --*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_COSTMODEL_STATE_H
#define ZPL_LIB_COSTMODEL_STATE_H

#include "Values.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/JSON.h"

namespace zpl {
class SourceManager;
}

namespace zpl::costmodel {

using VariableSet = std::set<const air::Variable *>;

/// A dimension of a region: kinds as the array IR's, bounds as formulas.
struct Dimension {
  air::DimKind kind = air::DimKind::Range;
  Formula lo = 1, hi = 0, stride = 1, align = 0;
  /// How many indices; of what is flooded 1.
  Formula extent() const;
};
using RegionValue = std::vector<Dimension>;

/// A parallel array as the model needs it.
struct ArrayValue {
  RegionValue declared;
  unsigned elementBytes = 8;
};

/// A node of the model: an operation, or what is executed several times.
struct Node {
  /// "for", "repeat", "if", "call", or an operation's: "m-loop", "transfer" ...
  std::string kind;
  std::string place = {}; ///< "examples/jacobi.z:41"
  /// The other members, in their order.
  std::vector<std::pair<std::string, llvm::json::Value>> members = {};
  std::vector<Node> body = {};
  /// A member that is a number, list or word.
  void set(std::string name, llvm::json::Value value) {
    members.emplace_back(std::move(name), std::move(value));
  }
  /// A member that is a formula.
  void add(std::string name, const Formula &value) {
    members.emplace_back(std::move(name), value.text());
  }
};

/// Something that the text does not say, or a name for a long formula.
struct Input {
  std::string value; ///< a formula: what it is taken to be
  std::string about;
  bool isDerived = false; ///< the value is what it is, not a default
};

/// Where a program is, and what has been found.
struct State {
  State(const air::Module &module, const SourceManager &sources)
      : module(module), sources(sources) {}

  const air::Module &module;
  const SourceManager &sources;
  Values values;
  llvm::DenseMap<const air::Region *, RegionValue> regions;
  llvm::DenseMap<const air::Array *, ArrayValue> arrays;
  /// Parameters by reference.
  llvm::DenseMap<const air::Variable *, Place> references;
  /// What procedures may write of globals and of parameters by reference.
  llvm::DenseMap<const air::Procedure *, VariableSet> written;
  std::vector<const air::Procedure *> active; ///< calls that we are in
  std::map<std::string, Input> inputs;        ///< all names that are no configs
  std::set<std::string> loopNames;            ///< indices of loops
  std::vector<Node> *out = nullptr;           ///< where nodes go to
  std::set<unsigned> ranks;                   ///< of regions that are declared
  /// Members that views name.
  llvm::DenseMap<const air::Array *, Place> bound;
  /// Families: the place of a member, and what it is declared over.
  std::map<const air::Variable *, std::pair<Path, ArrayValue>> families;
  std::set<unsigned> waves;    ///< rank * 8 + dimension: waves travel there
  std::set<std::string> notes; ///< what is only estimated
  size_t nodes = 0;
  unsigned nextKey = 1;
  std::optional<Formula> result; ///< of the last `return`
};

/// "file.z:12".
std::string placeOf(const State &s, SourceRange range);
/// Its line; 0 if it is nowhere.
unsigned lineOf(const State &s, SourceRange range);

/// A name of its own for what is not known: text@line.
Formula unknown(State &s, llvm::StringRef text, SourceRange range,
                llvm::StringRef value = "1", llvm::StringRef about = "");

/// \p value, or if it is long a name for it: \p text@line.
Formula shortened(State &s, const Formula &value, llvm::StringRef text,
                  SourceRange range);

/// The value of an expression; what is not known becomes an input.
Formula evaluate(State &s, const air::Expr &e);
/// The place that an expression names, by reference followed to its end.
Place placeOf(State &s, const air::Expr &e);
/// Whether all of a formula is configs, indices of loops and p.
bool isKnown(const State &s, const Formula &f);

/// What a region is now; one of which nothing is known has extents that are
/// inputs.
const RegionValue &regionOf(State &s, const air::Region &region);
/// What a statement sets region \p to to.
RegionValue evaluate(State &s, const air::RegionExpr &e, const air::Region &to);
/// Its bounds, ["lo", "hi"] or with stride and alignment, "*" for flooded ones.
llvm::json::Value toJson(const RegionValue &region);
/// How many indices it has.
Formula pointsOf(const RegionValue &region);
/// Bytes of a value.
unsigned sizeOf(air::Type type);
/// What is known of an array; of its declared region, as it is now.
const ArrayValue &arrayOf(State &s, const air::Array &array);

/// Names of the extents of the grid of a rank: "r0", "r1".
Formula gridExtent(unsigned rank, unsigned dim);

/// The variables that a list, or an expression, may write; those of parameters
/// by reference stand for themselves. Calls are followed.
void addWritten(State &s, llvm::ArrayRef<const air::Stmt *> list,
                VariableSet &written);
/// Forgets what a list may write.
void forgetWritten(State &s, llvm::ArrayRef<const air::Stmt *> list,
                   SourceRange range);

/// Goes through statements in order; nodes go to s.out.
void walk(State &s, const air::StmtList &list);
/// The nodes of one that is no branch, call or scalar statement.
void addOperation(State &s, const air::Stmt &stmt);
/// An M-loop over a region, which of a wave is not its own.
void addMLoop(State &s, const air::MLoopStmt &loop, const air::Region &region);
/// What the SR of a transfer sends.
void addTransfer(State &s, const air::Transfer &transfer, SourceRange range);

} // namespace zpl::costmodel

#endif // ZPL_LIB_COSTMODEL_STATE_H
