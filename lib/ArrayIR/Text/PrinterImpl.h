//===- PrinterImpl.h - The printer's one class ------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_ARRAYIR_TEXT_PRINTERIMPL_H
#define ZPL_LIB_ARRAYIR_TEXT_PRINTERIMPL_H

#include "zpl/ArrayIR/ArrayIR.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"

namespace zpl::air {

/// Writes nodes to a stream. Printer.cpp and PrintCommunication.cpp have
/// statements, PrintExpressions.cpp and PrintDeclarations.cpp the rest.
class Printer {
public:
  explicit Printer(llvm::raw_ostream &os) : os(os) {}

  void module(const Module &module);
  void procedure(const Procedure &procedure, const Module *module = nullptr);
  void stmt(const Stmt &stmt); ///< with its indent and line end
  void expr(const Expr *expr);
  void name(char sigil, llvm::StringRef name);
  template <typename T> void name(const T *named) {
    if (!named)
      os << "<null>";
    else
      name(named->storage == Storage::Global ? '@' : '%', named->name);
  }
  void name(const Transfer *transfer);
  void name(const Procedure *procedure);
  void offset(const Offset &offset);
  void dimensions(llvm::StringRef word, uint32_t set);

private:
  // Declarations.
  void variable(const Variable &variable, llvm::StringRef keyword);
  void region(const Region &region);
  void array(const Array &array);
  void type(const TypeInfo &type);
  void transfer(const Transfer &transfer);
  void signature(const Procedure &procedure);
  void shape(const Shape &shape);
  void optionalText(llvm::StringRef text);

  // Statements.
  void line(const Stmt &stmt); ///< without indent and line end
  void list(const StmtList &list);
  void block(const StmtList &list); ///< `{ ... }`
  void setRegion(const SetRegionStmt &stmt);
  void combine(const CombineStmt &stmt);
  void call(const CallStmt &stmt);
  void write(const WriteStmt &stmt);
  void read(const ReadStmt &stmt);
  void builtin(const BuiltinStmt &stmt);
  void bindIo(const BindIoStmt &stmt);
  void point(const TransferPointStmt &stmt);
  void checkShape(const CheckShapeStmt &stmt);
  void checkThat(const CheckThatStmt &stmt);
  void timer(const TimerStmt &stmt);
  void conditional(const IfStmt &stmt);
  void loopWhile(const WhileStmt &stmt);
  void loopUntil(const RepeatStmt &stmt);
  void loopFor(const ForStmt &stmt);
  /// `[%R where g] `
  void scope(const Region *region, const Expr *guard);
  void mloop(const MLoopStmt &stmt);
  void elementOp(const ElementOp &op);
  // Statements of Communication.h, and the checks of them.
  void shift(const ShiftStmt &stmt);
  void flood(const FloodStmt &stmt);
  void put(const PutStmt &stmt);
  void fold(const FoldStmt &stmt);
  void reduction(Reduction op, const Procedure *with);
  void combineArray(const CombineArrayStmt &stmt);
  void scan(const ScanStmt &stmt);
  void wave(const WaveStmt &stmt);
  void interleave(const InterleaveStmt &stmt);
  void items(llvm::ArrayRef<std::pair<Array *, Offset>> items);
  void gather(const GatherStmt &stmt);
  void scatter(const ScatterStmt &stmt);
  void boundary(const BoundaryStmt &stmt);
  void check(const CheckStmt &stmt);
  void mask(const Mask &mask); ///< ` where not %M`
  void maps(llvm::ArrayRef<Map> maps);
  void over(const Region *region);
  llvm::raw_ostream &startLine() { return os.indent(2 * depth); }

  // Expressions.
  void constant(const ConstExpr &expr);
  void element(const ElementExpr &expr);
  void call(const CallExpr &expr);
  void field(const FieldExpr &expr);
  void subscript(const SubscriptExpr &expr);
  void argument(const Argument &argument);
  void regionExpr(const RegionExpr &value);
  void dim(const DimExpr &dim);
  void operands(llvm::ArrayRef<const Expr *> operands); ///< `(a, b)`

  /// Items with ", " between them.
  template <typename Range, typename Fn> void commas(Range &&range, Fn fn) {
    bool first = true;
    for (auto &&item : range) {
      if (!std::exchange(first, false))
        os << ", ";
      fn(item);
    }
  }

  llvm::raw_ostream &os;
  llvm::StringSet<> pointedNames; ///< of this module and procedure: "a.lo"
  unsigned depth = 0;
};

/// The name of a variable or of an element's array, without sigil, else "":
/// what SubscriptExpr::text is where the text form gives none.
llvm::StringRef plainName(const Expr *expr);

} // namespace zpl::air

#endif // ZPL_LIB_ARRAYIR_TEXT_PRINTERIMPL_H
