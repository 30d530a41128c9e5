//===- LocalRemaps.cpp - Gathers in loops ---------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A gather reads any elements of its source, so in general the runtime has to
// bring them. But if the source is not divided between processors, each of its
// elements is a load at an address, and the gather is element code.
//
// 1. What is replaced: segments of lists (RemapSegments.cpp). Each is copied into
//    both branches of an `if`, in one of them with the gathers as elements by
//    maps, `A#(...)`, in the statement that uses them.
//
// 2. When the loop is right. The condition is that no dimension of the source or
//    of the region is divided, and of maps in closed form (MapForms.h) that the
//    least and the greatest value are indices of the source. Then such a map
//    needs no check, and nothing wraps around. If one is out of range, or a
//    mask excludes what would be, the other branch finds out.
//
// 3. Other maps are checked where they are used. An error ends the run, so it
//    does not matter that some elements have been stored before; loops go
//    upward (FuseLoops.cpp), so the first wrong index is reported.
//
// 4. A scatter whose maps can be inverted reads what it puts into an element by
//    the inverse maps (InverseScatters.h). Others call a procedure for each
//    index.
//
// 5. Neighbouring branches, and assignments beside them, become one branch
//    (JoinRemaps.h), so that their loops may be fused.
//
// 6. Otherwise, maps that are data lead to other processors. If the arrays have
//    far fewer elements than there are indices, the same loop runs with all
//    elements on each processor, and a scatter's sums are made there first.
//    Else the statement reads what gathers would store through windows
//    (RemapWindows.h), and so does a scatter of numbers; others stay. Where
//    neither is possible, or closed maps say where elements are, the statements
//    stay as they are, and so do gathers of whole rows that are long, and of
//    parts of elements, whose copies are freed before the results are used.
//
// 7. Neighbouring statements that read through windows fetch for all of them at
//    once (JoinFetches.h).
//
// 8. If the maps are indices and scalars, the statement that uses one gather is
//    executed box by box, and reads elements where they arrive (RemapBoxes.h).
//
// Cost: linear in the statements, times the length of segments.
//
//===----------------------------------------------------------------------===//

#include "Remaps/LocalRemaps.h"
#include "Remaps/JoinFetches.h"
#include "Remaps/JoinRemaps.h"
#include "Remaps/MapForms.h"
#include "Remaps/RemapBoxes.h"
#include "Remaps/RemapElements.h"
#include "Remaps/RemapSegments.h"
#include "Remaps/RemapWindows.h"
#include "zpl/ArrayIR/Clone.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace zpl::air {
namespace {

class RemapLocalizer {
public:
  RemapLocalizer(Module &module, Procedure &procedure, const Effects &effects,
                 Combiners &combiners, PassContext &context)
      : module(module), procedure(procedure), effects(effects),
        combiners(combiners), context(context),
        elements(module, procedure, context.figures),
        inverses(module, elements), windows(module, procedure),
        segments(module, procedure, effects, combiners, inverses, context) {}

  void list(StmtList &list) {
    for (Stmt *stmt : list)
      forEachList(*stmt, [&](StmtList &inner) { this->list(inner); });
    StmtList result;
    size_t free = 0; // where the last segment ends
    for (size_t i = 0; i < list.size();) {
      auto segment = segments.find(list, i, free);
      if (!segment || segment->begin < free) {
        result.push_back(list[i++]);
        continue;
      }
      result.resize(result.size() - (i - segment->begin));
      replace(list, *segment, result);
      i = free = segment->end;
    }
    list = std::move(result);
    joinRemaps(list, made, module, procedure, effects);
    joinFetches(list, made, module, procedure, effects, context);
  }

private:
  //===--------------------------------------------------------------------===//
  // Replacing
  //===--------------------------------------------------------------------===//

  void replace(const StmtList &list, Segment &segment, StmtList &result) {
    elements.condition = elements.few = nullptr;
    elements.before.clear();
    for (LocalGather &local : segment.gathers) {
      const GatherStmt &gather = *local.gather;
      local.remap = elements.of(remapped(gather, local.whole(), *local.check));
      local.element = partOf(local.copy, local.remap);
      tell(gather, local.whole(), local.remap, "read");
    }
    if (segment.scatter.scatter)
      localize(list, segment);
    append_range(result, elements.before);
    made.definitions.insert(elements.before.begin(), elements.before.end());
    const ScatterStmt *scatter = segment.scatter.scatter;
    auto *branch = module.make<IfStmt>(
        elements.condition,
        scatter ? scatter->range : segment.gathers.front().gather->range);
    windows.start();
    branch->thenBody = localized(list, segment);
    branch->elseBody = distributed(list, segment);
    result.push_back(branch);
    made.branches.insert(branch);
  }

