//===- ScanLoops.cpp - Scans as M-loops -----------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A scan in the runtime reads an array and writes another one, and what is
// before and behind it in the program are sweeps of their own. As an M-loop it
// is fused like others: its operand and its result may be registers.
//
//     A := B * B;                       alloc %C
//     [R] T := +||[2] A;                mloop @R levels(0 up, 1 up) {
//     [R] D := T / A;              =>     store @A = mul(@B, @B)
//                                         store %T = %C
//                                         store %C = add(%C, @A)
//                                         store @D = div(%T, @A)
//                                       }
//
// What comes before an index is an element of C, the carries: an array that
// floods the dimensions of the scan. In the innermost loop it is a register if
// the scan goes along that, else a row that lies in the nearest cache, and the
// loop runs in vectors. Where the indices are a mask's, so are the guards:
//
//     store %C = f64 0.0 where @Segment        the scan starts anew
//     store %T = %C where @M                   exclusive: before what follows
//     store %C = add(%C, @A) where @M
//
// Floating `max` and `min` are stores where a comparison holds, so that NaNs are
// skipped; 0.0 is added to what comes of them, so that there is no -0, as in
// reductions.
//
// *Order.* The loop is row-major, with the directions of the scan. If the
// dimensions of the list come in the order of the levels, [2, 1] or [2] or [1],
// one element of C stands for all of them. Else, [1, 2], there is one for each
// line along the first one of the list, and what comes before a line is found
// in a sweep before (StartCarries.cpp).
//
// Cost: linear in the statements.
//
//===----------------------------------------------------------------------===//

#include "Loops/Scans/ScanLoops.h"
#include "Loops/Scans/CarryOps.h"
#include "Statements/Identity.h"
#include "zpl/ArrayIR/Domains.h"
#include "zpl/ArrayIR/Names.h"
#include "zpl/ArrayIR/Rewrite.h"
#include "zpl/ArrayIR/Walk.h"

using namespace llvm;

namespace zpl::air {
namespace {

/// Why a scan is the runtime's; empty: it is not.
StringRef obstacle(const ScanStmt &scan) {
  Type type = scan.source->element;
  bool isLogical = scan.op == Reduction::And || scan.op == Reduction::Or;
  if (scan.with)
    return "its operator is one of the program";
  if (scan.begins)
    return "it is in two phases";
  if (scan.reproducible && !type.isInteger() && type != Type::Bool)
    return "it is to be reproducible, in the order of a tree";
  if (scan.region->isSparse || scan.source->isSparse || scan.target->isSparse)
    return "its region is sparse";
  if (isScattered(*scan.region))
    return "its domain is scattered";
  if (is_contained(scan.region->shape, DimKind::Grid))
    return "it is over a grid dimension";
  bool isNumber = type.isInteger() || type.isFloat();
  if (isLogical ? type != Type::Bool : !isNumber)
    return "its elements are no numbers, or logical operators of numbers";
  if (scan.op == Reduction::MaxNaN || scan.op == Reduction::MinNaN)
    return "a NaN wins in it";
  bool hasLoop = any_of(scan.dims, [&](int dim) {
    DimKind kind = scan.region->shape[std::abs(dim) - 1];
    return kind == DimKind::Range || kind == DimKind::Strided;
  });
  return hasLoop ? "" : "it is along single indices";
}

class ScanLooper {
public:
  ScanLooper(Procedure &procedure, Module &module, PassContext &context)
      : procedure(procedure), module(module), context(context),
        names(procedure) {}

  void run() {
    rewriteStmts(procedure.body, [&](Stmt *stmt, StmtList &result) {
      auto *scan = dyn_cast<ScanStmt>(stmt);
      if (!scan)
        return result.push_back(stmt);
      if (StringRef why = obstacle(*scan); !why.empty()) {
        context.missed(scan->range,
                       "the scan is a sweep of its own, in the runtime: " +
                           why);
        return result.push_back(stmt);
      }
      lower(*scan, result);
    });
  }

private:
  bool isFlat(const Region &region, unsigned dim) const {
    DimKind kind = region.shape[dim];
    return kind == DimKind::Singleton || isPerProcessor(kind);
  }

  void lower(const ScanStmt &scan, StmtList &result) {
    Array *carries = makeCarries(scan, result);
    auto *loop = module.make<MLoopStmt>(scan.region, scan.range);
    for (unsigned dim = 0; dim < scan.region->rank(); ++dim) {
      bool flat = isFlat(*scan.region, dim);
      bool down = is_contained(scan.dims, -int(dim) - 1);
      loop->levels.push_back({dim, flat, down && !flat});
    }
    addOps(*loop, scan, carries);
    result.push_back(loop);
    result.push_back(module.make<FreeArrayStmt>(carries, scan.range));
    context.count("scans");
    context.applied(scan.range, "the scan is a loop, which carries along what "
                                "comes before each index");
  }

  Array *makeCarries(const ScanStmt &scan, StmtList &result) {
    Region &region = *scan.region;
    SmallVector<int, 6> dims;
    for (int dim : scan.dims)
      if (!isFlat(region, std::abs(dim) - 1))
        dims.push_back(dim);
    bool isNested =
        is_sorted(dims, [](int a, int b) { return std::abs(a) > std::abs(b); });
    auto *lines = module.make<Region>();
    lines->name = names.make("lines");
    lines->shape = region.shape;
    lines->domain = region.domain;
    lines->isTemporary = true;
    lines->range = scan.range;
    procedure.regions.push_back(lines);
    RegionExpr value;
    value.kind = RegionExpr::Dims;
    value.base = &region;
    value.dims.resize(region.rank());
    for (int dim : isNested ? ArrayRef(dims) : ArrayRef(dims).take_front()) {
      lines->shape[std::abs(dim) - 1] = DimKind::Flood;
      value.dims[std::abs(dim) - 1].kind = DimExpr::Flood;
    }
    result.push_back(module.make<SetRegionStmt>(lines, value, scan.range));
    auto *carries = module.make<Array>();
    carries->name = names.make(scan.target->name + ".carry");
    carries->element = scan.source->element;
    carries->shape = lines->shape;
    carries->domain = region.domain;
    carries->declared = lines;
    carries->carryDims = dims;
    carries->carryOp = scan.op;
    carries->range = scan.range;
    procedure.arrays.push_back(carries);
    result.push_back(module.make<AllocArrayStmt>(carries, scan.range));
    return carries;
  }

  void addOps(MLoopStmt &loop, const ScanStmt &scan, Array *carries) {
    SourceRange range = scan.range;
    const Expr *guard = nullptr;
    if (scan.mask.array) {
      guard = elementAt(scan.mask.array, module, range);
      if (!scan.mask.value)
        guard = module.make<UnaryExpr>(UnaryOp::Not, guard, range);
    }
    if (scan.segment)
      loop.body.push_back(
          storeOf(elementAt(carries, module, range),
                  identityOf(scan.op, carries->element, module, range),
                  elementAt(scan.segment, module, range), range));
    ElementOp result = storeOf(elementAt(scan.target, module, range),
                               prefixOf(carries, module, range), guard, range);
    ElementOp takes = takeIn(carries, elementAt(scan.source, module, range),
                             guard, module, range);
    loop.body.push_back(scan.inclusive ? takes : result);
    loop.body.push_back(scan.inclusive ? result : takes);
  }

  Procedure &procedure;
  Module &module;
  PassContext &context;
  NameAllocator names;
};

} // namespace

void scanLoops(Module &module, PassContext &context) {
  for (Procedure *procedure : module.procedures)
    ScanLooper(*procedure, module, context).run();
}

} // namespace zpl::air
