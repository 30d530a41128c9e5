//===- JoinFetches.cpp - Windows of several statements --------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     B := A#[P];                  -- if %c { ... } else { window fetch ... }
//     T := 2.0 * B;
//     D := D + C#[P] * T;          -- if %d { ... } else { window fetch ... }
//
// A *run* begins with one statement that has windows, and takes in what stands
// behind it: assignments, reductions, and other statements with windows. If all
// of them go through windows, their fetches are executed where the first one's
// is, in one message, and two that want the same elements of one array are one:
//
//     window fetch %W = @A over @R {%at at (@P) "A#[P]"} with next
//     window fetch %X = @C over @R {%at.1 at (@P) "C#[P]"} and %W
//     [@R] @B = %W#(...)
//     [@R] @T = mul(f64 2.0, @B)
//     [@R] @D = add(@D, mul(%X#(...), @T))
//
// Legal if no statement of the run that a fetch moves over, writes what that
// reads: its array, maps, mask and region; nor what the conditions read, which
// are all asked before. Wrong maps end the run of the program earlier, but still
// before their own statement has changed anything.
//
// Scatters that combine are joined the same way, if no other statement of the
// run touches their targets: all images are made with the first one, and merged
// in one message behind the last loop.
//
// If not all of them go through windows, the statements are executed as they
// were. So their code is there once more, and runs are short.
//
// Cost: linear in the statements, times the length of runs.
//
//===----------------------------------------------------------------------===//

#include "Remaps/JoinFetches.h"
#include "Remaps/RemapWindows.h"
#include "Statements/GuardedStatements.h"
#include "zpl/ArrayIR/Clone.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace zpl::air {
namespace {

/// Statements with windows that are joined, at most.
constexpr unsigned MostFetching = 8;

/// A statement with windows: what is executed where it has some.
struct Fetching {
  const StmtList *list;
  SmallVector<const Expr *, 2> conditions; ///< none is true then
  SmallVector<WindowStmt *, 2> windows;    ///< that may be joined, of one form

  size_t lastWindow() const {
    return find(*list, windows.back()) - list->begin();
  }
};

/// A statement of a run.
struct Part {
  const Stmt *stmt;
  std::optional<Fetching> fetching;
};

struct Run {
  size_t begin, end; ///< in the list
  std::vector<Part> parts{};
  StmtList definitions{};
  WindowStmt::Form form = WindowStmt::Fetch; ///< of what is joined
  unsigned fetching = 0;                     ///< how many parts are
  WriteSet written{};                        ///< by all parts
  WriteSet crossed{}; ///< by what follows the first part's windows
};

class FetchJoiner {
public:
  FetchJoiner(StmtList &list, const RemapBranches &made, Module &module,
              const Procedure &procedure, const Effects &effects,
              PassContext &context)
      : list(list), made(made), module(module), procedure(procedure),
        effects(effects), context(context) {}

  void run() {
    StmtList result;
    for (size_t i = 0; i < list.size();) {
      Run run = grown(i);
      if (run.fetching < 2) {
        result.push_back(list[i++]);
        continue;
      }
      append_range(result, run.definitions);
      result.push_back(joined(run));
      i = run.end;
    }
    list = std::move(result);
  }

private:
  //===--------------------------------------------------------------------===//
  // What may be joined
  //===--------------------------------------------------------------------===//

  bool isBranch(const Stmt &stmt) const {
    return made.branches.contains(&stmt) || made.joined.contains(&stmt);
  }

  /// What a branch executes if it goes through windows; none if it never does.
  static std::optional<Fetching> fetchingOf(const Stmt &stmt) {
    Fetching result{nullptr, {}, {}};
    const StmtList one = {const_cast<Stmt *>(&stmt)};
    const StmtList *inner = &one;
    while (inner->size() == 1)
      if (auto *branch = dyn_cast<IfStmt>(inner->front())) {
        result.conditions.push_back(branch->condition);
        inner = &branch->elseBody;
      } else {
        break;
      }
    result.list = inner;
    for (WindowStmt::Form form : {WindowStmt::Fetch, WindowStmt::Image}) {
      for (Stmt *each : *inner)
        if (auto *window = dyn_cast<WindowStmt>(each);
            window && window->form == form && window->lends())
          result.windows.push_back(window);
      if (!result.windows.empty())
        return result;
    }
    return std::nullopt;
  }