  /// Makes what takes the place of the segment's scatter.
  void localize(const StmtList &list, Segment &segment) {
    LocalScatter &put = segment.scatter;
    const ScatterStmt &scatter = *put.scatter;
    const Expr *value = put.value ? put.value->value : nullptr;
    bool isInverted = segments.inverts(list, segment);
    Remapped remap = remapped(scatter, put.whole(), *put.check);
    if (isInverted)
      remap.mask = Mask();
    put.element = elements.of(remap);
    if (isInverted)
      put.inverted =
          inverses.invert(scatter, value, put.copy ? put.copy->value : nullptr);
    tell(scatter, put.whole(), put.element, "set",
         isInverted ? ", by inverse maps" : "");
  }

  /// The statements of the segment with the loop that takes their place, in
  /// windows if there are some.
  StmtList localized(const StmtList &list, const Segment &segment) {
    StmtList result;
    Renaming none;
    StmtCloner cloner(module, none);
    for (size_t i = segment.begin; i < segment.end; ++i) {
      Stmt *made = localized(*list[i], segment, i == segment.user, cloner);
      bool isLoop = segment.scatter.scatter ? list[i] == segment.scatter.scatter
                                            : i == segment.user;
      if (isLoop)
        append_range(result, windows.before);
      if (made)
        result.push_back(made);
      if (isLoop)
        append_range(result, windows.after);
    }
    return result;
  }

  /// The statements of the segment where one processor has not all elements.
  StmtList distributed(const StmtList &list, const Segment &segment) {
    if (StmtList boxes = inBoxes(list, segment); !boxes.empty())
      return boxes;
    const Expr *few = elements.few;
    StmtList result = fetchingOrRows(list, segment);
    std::optional<Segment> copied = withCopies(segment);
    if (!copied)
      return result;
    auto *branch = module.make<IfStmt>(few, few->range);
    branch->thenBody = localized(list, *copied);
    branch->elseBody = std::move(result);
    return {branch};
  }

  /// The statements of the segment with the user of its gather in boxes; none if
  /// that may not be.
  StmtList inBoxes(const StmtList &list, const Segment &segment) {
    bool isOneGather = segment.gathers.size() == 1 && segment.hasUser &&
                       !segment.scatter.scatter && !segment.gathers[0].copy;
    auto *user =
        isOneGather ? dyn_cast<ArrayAssignStmt>(list[segment.user]) : nullptr;
    if (!user ||
        !mayReadInBoxes(*segment.gathers[0].gather, *user, procedure, module))
      return {};
    const LocalGather &local = segment.gathers.front();
    NameAllocator names(procedure);
    BoxesStmt *boxes =
        boxesOf(*local.gather, local.check->text, procedure, module, names);
    auto *element = module.make<RemapExpr>(*local.remap);
    element->array = boxes->window;
    Segment boxed = segment;
    boxed.gathers.front().element = element;
    windows.start();
    StmtList result = localized(list, boxed);
    for (Stmt *&stmt : result) {
      auto *assign = dyn_cast<ArrayAssignStmt>(stmt);
      if (!assign || !remaps(*assign, boxes->window))
        continue;
      assign->region = boxes->box;
      boxes->body.push_back(assign);
      stmt = boxes;
    }
    return result;
  }

  /// The segment with a scatter that calls a procedure for each index, of the
  /// copies of parts that the program makes.
  static Segment withCalls(Segment segment) {
    LocalScatter &put = segment.scatter;
    put.copy = nullptr;
    put.back = put.inverted = nullptr;
    return segment;
  }

  /// As fetching; gathers of whole rows stay if these are long.
  StmtList fetchingOrRows(const StmtList &list, const Segment &segment) {
    const Expr *areLong = nullptr;
    for (const LocalGather &local : segment.gathers) {
      auto dim = rowDimension(*local.gather);
      if (!dim || !mayFetch(local))
        continue;
      SourceRange range = local.gather->range;
      const Expr *isLong =
          elements.hasLongRows(local.gather->region, *dim, range);
      areLong = areLong ? module.make<BinaryExpr>(BinaryOp::And, areLong,
                                                  isLong, range)
                        : isLong;
    }
    StmtList fetched = fetching(list, segment, /*rowsStay=*/false);
    if (!areLong)
      return fetched;
    auto *branch = module.make<IfStmt>(areLong, areLong->range);
    branch->thenBody = fetching(list, segment, /*rowsStay=*/true);
    branch->elseBody = std::move(fetched);
    return {branch};
  }

