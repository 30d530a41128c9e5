//===- StoreMaps.cpp - Maps into arrays -----------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A check and the gather or scatter behind it name the same expressions, and
// are in one list. The first that names one stores it, where the operands have
// the values that count; the gather or scatter is the last.
//
// What steps evenly with an index (LinearMaps.h) stays as it is, for the runtime
// knows then which boxes go between processors, unless something between the
// check and the last that names it changes a scalar in it, or it is checked
// whether integers wrap around.
//
//===----------------------------------------------------------------------===//

#include "Remaps/StoreMaps.h"
#include "Remaps/MapForms.h"
#include "Statements/GuardedStatements.h"
#include "Statements/SparseArrays.h"
#include "zpl/Analysis/Effects.h"
#include "zpl/Analysis/LinearMaps.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/MapVector.h"
#include <map>

using namespace llvm;

namespace zpl::air {
namespace {

class MapStorer {
public:
  MapStorer(Procedure &procedure, Module &module, const Effects &effects,
            const PassContext &context)
      : procedure(procedure), module(module), effects(effects),
        context(context), names(procedure) {}

  void list(StmtList &list) {
    StoredMaps stored;
    StmtList result;
    for (auto [i, stmt] : enumerate(list)) {
      forEachList(*stmt, [&](StmtList &inner) { this->list(inner); });
      auto *check = dyn_cast<CheckStmt>(stmt);
      auto *gather = dyn_cast<GatherStmt>(stmt);
      auto *scatter = dyn_cast<ScatterStmt>(stmt);
      SmallVector<std::string, 6> named;
      auto take = [&](auto &user, Region *region) {
        auto mayStay = [&](const Map &map) {
          return !context.checksOverflow && !user.mask.array &&
                 linearMap(*map.value, *region) &&
                 staysFrom(list, i, *map.value);
        };
        append_range(named, store(user.maps, region, user.mask, mayStay, stored,
                                  result, user.range));
      };
      if (auto *window = dyn_cast<WindowStmt>(stmt))
        for (WindowReference &reference : window->references)
          take(reference, window->region);
      if (check)
        take(*check, check->region);
      else if (gather)
        take(*gather, gather->region);
      else if (scatter)
        take(*scatter, scatter->region);
      result.push_back(stmt);
      if (!check)
        for (const std::string &text : reverse(named))
          free(text, stored, result);
    }
    while (!stored.empty())
      free(std::string(stored.back().first), stored, result);
    list = std::move(result);
  }

private:
  using StoredMaps =
      MapVector<std::string, Array *, std::map<std::string, unsigned>>;

  /// Whether no statement behind number \p at, up to the last that names a
  /// map equal to \p value, changes it.
  bool staysFrom(const StmtList &list, size_t at, const Expr &value) const {
    Reads reads;
    forEachExpr(value, [&](const Expr &e) { reads.add(e); });
    Map wanted;
    wanted.value = &value;
    std::string text = mapText(wanted);
    bool isChanged = false;
    for (size_t i = at + 1; i < list.size(); ++i) {
      auto isNamed = [&](ArrayRef<Map> maps) {
        return any_of(maps, [&](const Map &map) {
          return map.value && mapText(map) == text;
        });
      };
      auto *gather = dyn_cast<GatherStmt>(list[i]);
      auto *scatter = dyn_cast<ScatterStmt>(list[i]);
      if (gather && isNamed(gather->maps))
        return !isChanged;
      if (scatter && isNamed(scatter->maps))
        return !isChanged;
      isChanged |= reads.isChangedBy(effects.writes(procedure, *list[i]));
    }
    return true;
  }

  /// Lets the maps be arrays, but those that may stay and are not stored yet;
  /// returns the texts of those that were none.
  SmallVector<std::string, 6> store(MutableArrayRef<Map> maps, Region *region,
                                    const Mask &mask,
                                    function_ref<bool(const Map &)> mayStay,
                                    StoredMaps &stored, StmtList &result,
                                    SourceRange range) {
    SmallVector<std::string, 6> named;
    for (Map &map : maps) {
      if (!map.value)
        continue;
      std::string text = mapText(map);
      if (!stored.contains(text) && mayStay(map))
        continue;
      Array *&array = stored[text];
      if (!array)
        array = storeOne(*map.value, region, mask, result, range);
      if (!is_contained(named, text))
        named.push_back(text);
      map.array = array;
      map.value = nullptr;
    }
    return named;
  }

  Array *storeOne(const Expr &value, Region *region, const Mask &mask,
                  StmtList &result, SourceRange range) {
    Array *array = newArrayOver(module, procedure, names, "map", value.type,
                                *region, range);
    result.push_back(module.make<AllocArrayStmt>(array, range));
    auto elementOf = [&](Array *of) {
      return module.make<ElementExpr>(of, Offset(of->rank(), 0), range);
    };
    auto *assign =
        module.make<ArrayAssignStmt>(region, elementOf(array), &value, range);
    if (mask.array)
      assign->guard = elementOf(mask.array);
    if (mask.array && !mask.value)
      assign->guard =
          module.make<UnaryExpr>(UnaryOp::Not, assign->guard, range);
    result.push_back(assign);
    return array;
  }

  void free(const std::string &text, StoredMaps &stored, StmtList &result) {
    auto found = stored.find(text);
    if (found == stored.end())
      return;
    result.push_back(
        module.make<FreeArrayStmt>(found->second, found->second->range));
    stored.erase(found);
  }

  Procedure &procedure;
  Module &module;
  const Effects &effects;
  const PassContext &context;
  NameAllocator names;
};

} // namespace

void storeMaps(Module &module, PassContext &context) {
  Effects effects(module);
  for (Procedure *procedure : module.procedures)
    MapStorer(*procedure, module, effects, context).list(procedure->body);
}

} // namespace zpl::air