  static bool mayBePart(const Stmt &stmt) {
    bool isSimple = isa<ArrayAssignStmt, ReduceStmt, SetStmt, AllocArrayStmt,
                        FreeArrayStmt>(stmt);
    bool calls = false;
    forEachExpr(stmt, [&](const Expr &e) { calls |= isa<CallExpr>(e); });
    return isSimple && !calls;
  }

  /// The longest run that begins at \p at.
  Run grown(size_t at) const {
    Run run{at, at}, tried = run;
    if (!isBranch(*list[at]))
      return run;
    for (size_t i = at; i < list.size() && tried.fetching <= MostFetching;
         ++i) {
      const Stmt &stmt = *list[i];
      if (made.definitions.contains(&stmt)) {
        if (!addDefinition(tried, *list[i]))
          break;
      } else if (isBranch(stmt)) {
        if (!addBranch(tried, stmt))
          break;
        tried.end = i + 1;
        if (tried.fetching <= MostFetching && isBalanced(tried))
          run = tried;
      } else if (mayBePart(stmt)) {
        addPlain(tried, stmt);
      } else {
        break;
      }
    }
    return run;
  }

  /// A region of conditions is set before the run.
  bool addDefinition(Run &run, Stmt &stmt) const {
    auto &set = cast<SetRegionStmt>(stmt);
    Reads reads;
    forEachExpr(set, [&](const Expr &e) { reads.add(e); });
    if (set.value.base)
      reads.regions.insert(set.value.base);
    if (set.value.array)
      reads.arrays.insert(set.value.array);
    run.definitions.push_back(&stmt);
    bool isDeclared = set.value.kind == RegionExpr::Declared;
    return !reads.calls && !run.written.reallocates &&
           (isDeclared ? !isMade(run, set.value.array)
                       : !reads.isChangedBy(run.written));
  }

  /// Whether a part allocates or frees an array.
  static bool isMade(const Run &run, const Array *array) {
    return any_of(run.parts, [&](const Part &part) {
      auto *alloc = dyn_cast<AllocArrayStmt>(part.stmt);
      auto *release = dyn_cast<FreeArrayStmt>(part.stmt);
      return (alloc && alloc->array == array) ||
             (release && release->array == array);
    });
  }

  bool addBranch(Run &run, const Stmt &stmt) const {
    if (!made.joined.contains(&stmt))
      return addFetching(run, stmt);
    for (const Stmt *part : cast<IfStmt>(stmt).elseBody)
      if (made.branches.contains(part)) {
        if (!addFetching(run, *part))
          return false;
      } else if (!mayBePart(*part)) {
        return false;
      } else {
        addPlain(run, *part);
      }
    return run.fetching > 0;
  }

  void addPlain(Run &run, const Stmt &stmt) const {
    WriteSet written = effects.writes(procedure, stmt);
    run.parts.push_back({&stmt, std::nullopt});
    run.written.add(written);
    if (run.fetching > 0)
      run.crossed.add(written);
  }

  bool addFetching(Run &run, const Stmt &stmt) const {
    std::optional<Fetching> next = fetchingOf(stmt);
    if (!next)
      return false;
    WindowStmt::Form form = next->windows.front()->form;
    if (run.fetching > 0 && form != run.form)
      return false;
    run.form = form;
    Reads conditions;
    for (const Expr *each : next->conditions)
      forEachExpr(*each, [&](const Expr &e) { conditions.add(e); });
    if (conditions.calls || conditions.isChangedBy(run.written))
      return false;
    size_t inside = next->lastWindow() + 1;
    for (auto [i, each] : enumerate(*next->list)) {
      WriteSet written = effects.writes(procedure, *each);
      bool isWindow = is_contained(next->windows, each);
      if (isWindow && readsOf(*cast<WindowStmt>(each)).isChangedBy(run.crossed))
        return false;
      run.written.add(written);
      if (run.fetching > 0 ? !isWindow : i >= inside)
        run.crossed.add(written);
    }
    ++run.fetching;
    run.parts.push_back({&stmt, std::move(next)});
    return form == WindowStmt::Fetch || targetsAreApart(run);
  }