  static bool mayFetch(const LocalGather &local) {
    return local.remap->checked && !local.copy && air::mayFetch(*local.gather);
  }

  /// Those with windows for what gathers read, and for the target of a scatter
  /// that combines; without, as they are.
  StmtList fetching(const StmtList &list, const Segment &segment,
                    bool rowsStay) {
    windows.start();
    Segment fetched = withCalls(segment);
    erase_if(fetched.gathers, [&](const LocalGather &local) {
      return !mayFetch(local) || (rowsStay && rowDimension(*local.gather));
    });
    // Other gathers' results may be freed before the scatter.
    const LocalScatter &put = segment.scatter;
    bool collects = put.scatter && put.element->checked &&
                    (mayImage(*put.scatter) || mayStore(*put.scatter)) &&
                    fetched.gathers.size() == segment.gathers.size();
    if (!collects)
      fetched.scatter = {};
    if (fetched.gathers.empty() && !collects)
      return StmtList(list.begin() + segment.begin, list.begin() + segment.end);
    for (LocalGather &local : fetched.gathers)
      local.element = windows.fetched(*local.gather, local.check->text);
    if (collects)
      fetched.scatter.element =
          windows.collected(*put.scatter, put.check->text);
    windows.group();
    return localized(list, fetched);
  }

  /// The segment with elements of copies and of an image, if maps are data.
  std::optional<Segment> withCopies(const Segment &segment) {
    const LocalScatter &put = segment.scatter;
    bool isData = put.scatter && put.element->checked;
    for (const LocalGather &local : segment.gathers) {
      isData |= local.remap->checked != 0;
      if (local.copy || !mayCopyWhole(*local.gather))
        return std::nullopt;
    }
    if (!isData || (put.scatter && !mayImage(*put.scatter)))
      return std::nullopt;
    windows.start();
    Segment copied = withCalls(segment);
    for (LocalGather &local : copied.gathers) {
      const GatherStmt &gather = *local.gather;
      local.element =
          elements.later(remapped(gather, gather.source, *local.check),
                         windows.copied(gather.source, gather.range));
    }
    if (put.scatter)
      copied.scatter.element = elements.later(
          remapped(*put.scatter, put.scatter->target, *put.check),
          windows.imaged(*put.scatter));
    else
      windows.confirm(segment.gathers.front().gather->range);
    return copied;
  }

  template <typename Remap>
  static Remapped remapped(const Remap &remap, Array *array,
                           const CheckStmt &check) {
    return {array,      remap.maps, remap.region,
            remap.mask, check.text, remap.range};
  }

  /// What takes the place of a statement of the segment; null: nothing does.
  Stmt *localized(const Stmt &stmt, const Segment &segment, bool isUser,
                  StmtCloner &cloner) {
    for (const LocalGather &local : segment.gathers) {
      const Array *result = local.gather->target;
      auto *alloc = dyn_cast<AllocArrayStmt>(&stmt);
      auto *free = dyn_cast<FreeArrayStmt>(&stmt);
      bool isMade =
          (alloc && alloc->array == result) || (free && free->array == result);
      bool isCopied = local.copy && (&stmt == local.copy ||
                                     makes(stmt, local.gather->source));
      if (&stmt == local.check || isCopied || (isMade && segment.hasUser))
        return nullptr;
      if (&stmt == local.gather)
        return segment.hasUser ? nullptr : assignment(local);
    }
    const LocalScatter &put = segment.scatter;
    if (&stmt == put.check || (put.value && &stmt == put.value))
      return nullptr;
    if (put.copy && (&stmt == put.copy || &stmt == put.back ||
                     makes(stmt, put.scatter->target)))
      return nullptr;
    if (put.value && makes(stmt, put.scatter->source))
      return nullptr;
    if (put.scatter && &stmt == put.scatter)
      return put.inverted ? put.inverted : call(segment);
    Stmt *made = cloner.clone(stmt);
    if (isUser)
      readElements(*made, segment);
    return made;
  }

  const Expr *at(Array *array, SourceRange range) {
    return module.make<ElementExpr>(array, Offset(array->rank(), 0), range);
  }

  const Expr *guardOf(const Mask &mask, SourceRange range) {
    const Expr *guard = mask.array ? at(mask.array, range) : nullptr;
    return !guard || mask.value
               ? guard
               : module.make<UnaryExpr>(UnaryOp::Not, guard, range);
  }

