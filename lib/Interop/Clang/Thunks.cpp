//===- Thunks.cpp - C functions with pointers alone -----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// For `extern prototype norm(p: point; inout n: integer): double`, the
/// variable `extern var gravity: double` and the constant `extern const LIMIT:
/// longint` this text follows the headers, one line each:
///
///     __attribute__((always_inline)) void zplx_norm(void *r, void *a0,
///         void *a1) { *(double *)r = norm(*(point *)a0, a1); }
///     __attribute__((always_inline)) void *zplx_gravity(void) {
///         return (void *)&gravity; }
///     __attribute__((always_inline)) void zplx_LIMIT(void *r) {
///         *(long long *)r = LIMIT; }
///
/// A procedure of the program that `extern prototype apply(procedure f(x:
/// double): double)` is given has a thunk in the other direction, which CodeGen
/// makes, and a C function in front of it:
///
///     void zplx_apply_f(void *r, void *a0);
///     static double zplx_apply_f_c(double p0) {
///         double a0 = p0; double r; zplx_apply_f(&r, &a0); return r; }
///
/// Values are read as what ZPL stores and converted by C. Macros get pointers
/// with their types.
///
/// The LLVM module that Clang makes of it is changed in three points. The
/// thunks are for exactly the program's processor, so that they inline. Their
/// calls are `nobuiltin`: pow(x, 2) stays the library's, whether optimized or
/// not. What a header defines (not static) may stand in C objects of the
/// program too, so it becomes linkonce or weak.
///
//===----------------------------------------------------------------------===//

#include "Declare.h"
#include "Phase.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace zpl::interop {

namespace {

/// Writes the text of all thunks.
class ThunkWriter {
public:
  ThunkWriter(const Externs &externs, const Imports &imports, CWriter &writer,
              GeneratedText &text)
      : externs(externs), imports(imports), writer(writer), text(text) {}

  void writeAll();

private:
  void writeOne(const Extern &external, const Import &import);
  void writeProcedure(const Extern &external, const Import &import);
  void writeCallback(const ZplParam &param, const CType *type);
  std::string argument(const ZplParam &param, const CType *type, size_t index);
  std::string valueName(const ZplType &type, const CType *c);

  const Externs &externs;
  const Imports &imports;
  CWriter &writer;
  GeneratedText &text;
};

} // namespace

//===----------------------------------------------------------------------===//
// The text
//===----------------------------------------------------------------------===//

/// Whether it is not known here which procedure C gets.
static bool isUnknown(const ZplParam &param) {
  return param.type->kind == ZplKind::Procedure && param.callback.empty();
}

void ThunkWriter::writeAll() {
  for (size_t i = 0; i < externs.list.size(); ++i) {
    if (externs.list[i].kind == ExternKind::Type ||
        any_of(externs.list[i].params, isUnknown))
      continue; // the instances have thunks
    writer.begin();
    writeOne(externs.list[i], imports.list[i]);
    text.add(i, writer.text());
  }
}

/// The C type in which ZPL's value lies: for aggregates that of C itself.
std::string ThunkWriter::valueName(const ZplType &type, const CType *c) {
  bool isAggregate =
      type.kind == ZplKind::Record || type.kind == ZplKind::Union;
  return isAggregate && c ? c->canonical : writer.name(type);
}

static constexpr const char *signature =
    "__attribute__((always_inline)) {0}{1}(";

void ThunkWriter::writeOne(const Extern &external, const Import &import) {
  if (external.kind == ExternKind::Procedure)
    return writeProcedure(external, import);
  if (external.kind == ExternKind::Variable) {
    writer.write(formatv(signature, "void *", external.thunk).str() +
                 "void) { return (void *)&" + external.name + "; }");
    return;
  }
  if (external.type->kind == ZplKind::Array) {
    writer.write(formatv(signature, "void ", external.thunk).str() +
                 "void *r) { __builtin_memcpy(r, &" + external.name +
                 ", sizeof " + external.name + "); }");
    return;
  }
  std::string type = valueName(*external.type, import.type);
  writer.write(formatv(signature, "void ", external.thunk).str() +
               "void *r) { *(" + type + " *)r = " + external.name + "; }");
}

/// The C function that C gets a pointer to.
static std::string adapterOf(const ZplParam &param) {
  return param.callback + "_c";
}

/// The function of C's types, which calls the program's through pointers. \p
/// type is C's, null if it says nothing.
void ThunkWriter::writeCallback(const ZplParam &param, const CType *type) {
  const ZplType &procedure = *param.type;
  const CType *function = type ? type->element : nullptr;
  bool hasResult = procedure.element->kind != ZplKind::Void;
  std::string given = hasResult ? "&r" : "", taken = hasResult ? "void *" : "";
  std::string params, values;
  for (size_t i = 0; i < procedure.params.size(); ++i) {
    std::string zpl = writer.name(*procedure.params[i]);
    std::string c = function ? function->params[i]->canonical : zpl;
    params += formatv("{0}{1} p{2}", i ? ", " : "", c, i);
    values += formatv("{0} a{1} = p{1}; ", zpl, i);
    given += formatv("{0}&a{1}", given.empty() ? "" : ", ", i);
    taken += taken.empty() ? "void *" : ", void *";
  }
  std::string result = writer.name(*procedure.element);
  std::string cResult = function ? function->element->canonical : result;
  writer.write("void " + param.callback + "(" +
               (taken.empty() ? "void" : taken) + "); static " + cResult + " " +
               adapterOf(param) + "(" + (params.empty() ? "void" : params) +
               ") { " + values + (hasResult ? result + " r; " : "") +
               param.callback + "(" + given + ");" +
               (hasResult ? " return r; } " : " } "));
}

