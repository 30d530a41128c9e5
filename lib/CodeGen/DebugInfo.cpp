//===- DebugInfo.cpp - Debug information ----------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `-g` adds, as DWARF through LLVM's DIBuilder:
//
//   - each instruction has the line and column of its statement;
//   - each procedure is a subprogram under its ZPL name, which all instances of
//     a parallel procedure share;
//   - scalar variables have the ZPL names of their types (`integer`,
//   `boolean`),
//     so a debugger prints and sets them;
//   - regions and arrays are typedefs, called as ZPL writes them
//   (`region<..,..>`,
//     `[R] double`), of the structures of zrt/Abi.h, so that a debugger shows
//     bounds, storage and pitch, and a pretty-printer can be hung on the name.
//
// Files are those of the SourceManager, so procedures of included files point
// there. There are no linkage names: debuggers would show those of C programs,
// and `break jacobi`, `print n` should work. A name that begins with a dot is
// the compiler's own and gets nothing.
//
//===----------------------------------------------------------------------===//

#include "DebugInfo.h"
#include "TypeLowering.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Path.h"
#include <cstddef>

using namespace llvm;

namespace zpl::codegen {

DebugInfo::DebugInfo(llvm::Module &module, const air::Module &source,
                     const CodeGenOptions &options)
    : module(module), sources(options.sources), builder(module) {
  module.addModuleFlag(llvm::Module::Warning, "Debug Info Version",
                       DEBUG_METADATA_VERSION);
  module.addModuleFlag(llvm::Module::Max, "Dwarf Version", 5);
  bool hasPlace = source.entry && source.entry->range.isValid();
  unit = builder.createCompileUnit(
      dwarf::DW_LANG_C99, file(hasPlace ? source.entry->range.file : 0), "zplc",
      /*isOptimized=*/options.optLevel > 0, /*Flags=*/"", /*RV=*/0);
}

DIFile *DebugInfo::file(uint32_t index) {
  DIFile *&known = files[index];
  if (known)
    return known;
  StringRef name = sources ? sources->name(index) : StringRef("unknown");
  known = builder.createFile(sys::path::filename(name),
                             sys::path::parent_path(name));
  return known;
}

void DebugInfo::addSubprogram(Function *function,
                              const air::Procedure &procedure) {
  bool hasPlace = sources && procedure.range.isValid();
  DIFile *where = hasPlace ? file(procedure.range.file) : unit->getFile();
  unsigned line = hasPlace ? sources->lineColumn(procedure.range).line : 0;
  auto *type = builder.createSubroutineType(builder.getOrCreateTypeArray({}));
  auto flags = DISubprogram::SPFlagDefinition | DISubprogram::SPFlagLocalToUnit;
  if (unit->isOptimized())
    flags |= DISubprogram::SPFlagOptimized;
  function->setSubprogram(
      builder.createFunction(where, procedure.sourceName, /*LinkageName=*/"",
                             where, line, type, line, DINode::FlagZero, flags));
}

DebugLoc DebugInfo::location(const Function *function, SourceRange range) {
  DISubprogram *scope = function->getSubprogram();
  LineColumn at = {scope->getLine(), 0};
  // A line of another file would need a scope of its own; none arises, because
  // a procedure's text stands in one file.
  if (range.isValid() && sources &&
      files.lookup(range.file) == scope->getFile())
    at = sources->lineColumn(range);
  return DILocation::get(module.getContext(), at.line, at.column, scope);
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

namespace {
struct Member {
  StringRef name;
  DIType *type;
  uint64_t offset; ///< bytes
};
} // namespace

/// A structure with the given members.
static DIType *makeStruct(DIBuilder &builder, DIScope *scope, StringRef name,
                          uint64_t bytes, ArrayRef<Member> members) {
  auto *structure = builder.createStructType(scope, name, nullptr, 0, bytes * 8,
                                             0, DINode::FlagZero, nullptr, {});
  SmallVector<Metadata *, 8> elements;
  for (const Member &m : members)
    elements.push_back(builder.createMemberType(
        structure, m.name, nullptr, 0, m.type->getSizeInBits(), 0, m.offset * 8,
        DINode::FlagZero, m.type));
  builder.replaceArrays(structure, builder.getOrCreateArray(elements));
  return structure;
}

/// ZRT_MAX_RANK of \p element.
static DIType *makeSix(DIBuilder &builder, DIType *element) {
  auto *subscript = builder.getOrCreateSubrange(0, int64_t(ZRT_MAX_RANK));
  return builder.createArrayType(element->getSizeInBits() * ZRT_MAX_RANK, 0,
                                 element, builder.getOrCreateArray(subscript));
}

DIType *DebugInfo::timerType() {
  DIType *number = type(air::Type::F64);
  return makeStruct(
      builder, unit, "timer", sizeof(zrt_timer),
      {{"accumulated", number, offsetof(zrt_timer, accumulated)},
       {"started", number, offsetof(zrt_timer, started)},
       {"running", type(air::Type::I32), offsetof(zrt_timer, running)}});
}

DIType *DebugInfo::type(air::Type kind) {
  switch (kind) {
  case air::Type::Void:
    return nullptr;
  case air::Type::Bool:
    return builder.createBasicType("boolean", 8, dwarf::DW_ATE_boolean);
  case air::Type::I32:
    return builder.createBasicType("integer", 32, dwarf::DW_ATE_signed);
  case air::Type::I64:
    return builder.createBasicType("longint", 64, dwarf::DW_ATE_signed);
  case air::Type::F32:
    return builder.createBasicType("float", 32, dwarf::DW_ATE_float);
  case air::Type::F64:
    return builder.createBasicType("double", 64, dwarf::DW_ATE_float);
  case air::Type::Str:
    return builder.createPointerType(
        builder.createBasicType("char", 8, dwarf::DW_ATE_signed_char), 64);
  case air::Type::Timer:
    return timerType();
  }
  llvm_unreachable("unknown type");
}

/// `..,.` of a shape.
static std::string shapeText(const air::Shape &shape) {
  std::string text;
  for (air::DimKind kind : shape) {
    text += text.empty() ? "" : ",";
    text += kind == air::DimKind::Range ? ".." : ".";
  }
  return text;
}

/// The structure of zrt/Abi.h behind all regions.
DIType *DebugInfo::regionStruct() {
  if (regionDescriptor)
    return regionDescriptor;
  DIType *bound = type(air::Type::I64);
  DIType *range = makeStruct(builder, unit, "zrt_range", sizeof(zrt_range),
                             {{"lo", bound, offsetof(zrt_range, lo)},
                              {"hi", bound, offsetof(zrt_range, hi)}});
  return regionDescriptor = makeStruct(
             builder, unit, "zrt_region", sizeof(zrt_region),
             {{"name", type(air::Type::Str), offsetof(zrt_region, name)},
              {"rank", type(air::Type::I32), offsetof(zrt_region, rank)},
              {"dim", makeSix(builder, range), offsetof(zrt_region, dim)}});
}

/// The structure of zrt/Abi.h behind all arrays.
DIType *DebugInfo::arrayStruct() {
  if (arrayDescriptor)
    return arrayDescriptor;
  return arrayDescriptor = makeStruct(
             builder, unit, "zrt_array", sizeof(zrt_array),
             {{"origin", type(air::Type::Str), offsetof(zrt_array, origin)},
              {"pitch", makeSix(builder, type(air::Type::I64)),
               offsetof(zrt_array, pitch)},
              {"region", regionStruct(), offsetof(zrt_array, region)},
              {"type", type(air::Type::I32), offsetof(zrt_array, type)}});
}

DIType *DebugInfo::type(const air::Region &region) {
  return builder.createTypedef(regionStruct(),
                               "region<" + shapeText(region.shape) + ">",
                               unit->getFile(), 0, unit);
}

DIType *DebugInfo::type(const air::Array &array) {
  std::string over = array.declared && !array.declared->text.empty()
                         ? array.declared->text
                         : shapeText(array.shape);
  return builder.createTypedef(
      arrayStruct(), "[" + over + "] " + type(array.element)->getName().str(),
      unit->getFile(), 0, unit);
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

void DebugInfo::declareGlobal(GlobalVariable *global, StringRef name,
                              DIType *type, SourceRange range) {
  if (!range.isValid() || !sources || name.starts_with("."))
    return;
  global->addDebugInfo(builder.createGlobalVariableExpression(
      unit, name, /*LinkageName=*/"", file(range.file),
      sources->lineColumn(range).line, type, /*IsLocalToUnit=*/true));
}

void DebugInfo::declareGlobal(GlobalVariable *global,
                              const air::Variable &variable) {
  declareGlobal(global, variable.name, type(variable.type), variable.range);
}

void DebugInfo::declareGlobal(GlobalVariable *global,
                              const air::Region &region) {
  declareGlobal(global, region.name, type(region), region.range);
}

void DebugInfo::declareGlobal(GlobalVariable *global, const air::Array &array) {
  declareGlobal(global, array.name, type(array), array.range);
}

void DebugInfo::declareLocal(Value *address, StringRef name, DIType *type,
                             SourceRange range, unsigned argument,
                             BasicBlock *block) {
  DISubprogram *scope = block->getParent()->getSubprogram();
  bool isPlaced = range.isValid() && sources &&
                  files.lookup(range.file) == scope->getFile();
  if (!isPlaced || name.starts_with("."))
    return;
  unsigned line = sources->lineColumn(range).line;
  DILocalVariable *variable =
      argument ? builder.createParameterVariable(scope, name, argument,
                                                 scope->getFile(), line, type,
                                                 /*AlwaysPreserve=*/true)
               : builder.createAutoVariable(scope, name, scope->getFile(), line,
                                            type, /*AlwaysPreserve=*/true);
  builder.insertDeclare(address, variable, builder.createExpression(),
                        DILocation::get(module.getContext(), line, 0, scope),
                        block);
}

void DebugInfo::declareLocal(Value *address, const air::Variable &variable,
                             unsigned argument, BasicBlock *block) {
  declareLocal(address, variable.name, type(variable.type), variable.range,
               argument, block);
}

void DebugInfo::declareLocal(Value *address, const air::Region &region,
                             unsigned argument, BasicBlock *block) {
  declareLocal(address, region.name, type(region), region.range, argument,
               block);
}

void DebugInfo::declareLocal(Value *address, const air::Array &array,
                             unsigned argument, BasicBlock *block) {
  declareLocal(address, array.name, type(array), array.range, argument, block);
}

} // namespace zpl::codegen