  /// `[R] call @put(ref %A#(...), value)`.
  Stmt *call(const Segment &segment) {
    const LocalScatter &put = segment.scatter;
    const ScatterStmt &scatter = *put.scatter;
    SmallVector<Argument, 2> args(2);
    args[0].place = partOf(put.copy, put.element);
    args[1].value = put.value ? withElements(put.value->value, segment)
                              : at(scatter.source, scatter.range);
    auto *call = module.make<CallExpr>(combiners.of(scatter), Type::Void, args,
                                       scatter.range);
    auto *made =
        module.make<ElementCallStmt>(scatter.region, call, scatter.range);
    made->guard = guardOf(scatter.mask, scatter.range);
    return made;
  }

  /// `[R] %T = %A#(...)`.
  Stmt *assignment(const LocalGather &local) {
    const GatherStmt &gather = *local.gather;
    auto *made = module.make<ArrayAssignStmt>(gather.region,
                                              at(gather.target, gather.range),
                                              local.element, gather.range);
    made->guard = guardOf(gather.mask, gather.range);
    return made;
  }

  /// The part that \p copy takes, of this element; all of it without one.
  const Expr *partOf(const ArrayAssignStmt *copy, const RemapExpr *element) {
    auto read = [&](const Expr *e) -> const Expr * {
      return isa<ElementExpr>(e) ? element : e;
    };
    return copy ? ExprRewriter(module, read).rewrite(copy->value) : element;
  }

  const Expr *withElements(const Expr *expr, const Segment &segment) {
    return ExprRewriter(module,
                        [&](const Expr *e) -> const Expr * {
                          auto *element = dyn_cast<ElementExpr>(e);
                          for (const LocalGather &local : segment.gathers)
                            if (segment.hasUser && element &&
                                element->array == local.gather->target)
                              return local.element;
                          return e;
                        })
        .rewrite(expr);
  }

  void readElements(Stmt &stmt, const Segment &segment) {
    forEachOperand(stmt, [&](const Operand &operand) {
      if (auto *expr = dyn_cast<const Expr **>(operand.slot); expr && *expr)
        *expr = withElements(*expr, segment);
    });
  }

  template <typename Remap>
  void tell(const Remap &remap, const Array *array, const RemapExpr *element,
            StringRef what, StringRef how = "") {
    context.count("loops");
    context.applied(
        remap.range,
        element->text + ", " + remapForm(remap.maps, *remap.region, module) +
            ", is " + what + " in the loop where one processor has all of " +
            sourceName(*array) + how.str() +
            (element->checked ? ", with a test of each index" : ""));
  }

  Module &module;
  Procedure &procedure;
  const Effects &effects;
  Combiners &combiners;
  PassContext &context;
  RemapElements elements;
  InverseScatters inverses;
  RemapBranches made;
  RemapWindows windows;
  RemapSegments segments;
};

/// Says of each remap how its elements go between processors.
void tellTraffic(Procedure &procedure, PassContext &context) {
  DenseMap<const Array *, StringRef> texts; // of the last checks
  auto tell = [&](const auto &remap, const Array *array) {
    std::string text = texts.contains(array) ? texts[array].str()
                                             : "# of " + sourceName(*array);
    RemapTraffic traffic = remapTraffic(remap);
    if (traffic.why.empty())
      context.applied(remap.range,
                      "between processors " + text + " moves " + traffic.unit);
    else
      context.missed(remap.range, "between processors " + text + " moves " +
                                      traffic.unit + ": " + traffic.why);
  };
  forEachStmt(procedure.body, [&](const Stmt &stmt) {
    if (auto *check = dyn_cast<CheckStmt>(&stmt);
        check && check->check == CheckStmt::Maps)
      texts[check->array] = check->text;
    else if (auto *gather = dyn_cast<GatherStmt>(&stmt))
      tell(*gather, gather->source);
    else if (auto *scatter = dyn_cast<ScatterStmt>(&stmt))
      tell(*scatter, scatter->target);
  });
}

} // namespace

void localRemaps(Module &module, PassContext &context) {
  Combiners combiners(module);
  std::vector<Procedure *> procedures = module.procedures;
  for (Procedure *procedure : procedures)
    forEachStmt(procedure->body, [&](const Stmt &stmt) {
      if (auto *scatter = dyn_cast<ScatterStmt>(&stmt))
        combiners.of(*scatter);
    });
  Effects effects(module);
  for (Procedure *procedure : procedures) {
    tellTraffic(*procedure, context);
    RemapLocalizer(module, *procedure, effects, combiners, context)
        .list(procedure->body);
  }
}

} // namespace zpl::air