/// An argument of the call, from the thunk's parameter. \p type is C's, null if
/// it says nothing.
std::string ThunkWriter::argument(const ZplParam &param, const CType *type,
                                  size_t index) {
  if (!param.callback.empty())
    return adapterOf(param);
  if (isPassedByReference(*param.type, param.mode)) {
    if (type || param.type->kind == ZplKind::Block)
      return formatv("a{0}", index);
    bool isArray = param.type->kind == ZplKind::Array;
    return formatv("(({0} *)a{1})",
                   writer.name(isArray ? *param.type->element : *param.type),
                   index);
  }
  return formatv("*({0} *)a{1}", valueName(*param.type, type), index);
}

void ThunkWriter::writeProcedure(const Extern &external, const Import &import) {
  const CType *function =
      import.kind == ImportKind::Function ? import.type : nullptr;
  bool hasTypes = function && function->hasPrototype;
  bool hasResult = external.type->kind != ZplKind::Void;
  std::string params = hasResult ? "void *r" : "";
  std::string arguments;
  for (size_t i = 0; i < external.params.size(); ++i) {
    const CType *type = hasTypes ? function->params[i] : nullptr;
    if (!external.params[i].callback.empty())
      writeCallback(external.params[i], type);
    arguments += (i ? ", " : "") + argument(external.params[i], type, i);
    if (external.params[i].callback.empty())
      params += formatv("{0}void *a{1}", params.empty() ? "" : ", ", i);
  }
  std::string call = external.name + "(" + arguments + ")";
  if (hasResult) {
    std::string type =
        valueName(*external.type, function ? function->element : nullptr);
    call = "*(" + type + " *)r = " + call;
  }
  // A struct that the arguments needed stands before the function.
  writer.write(formatv(signature, "void ", external.thunk).str() +
               (params.empty() ? "void" : params) + ") { " + call + "; }");
}

//===----------------------------------------------------------------------===//
// The module
//===----------------------------------------------------------------------===//

static void markThunk(Function &thunk, const ClangOptions &options) {
  thunk.removeFnAttr("tune-cpu");
  thunk.removeFnAttr("target-cpu");
  thunk.removeFnAttr("target-features");
  if (!options.cpu.empty())
    thunk.addFnAttr("target-cpu", options.cpu);
  if (!options.features.empty())
    thunk.addFnAttr("target-features", options.features);
  for (Instruction &instruction : instructions(thunk)) {
    auto *call = dyn_cast<CallBase>(&instruction);
    const Function *callee = call ? call->getCalledFunction() : nullptr;
    if (callee && callee->isDeclaration() && !callee->isIntrinsic())
      call->addFnAttr(Attribute::NoBuiltin);
  }
}

static void adapt(llvm::Module &module, const Externs &externs,
                  const ClangOptions &options) {
  StringSet<> thunks;
  for (const Extern &external : externs.list) {
    thunks.insert(external.thunk);
    for (const ZplParam &param : external.params)
      if (!param.callback.empty())
        thunks.insert(adapterOf(param));
  }
  for (Function &function : module) {
    if (thunks.contains(function.getName()))
      markThunk(function, options);
    else if (!function.isDeclaration() && function.hasExternalLinkage())
      function.setLinkage(GlobalValue::LinkOnceODRLinkage);
  }
  for (GlobalVariable &variable : module.globals())
    if (!variable.isDeclaration() && variable.hasExternalLinkage())
      variable.setLinkage(GlobalValue::WeakAnyLinkage);
  // The program's own flags hold.
  for (const char *name : {"llvm.module.flags", "llvm.ident"})
    if (NamedMDNode *node = module.getNamedMetadata(name))
      module.eraseNamedMetadata(node);
}

static std::string writeBitcode(const llvm::Module &module) {
  std::string bitcode;
  raw_string_ostream stream(bitcode);
  WriteBitcodeToFile(module, stream);
  return bitcode;
}

Thunks compileThunks(const Externs &externs, const Imports &imports,
                     const ClangOptions &options) {
  Thunks thunks;
  Places places(thunks.files);
  LLVMContext context;
  clang::CodeGenerator *generator = nullptr;
  Reading reading;
  reading.generate = [&](clang::CompilerInstance &compiler,
                         GeneratedText &text) {
    CWriter writer(externs, compiler);
    declareUnknown(externs, compiler, writer, text);
    ThunkWriter(externs, imports, writer, text).writeAll();
  };
  reading.consumer = [&](clang::CompilerInstance &compiler) {
    generator = clang::CreateLLVMCodeGen(
        compiler.getDiagnostics(), "externs", &compiler.getVirtualFileSystem(),
        compiler.getHeaderSearchOpts(), compiler.getPreprocessorOpts(),
        compiler.getCodeGenOpts(), context);
    return std::unique_ptr<clang::ASTConsumer>(generator);
  };
  reading.finish = [&] {
    std::unique_ptr<llvm::Module> module(generator->ReleaseModule());
    if (!module)
      return; // After an error.
    adapt(*module, externs, options);
    thunks.bitcode = writeBitcode(*module);
  };
  thunks.messages = readHeaders(externs, options, places, reading);
  return thunks;
}

} // namespace zpl::interop