  static Reads readsOf(const WindowStmt &window) {
    Reads reads;
    reads.arrays.insert(window.array);
    reads.regions.insert(window.region);
    for (const WindowReference &reference : window.references) {
      if (reference.mask.array)
        reads.arrays.insert(reference.mask.array);
      for (const Map &map : reference.maps) {
        if (map.array)
          reads.arrays.insert(map.array);
        for (const Expr *expr : {map.scalar, map.value})
          if (expr)
            forEachExpr(*expr, [&](const Expr &e) { reads.add(e); });
      }
    }
    return reads;
  }

  /// Whether no part but its own touches what is combined with.
  bool targetsAreApart(const Run &run) const {
    return all_of(run.parts, [&](const Part &part) {
      return !part.fetching ||
             all_of(part.fetching->windows, [&](const WindowStmt *window) {
               return none_of(run.parts, [&](const Part &other) {
                 return &other != &part && touches(other, *window->array);
               });
             });
    });
  }

  bool touches(const Part &part, const Array &target) const {
    bool found = false;
    auto look = [&](const Stmt &stmt) {
      forEachArray(stmt, [&](const Array &array) {
        found |= mayBeSame(module, array, target, procedure.mayAlias);
      });
    };
    if (!part.fetching)
      look(*part.stmt);
    else
      forEachStmt(*part.fetching->list, look);
    return found;
  }

  /// Whether temporaries that are made in the run end in it, and no others.
  static bool isBalanced(const Run &run) {
    DenseSet<const Array *> made;
    for (const Part &part : run.parts) {
      if (auto *alloc = dyn_cast<AllocArrayStmt>(part.stmt))
        made.insert(alloc->array);
      if (auto *release = dyn_cast<FreeArrayStmt>(part.stmt))
        if (!made.erase(release->array))
          return false;
    }
    return made.empty();
  }

  //===--------------------------------------------------------------------===//
  // Joining
  //===--------------------------------------------------------------------===//

  IfStmt *joined(const Run &run) {
    const Expr *condition = nullptr;
    SourceRange range = list[run.begin]->range;
    for (const Part &part : run.parts)
      if (part.fetching)
        for (const Expr *each : part.fetching->conditions) {
          auto *isNot = module.make<UnaryExpr>(UnaryOp::Not, each, each->range);
          condition = condition ? module.make<BinaryExpr>(
                                      BinaryOp::And, condition, isNot, range)
                                : static_cast<const Expr *>(isNot);
        }
    auto *branch = module.make<IfStmt>(condition, range);
    branch->thenBody = together(run);
    for (size_t i = run.begin; i < run.end; ++i)
      if (!made.definitions.contains(list[i]))
        branch->elseBody.push_back(list[i]);
    tell(run);
    return branch;
  }

  /// The windows of all parts, one for all of an array over one region. Others
  /// are renamed.
  SmallVector<WindowStmt *, 4> windowsOf(const Run &run, Renaming &renaming) {
    SmallVector<WindowStmt *, 4> result;
    for (const Part &part : run.parts)
      for (const WindowStmt *window : part.fetching
                                          ? ArrayRef(part.fetching->windows)
                                          : ArrayRef<WindowStmt *>()) {
        auto known = find_if(result, [&](const WindowStmt *other) {
          return run.form == WindowStmt::Fetch &&
                 other->array == window->array &&
                 other->region == window->region;
        });
        if (known == result.end()) {
          result.push_back(module.make<WindowStmt>(*window));
          continue;
        }
        renaming.arrays[window->window] = (*known)->window;
        for (const WindowReference &each : window->references)
          addReference(**known, each, renaming);
      }
    groupWindows(result);
    return result;
  }

