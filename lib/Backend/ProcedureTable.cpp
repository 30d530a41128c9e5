//===- ProcedureTable.cpp - Which procedure an address is in --------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// When the stack is exhausted the runtime knows an address in the code, and the
// message shall name a place in the source (runtime/lib/Entry/StackGuard.cpp),
// with and without -g. CodeGen notes places in metadata, which the passes
// leave alone,
//
//     !zpl.procedures = !{!0}
//     !0 = !{ptr @zpl.f, !"p.z", i32 3, i32 11, !"f"}
//
// and of what is left of the procedures in the end the object gets
// zrt_procedures (zrt/AbiTypes.h),
//
//     @zpl.procedures = internal constant [{ ptr @zpl.f, ptr @"p.z", 3, 11,
//                                            ptr @"f" }], section
//                                            "zpl_procedures"
//     define internal void @zpl.f() section "zpl_text"
//
// of which the linker makes one table, and one piece of code with a beginning
// and an end: sections whose names are words of C have symbols there. Nothing
// is executed for it.
//
//===----------------------------------------------------------------------===//

#include "ProcedureTable.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace zpl {

static constexpr StringLiteral Noted = "zpl.procedures";

namespace {

class TableWriter {
public:
  explicit TableWriter(Module &module) : module(module) {}

  /// A row for what \p note says of a procedure, if the procedure is here.
  void add(const MDNode &note) {
    auto *code = dyn_cast_or_null<ConstantAsMetadata>(note.getOperand(0).get());
    auto *function = code ? dyn_cast<Function>(code->getValue()) : nullptr;
    if (!function || function->isDeclaration())
      return;
    function->setSection("zpl_text");
    auto number = [&](unsigned operand) {
      return cast<ConstantAsMetadata>(note.getOperand(operand))->getValue();
    };
    rows.push_back(ConstantStruct::getAnon(
        {function, text(note, 1), number(2), number(3), text(note, 4)}));
  }

  void finish() {
    if (rows.empty())
      return;
    auto *type = ArrayType::get(rows.front()->getType(), rows.size());
    auto *table = new GlobalVariable(
        module, type, /*isConstant=*/true, GlobalValue::InternalLinkage,
        ConstantArray::get(type, rows), "zpl.procedures");
    table->setSection("zpl_procedures");
    appendToCompilerUsed(module, {table});
  }

private:
  /// The string in an operand, in memory.
  Constant *text(const MDNode &note, unsigned operand) {
    StringRef value = cast<MDString>(note.getOperand(operand))->getString();
    GlobalVariable *&known = texts[value];
    if (known)
      return known;
    Constant *bytes = ConstantDataArray::getString(module.getContext(), value);
    known = new GlobalVariable(module, bytes->getType(), /*isConstant=*/true,
                               GlobalValue::PrivateLinkage, bytes);
    known->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
    return known;
  }

  Module &module;
  SmallVector<Constant *, 32> rows;
  StringMap<GlobalVariable *> texts;
};

} // namespace

void addProcedureTable(Module &module) {
  NamedMDNode *notes = module.getNamedMetadata(Noted);
  if (!notes || !Triple(module.getTargetTriple()).isOSBinFormatELF())
    return;
  TableWriter writer(module);
  for (const MDNode *note : notes->operands())
    writer.add(*note);
  writer.finish();
}

} // namespace zpl
