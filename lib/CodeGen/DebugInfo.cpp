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
//   - variables, regions and arrays have their ZPL names and types
//     (DebugTypes.cpp);
//   - a section `.debug_gdb_scripts` with the path of the printers of arrays
//     and regions, which gdb loads with the program.
//
// Files are those of the SourceManager, so procedures of included files point
// there; the global declarations, which may stand in several files, are one
// procedure with a scope per file. There are no linkage names: debuggers would
// show those of C programs, and `break jacobi`, `print n` should work.
//
// What has no source name is the compiler's own and gets nothing, but for
// numbers that may be bounds of types: they are described without a name, so
// that types can refer to them. Parameters of this kind are numbered before all
// others, because LLVM makes parameters, with their types, in that order.
//
// The cell of a variable on the heap and the argument of one by reference are
// pointers to it. Without optimization an argument is stored for the debugger
// in the frame, where it stays as long as the procedure runs.
//
//===----------------------------------------------------------------------===//

#include "DebugInfo.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;

namespace zpl::codegen {

DebugInfo::DebugInfo(llvm::Module &module, const TypeLowering &types,
                     const air::Module &source, const CodeGenOptions &options)
    : module(module), sources(options.sources), builder(module),
      debugTypes(module, types, builder) {
  module.addModuleFlag(llvm::Module::Warning, "Debug Info Version",
                       DEBUG_METADATA_VERSION);
  module.addModuleFlag(llvm::Module::Max, "Dwarf Version", 5);
  bool hasPlace = source.entry && source.entry->range.isValid();
  // No table of names: gdb would take it for that of the whole program. And gdb
  // knows by the first word how LLVM marks the end of a function's prologue.
  unit = builder.createCompileUnit(
      dwarf::DW_LANG_C99, file(hasPlace ? source.entry->range.file : 0),
      "clang LLVM (zplc)",
      /*isOptimized=*/options.optLevel > 0, /*Flags=*/"", /*RV=*/0,
      /*SplitName=*/"", DICompileUnit::FullDebug, /*DWOId=*/0,
      /*SplitDebugInlining=*/true, /*DebugInfoForProfiling=*/false,
      DICompileUnit::DebugNameTableKind::None);
  debugTypes.setUnit(unit);
  if (!options.gdbScript.empty())
    addScript(options.gdbScript);
}

DIFile *DebugInfo::file(uint32_t index) {
  DIFile *&known = files[index];
  if (known)
    return known;
  SmallString<128> folder;
  if (sys::fs::current_path(folder))
    folder.clear();
  return known = builder.createFile(
             sources ? sources->name(index) : StringRef("unknown"), folder);
}

void DebugInfo::addScript(StringRef path) {
  Constant *text =
      ConstantDataArray::getString(module.getContext(), ("\1" + path).str());
  auto *entry =
      new GlobalVariable(module, text->getType(), /*isConstant=*/true,
                         GlobalValue::WeakODRLinkage, text, "zpl.gdb");
  entry->setVisibility(GlobalValue::HiddenVisibility);
  entry->setSection(".debug_gdb_scripts");
  entry->setAlignment(Align(1));
}

void DebugInfo::finish() {
  builder.finalize();
  SmallVector<Metadata *, 32> all;
  for (DIGlobalVariableExpression *info : unit->getGlobalVariables())
    all.push_back(info);
  all.append(fragments.begin(), fragments.end());
  unit->replaceGlobalVariables(MDTuple::get(module.getContext(), all));
}

//===----------------------------------------------------------------------===//
// Procedures and places
//===----------------------------------------------------------------------===//

/// The source name; empty of what the compiler has made for itself (`lo.1`) and
/// of copies of parts (`P[2]`).
template <typename Thing> static StringRef visibleName(const Thing &thing) {
  StringRef name = thing.text;
  return name.find_first_of(".[") != StringRef::npos ? "" : name;
}

static StringRef visibleName(const air::Region &region) {
  return region.isTemporary ? "" : visibleName<air::Region>(region);
}

/// The source name of a local; empty also for what came with the body of a
/// procedure that is inlined, which has no place in this one.
template <typename Thing> static StringRef localName(const Thing &thing) {
  return thing.range.isValid() ? visibleName(thing) : "";
}

/// Whether types may refer to it, though the program cannot.
static bool mayBeBound(const air::Variable &variable) {
  return variable.type == air::Type::I64 && !variable.byReference &&
         visibleName(variable).empty();
}

/// Where the debugger says that \p procedure is: the global declarations are
/// where the first of them is.
static SourceRange placeOf(const air::Procedure &procedure) {
  auto hasPlace = [](const air::Stmt *stmt) { return stmt->range.isValid(); };
  auto first = find_if(procedure.body, hasPlace);
  return procedure.range.isValid() || first == procedure.body.end()
             ? procedure.range
             : (*first)->range;
}

void DebugInfo::addSubprogram(Function *function,
                              const air::Procedure &procedure) {
  SourceRange range = placeOf(procedure);
  bool hasPlace = sources && range.isValid();
  DIFile *where = hasPlace ? file(range.file) : unit->getFile();
  unsigned line = lineOf(range).line;
  auto flags = DISubprogram::SPFlagDefinition | DISubprogram::SPFlagLocalToUnit;
  if (unit->isOptimized())
    flags |= DISubprogram::SPFlagOptimized;
  auto *scope = builder.createFunction(
      where, procedure.sourceName, /*LinkageName=*/"", where, line,
      debugTypes.of(procedure), line, DINode::FlagPrototyped, flags);
  function->setSubprogram(scope);
  for (unsigned i = 0; i < procedure.params.size(); ++i)
    if (const air::Variable *variable = procedure.params[i].variable;
        variable && mayBeBound(*variable))
      makeBound(scope, *variable, i + 1);
  declareDirections(procedure.directions, scope);
}

DebugLoc DebugInfo::location(const Function *function, SourceRange range) {
  DIScope *scope = function->getSubprogram();
  LineColumn at = {function->getSubprogram()->getLine(), 0};
  if (range.isValid() && sources) {
    at = sources->lineColumn(range);
    DIFile *where = file(range.file);
    if (where != scope->getFile())
      scope = builder.createLexicalBlockFile(scope, where);
  }
  return DILocation::get(module.getContext(), at.line, at.column, scope);
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

DIExpression *DebugInfo::place(bool isPointer) {
  if (!isPointer)
    return builder.createExpression();
  return builder.createExpression({uint64_t(dwarf::DW_OP_deref)});
}

LineColumn DebugInfo::lineOf(SourceRange range) {
  return range.isValid() && sources ? sources->lineColumn(range) : LineColumn();
}

DIGlobalVariable *DebugInfo::addGlobal(GlobalVariable *global, StringRef name,
                                       DIType *type, SourceRange range,
                                       bool isPointer) {
  auto *info = builder.createGlobalVariableExpression(
      unit, name, /*LinkageName=*/"", file(range.isValid() ? range.file : 0),
      lineOf(range).line, type, /*IsLocalToUnit=*/true, /*isDefined=*/true,
      place(isPointer));
  global->addDebugInfo(info);
  return info->getVariable();
}

void DebugInfo::declareGlobal(GlobalVariable *global,
                              const air::Variable &variable) {
  globals[&variable] = global;
  StringRef name = visibleName(variable);
  if (name.empty() && !mayBeBound(variable))
    return;
  DIGlobalVariable *info = addGlobal(global, name, debugTypes.of(variable.type),
                                     variable.range, variable.onHeap);
  debugTypes.setBound(&variable, info);
}

void DebugInfo::declareGlobal(GlobalVariable *global,
                              const air::Region &region) {
  if (StringRef name = visibleName(region); !name.empty())
    addGlobal(global, name, debugTypes.of(region), region.range);
}

void DebugInfo::declareGlobal(GlobalVariable *global, const air::Array &array) {
  if (StringRef name = visibleName(array); !name.empty())
    addGlobal(global, name, debugTypes.of(array), array.range);
}

/// Where component number \p dim of \p direction is: what its variable holds,
/// or a constant.
static DIExpression *componentPlace(DIBuilder &builder,
                                    const air::Direction &direction,
                                    unsigned dim) {
  const air::Bound &component = direction.components[dim];
  SmallVector<uint64_t, 8> words;
  if (!component.variable)
    words = {dwarf::DW_OP_consts, uint64_t(component.value),
             dwarf::DW_OP_stack_value};
  if (direction.components.size() > 1)
    words.append({dwarf::DW_OP_LLVM_fragment, 64 * uint64_t(dim), 64});
  return builder.createExpression(words);
}

/// The components need not lie side by side in memory, or in memory at all:
/// each is a fragment of its own.
void DebugInfo::declareDirections(ArrayRef<air::Direction> directions,
                                  DISubprogram *scope) {
  auto isKnown = [&](const air::Bound &component) {
    return !component.variable || globals.contains(component.variable);
  };
  for (const air::Direction &direction : directions) {
    if (!all_of(direction.components, isKnown))
      continue;
    DIScope *where = scope;
    DIGlobalVariableExpression *info = builder.createGlobalVariableExpression(
        where ? where : unit, direction.name, /*LinkageName=*/"",
        file(direction.range.file), lineOf(direction.range).line,
        debugTypes.ofDirection(direction.components.size()),
        /*IsLocalToUnit=*/true, /*isDefined=*/true,
        componentPlace(builder, direction, 0));
    for (auto [d, component] : enumerate(direction.components)) {
      if (d > 0)
        info = DIGlobalVariableExpression::get(
            module.getContext(), info->getVariable(),
            componentPlace(builder, direction, d));
      if (component.variable)
        globals.lookup(component.variable)->addDebugInfo(info);
      else if (d > 0)
        fragments.push_back(info);
    }
  }
}

DILocalVariable *DebugInfo::makeLocal(DISubprogram *scope, StringRef name,
                                      DIType *type, SourceRange range,
                                      unsigned number) {
  unsigned line = lineOf(range).line;
  if (number)
    return builder.createParameterVariable(scope, name, number,
                                           scope->getFile(), line, type,
                                           /*AlwaysPreserve=*/true);
  return builder.createAutoVariable(scope, name, scope->getFile(), line, type,
                                    /*AlwaysPreserve=*/true);
}

DILocalVariable *DebugInfo::makeBound(DISubprogram *scope,
                                      const air::Variable &variable,
                                      unsigned number) {
  DILocalVariable *info = makeLocal(scope, "", debugTypes.of(variable.type),
                                    variable.range, number);
  debugTypes.setBound(&variable, info);
  return localBounds[&variable] = info;
}

void DebugInfo::addLocal(Value *address, StringRef name, DIType *type,
                         SourceRange range, unsigned argument,
                         BasicBlock *block, bool isPointer) {
  Function *function = block->getParent();
  if (argument) // after those that addSubprogram has made
    argument += function->arg_size();
  DILocalVariable *info =
      makeLocal(function->getSubprogram(), name, type, range, argument);
  insertDeclare(address, info, block, isPointer);
}

void DebugInfo::insertDeclare(Value *address, DILocalVariable *info,
                              BasicBlock *block, bool isPointer) {
  auto *line = DILocation::get(module.getContext(), info->getLine(), 0,
                               info->getScope());
  if (isa<Argument>(address) && !unit->isOptimized()) {
    BasicBlock &entry = block->getParent()->getEntryBlock();
    IRBuilder<> store(&entry, entry.begin());
    Value *cell = store.CreateAlloca(address->getType(), nullptr,
                                     address->getName() + ".address");
    store.CreateStore(address, cell);
    address = cell;
    isPointer = true;
  }
  builder.insertDeclare(address, info, place(isPointer), line, block);
}

void DebugInfo::declareLocal(Value *address, const air::Variable &variable,
                             unsigned argument, BasicBlock *block) {
  if (StringRef name = localName(variable); !name.empty())
    return addLocal(address, name, debugTypes.of(variable.type), variable.range,
                    argument, block, variable.onHeap);
  if (!mayBeBound(variable))
    return;
  DILocalVariable *info = localBounds.lookup(&variable);
  if (!info)
    info = makeBound(block->getParent()->getSubprogram(), variable, 0);
  insertDeclare(address, info, block, /*isPointer=*/false);
}

void DebugInfo::declareLocal(Value *address, const air::Region &region,
                             unsigned argument, BasicBlock *block) {
  if (StringRef name = localName(region); !name.empty())
    addLocal(address, name, debugTypes.of(region), region.range, argument,
             block);
}

void DebugInfo::declareLocal(Value *address, const air::Array &array,
                             unsigned argument, BasicBlock *block) {
  if (StringRef name = localName(array); !name.empty())
    addLocal(address, name, debugTypes.of(array), array.range, argument, block);
}

} // namespace zpl::codegen