  static void addReference(WindowStmt &window, const WindowReference &added,
                           Renaming &renaming) {
    for (const WindowReference &known : window.references)
      if (haveSameMaps(known, added.maps, added.mask)) {
        renaming.arrays[added.positions] = known.positions;
        return;
      }
    window.references.push_back(added);
  }

  /// The statements of a run with their windows in front.
  StmtList together(const Run &run) {
    Renaming renaming;
    SmallVector<WindowStmt *, 4> windows = windowsOf(run, renaming);
    StmtCloner cloner(module, renaming);
    StmtList result;
    bool isFirst = true;
    for (const Part &part : run.parts) {
      if (!part.fetching) {
        result.push_back(cloner.clone(*part.stmt));
        continue;
      }
      for (const Stmt *stmt : *part.fetching->list)
        if (!is_contained(part.fetching->windows, stmt))
          result.push_back(cloner.clone(*stmt));
        else if (isFirst && stmt == part.fetching->windows.back())
          append_range(result, windows);
      isFirst = false;
    }
    keepLastFrees(result);
    if (run.form == WindowStmt::Image)
      mergeTogether(result, windows);
    return result;
  }

  /// What several parts use is freed by the last of them.
  static void keepLastFrees(StmtList &result) {
    DenseSet<const Array *> freed, made;
    for (const Stmt *stmt : result)
      if (auto *alloc = dyn_cast<AllocArrayStmt>(stmt))
        made.insert(alloc->array);
    std::reverse(result.begin(), result.end());
    erase_if(result, [&](const Stmt *stmt) {
      auto *release = dyn_cast<FreeArrayStmt>(stmt);
      return release && !made.contains(release->array) &&
             !freed.insert(release->array).second;
    });
    std::reverse(result.begin(), result.end());
  }

  /// Moves the merges of images, and what frees these, to the end.
  static void mergeTogether(StmtList &result, ArrayRef<WindowStmt *> images) {
    DenseSet<const Array *> parts;
    for (const WindowStmt *image : images) {
      parts.insert(image->window);
      for (const WindowReference &reference : image->references)
        parts.insert(reference.positions);
    }
    SmallVector<WindowStmt *, 4> merges;
    StmtList frees;
    erase_if(result, [&](Stmt *stmt) {
      auto *window = dyn_cast<WindowStmt>(stmt);
      auto *release = dyn_cast<FreeArrayStmt>(stmt);
      bool isMerge = window && window->form == WindowStmt::Merge &&
                     parts.contains(window->window);
      bool isFree = release && parts.contains(release->array);
      if (isMerge)
        merges.push_back(window);
      if (isFree)
        frees.push_back(stmt);
      return isMerge || isFree;
    });
    groupWindows(merges);
    append_range(result, merges);
    append_range(result, frees);
  }

  /// Says of each but the first what it travels with.
  void tell(const Run &run) {
    const WindowStmt *first = nullptr;
    for (const Part &part : run.parts) {
      if (!part.fetching)
        continue;
      const WindowStmt *window = part.fetching->windows.front();
      if (first)
        context.applied(window->range, "between processors " + textOf(*window) +
                                           " travels in one message with " +
                                           textOf(*first) +
                                           context.atLine(first->range));
      else
        first = window;
    }
    context.count("joined", run.fetching - 1);
  }

  static std::string textOf(const WindowStmt &window) {
    return window.references.front().text.str();
  }

  StmtList &list;
  const RemapBranches &made;
  Module &module;
  const Procedure &procedure;
  const Effects &effects;
  PassContext &context;
};

} // namespace

void joinFetches(StmtList &list, const RemapBranches &made, Module &module,
                 const Procedure &procedure, const Effects &effects,
                 PassContext &context) {
  FetchJoiner(list, made, module, procedure, effects, context).run();
}

} // namespace zpl::air
