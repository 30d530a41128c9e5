//===- Run.h - A run of a program -------------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_INTERPRET_RUN_H
#define ZPL_LIB_INTERPRET_RUN_H

#include "Io/Configuration.h"
#include "Io/Files.h"
#include "Regions/Regions.h"
#include "Values/Arithmetic.h"
#include "Values/Formats.h"
#include "zpl/Interpret/Interpret.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <array>
#include <map>
#include <memory>
#include <set>

namespace zpl::interpreter {

/// Thrown to end the run with a status.
struct EndOfRun {
  int status;
};

/// An indexed array of parallel arrays: its arrays, the last subscript fastest.
struct FamilyStorage {
  std::vector<std::pair<int64_t, int64_t>> bounds; ///< of each subscript
  std::vector<ArrayStorage *> members;
};

/// An array that follows a region variable, with the directions of its borders.
struct Follower {
  ArrayStorage *array;
  std::vector<Components> borders;
};

/// What the names of one activation of a procedure, or the global ones, stand
/// for.
struct Frame {
  llvm::DenseMap<const sema::Variable *, char *> variables;
  llvm::DenseMap<const sema::Array *, ArrayStorage *> arrays;
  llvm::DenseMap<const sema::Array *, std::shared_ptr<FamilyStorage>> families;
  /// Arrays that follow a region know it by the address of its place here.
  std::map<const sema::Region *, std::shared_ptr<const Region>> regions;
  llvm::DenseMap<std::pair<const sema::Direction *, unsigned>, int64_t>
      components;
  // What it owns of that.
  std::vector<std::unique_ptr<char[], llvm::FreeDeleter>> memory;
  double held = 0; ///< bytes of its indexed arrays
  std::vector<std::unique_ptr<ArrayStorage>> storage;
  Value result;                        ///< what `return` has given
  ArrayStorage *resultArray = nullptr; ///< where it puts an array
};

/// What memory of the type consists of: of regions and directions the indexed
/// array that holds them.
Type storageOf(Type type);

/// True if \p symbol, a local one, is a static variable or array.
bool isStatic(const sema::Symbol *symbol);

/// Where a place lies; `owner` holds what is nobody else's.
struct Place {
  char *address = nullptr;
  std::shared_ptr<std::vector<char>> owner;
};

/// An array expression that is about to be evaluated element by element: what
/// of it is evaluated once, for the whole region.
struct Prepared {
  Cover over;
  llvm::DenseMap<const sema::Expr *, Value> scalars;
  llvm::DenseMap<const sema::ArrayExpr *, Components> directions;
  llvm::DenseMap<const sema::ArrayExpr *, ArrayStorage *> members;
  std::vector<const sema::ArrayExpr *> targets; ///< references that are written
  /// Floods, scans, gathers ..., and in a scan block arrays of the time before
  /// it; each over a region that fits `over`.
  llvm::DenseMap<const sema::Expr *, std::unique_ptr<ArrayStorage>> arrays;
};

/// One index of such an expression.
struct At {
  const Index &index;
  const Prepared &prepared;
};

/// What --restart=FILE has brought.
struct Restart {
  int64_t file = 0;    ///< open from the first question on; 0: not yet
  bool isDone = false; ///< all is restored
};

/// How a statement ends.
enum class Flow : uint8_t { Next, Exit, Continue, Return };

/// Something passed to a procedure; one member is set, by the formal.
struct Argument {
  Value value;
  Place place;
  ArrayStorage *array = nullptr;
  std::shared_ptr<FamilyStorage> family;
};

/// What a distribution says of a dimension, evaluated.
struct DistributionRule {
  int64_t lo = 0, hi = 0;      ///< of `block lo..hi`
  std::vector<int64_t> points; ///< of `cut(c)`
};

struct DistributionState {
  std::vector<DistributionRule> rules;       ///< of a constant one
  const sema::Distribution *value = nullptr; ///< of a variable, a constant one
};

/// A region that a domain deals out.
struct Distributed {
  const sema::Domain *domain;
  Region region;
  SourceRange where; ///< where it is declared
};

/// What the program's values lie in.
struct Memory {
  Frame globals;
  Frame *frame = &globals;       ///< of the procedure that runs
  std::set<std::string> strings; ///< see intern()
  /// The arrays over a region variable, by its address, and over a named sparse
  /// region, by that of its place in the frame.
  std::map<const char *, std::vector<Follower>> followers;
  std::vector<std::shared_ptr<const Pattern>> patterns; ///< of variables
  std::vector<Pattern> added; ///< what the open `modify` adds, if there is one
  std::map<const sema::Distribution *, DistributionState> distributions;
  llvm::DenseSet<const sema::Domain *> domains; ///< declared by now
  std::vector<Distributed> distributed; ///< of all domains but the default ones
  double held = 0;                      ///< by all calls: Frame::held
  uintptr_t stackEnd = 0; ///< the lowest address of a call's frame

  Memory() = default;
  Memory(const Memory &) = delete; // it points to itself
};

/// What the statement that is executed stands in.
struct Scopes {
  std::array<Cover, sema::MaxRank + 1> covers; ///< of each rank
  bool inWave = false;                         ///< a scan block is executed
};

/// Puts a covering region back at the end of a scope.
struct CoverGuard {
  Cover &place, saved;

  /// Restores \p place.
  ~CoverGuard() { place = saved; }
};

/// The execution of a program: what it is, the options, and all that changes.
struct Run {
  /// Nothing is executed yet. All of the arguments outlive the run.
  Run(const sema::Program &program, const SourceManager &sources,
      const InterpretOptions &options);

  const sema::Program &program;
  const SourceManager &sources;
  const InterpretOptions &options;
  Arithmetic arithmetic;
  Configuration configuration;
  Files files;
  Memory memory;
  Scopes scopes;
  uint64_t randomNumbers = 0; ///< how often `random` was called
  Restart restart;
};

/// Writes out what is pending.
inline void flush(Run &run) { run.files.flush(); }

/// Calls \p action with \p inner as the covering region of its rank.
template <typename Action> auto under(Run &run, Cover inner, Action action) {
  unsigned rank = inner.region->rank();
  CoverGuard guard{run.scopes.covers[rank], run.scopes.covers[rank]};
  run.scopes.covers[rank] = std::move(inner);
  return action();
}

} // namespace zpl::interpreter

#endif // ZPL_LIB_INTERPRET_RUN_H
