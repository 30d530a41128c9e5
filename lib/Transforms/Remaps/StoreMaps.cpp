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
//===----------------------------------------------------------------------===//

#include "Remaps/StoreMaps.h"
#include "Remaps/MapForms.h"
#include "zpl/ArrayIR/Names.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/MapVector.h"
#include <map>

using namespace llvm;

namespace zpl::air {
namespace {

class MapStorer {
public:
  MapStorer(Procedure &procedure, Module &module)
      : procedure(procedure), module(module), names(procedure) {}

  void list(StmtList &list) {
    StoredMaps stored;
    StmtList result;
    for (Stmt *stmt : list) {
      forEachList(*stmt, [&](StmtList &inner) { this->list(inner); });
      auto *check = dyn_cast<CheckStmt>(stmt);
      auto *gather = dyn_cast<GatherStmt>(stmt);
      auto *scatter = dyn_cast<ScatterStmt>(stmt);
      SmallVector<std::string, 6> named;
      auto take = [&](auto &user) {
        named = store(user.maps, user.region, user.mask, stored, result,
                      user.range);
      };
      if (auto *window = dyn_cast<WindowStmt>(stmt))
        for (WindowReference &reference : window->references)
          append_range(named,
                       store(reference.maps, window->region, reference.mask,
                             stored, result, reference.range));
      if (check)
        take(*check);
      else if (gather)
        take(*gather);
      else if (scatter)
        take(*scatter);
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

  /// Lets the maps be arrays; returns the texts of those that were none.
  SmallVector<std::string, 6> store(MutableArrayRef<Map> maps, Region *region,
                                    const Mask &mask, StoredMaps &stored,
                                    StmtList &result, SourceRange range) {
    SmallVector<std::string, 6> named;
    for (Map &map : maps) {
      if (!map.value)
        continue;
      std::string text = mapText(map);
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
    auto *array = module.make<Array>();
    array->name = names.make("map");
    array->element = value.type;
    array->shape = region->shape;
    array->declared = region;
    array->isSparse = region->isSparse;
    array->domain = region->domain;
    array->range = range;
    procedure.arrays.push_back(array);
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
  NameAllocator names;
};

} // namespace

void storeMaps(Module &module, PassContext &) {
  for (Procedure *procedure : module.procedures)
    MapStorer(*procedure, module).list(procedure->body);
}

} // namespace zpl::air
