//===- Reader.cpp - One run of Clang over the headers ---------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Clang compiles a text in memory:
///
///     #include "/home/me/geometry.h"     one line for each `extern header`
///     #include <fftw3.h>
///     struct zplx_end;
///     #pragma zplx
///
/// What else is to be compiled depends on what the headers have: a probe for a
/// name is written only if it is a macro. Instead of reading the headers twice,
/// the pragma's handler is called when Clang has come so far, looks at macros
/// and declarations, and makes a second text, which Clang goes on with as if
/// the pragma were an #include. (The declaration before it is there because the
/// parser is one token ahead.)
///
/// The driver of Clang's libraries finds the system's header folders. A header
/// of the program is looked for beside the .z file, then in the folders of -I,
/// then in the system's.
///
//===----------------------------------------------------------------------===//

#include "Reader.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/Utils.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/Pragma.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/Sema.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace clang;

namespace zpl::interop {

void GeneratedText::add(size_t external, const Twine &line) {
  all += (line + "\n").str();
  owners.push_back(static_cast<int>(external));
}

zpl::SourceRange Places::range(SourceLocation location,
                               const clang::SourceManager &manager,
                               const LangOptions &language) {
  if (location.isInvalid())
    return {};
  SourceLocation place = manager.getFileLoc(location);
  auto [file, offset] = manager.getDecomposedLoc(place);
  OptionalFileEntryRef entry = manager.getFileEntryRefForID(file);
  if (!entry)
    return {};
  auto [known, isNew] = this->known.try_emplace(entry->getName(), files.size());
  if (isNew)
    files.push_back(entry->getName().str());
  unsigned length = Lexer::MeasureTokenLength(place, manager, language);
  return {known->second, offset, offset + length};
}

namespace {

/// What the parts of one run share.
struct State {
  const Externs &externs;
  Places &places;
  const Reading &reading;
  std::vector<ClangMessage> messages;
  GeneratedText generated;
  FileID generatedFile;
};

/// Collects errors.
class Messages : public DiagnosticConsumer {
public:
  explicit Messages(State &state) : state(state) {}
  void BeginSourceFile(const LangOptions &options,
                       const Preprocessor *) override {
    language = &options;
  }
  void HandleDiagnostic(DiagnosticsEngine::Level level,
                        const Diagnostic &info) override;

private:
  void locate(ClangMessage &message, const Diagnostic &info);

  State &state;
  const LangOptions *language = nullptr;
};

/// The rest of the text, when the headers are read.
class EndOfHeaders : public PragmaHandler {
public:
  EndOfHeaders(State &state, CompilerInstance &compiler)
      : PragmaHandler("zplx"), state(state), compiler(compiler) {}
  void HandlePragma(Preprocessor &preprocessor, PragmaIntroducer introducer,
                    Token &first) override;

private:
  State &state;
  CompilerInstance &compiler;
};

class Action : public ASTFrontendAction {
public:
  explicit Action(State &state) : state(state) {}

protected:
  bool BeginSourceFileAction(CompilerInstance &compiler) override {
    // The preprocessor owns its handlers.
    compiler.getPreprocessor().AddPragmaHandler(
        new EndOfHeaders(state, compiler));
    return true;
  }
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &compiler,
                                                 StringRef) override {
    return state.reading.consumer(compiler);
  }
  void EndSourceFileAction() override {
    if (state.reading.finish)
      state.reading.finish();
  }

private:
  State &state;
};

} // namespace

//===----------------------------------------------------------------------===//
// While Clang reads
//===----------------------------------------------------------------------===//

void Messages::locate(ClangMessage &message, const Diagnostic &info) {
  if (!info.hasSourceManager() || info.getLocation().isInvalid())
    return;
  const clang::SourceManager &manager = info.getSourceManager();
  SourceLocation place = manager.getExpansionLoc(info.getLocation());
  FileID file = manager.getFileID(place);
  if (file == state.generatedFile) {
    message.external =
        state.generated.ownerOf(manager.getSpellingLineNumber(place));
    return;
  }
  message.range = state.places.range(info.getLocation(), manager, *language);
  // Out of the includes to the line of the main text.
  while (file.isValid() && file != manager.getMainFileID()) {
    place = manager.getIncludeLoc(file);
    file = manager.getFileID(place);
  }
  // What a header leaves open shows behind the last one.
  size_t line = file.isValid() ? manager.getSpellingLineNumber(place) : 0;
  message.header =
      static_cast<int>(std::min(line, state.externs.headers.size())) - 1;
}

void Messages::HandleDiagnostic(DiagnosticsEngine::Level level,
                                const Diagnostic &info) {
  DiagnosticConsumer::HandleDiagnostic(level, info);
  if (level < DiagnosticsEngine::Error)
    return;
  ClangMessage message;
  SmallString<128> text;
  info.FormatDiagnostic(text);
  message.text = text.str().str();
  locate(message, info);
  state.messages.push_back(std::move(message));
}

void EndOfHeaders::HandlePragma(Preprocessor &preprocessor, PragmaIntroducer,
                                Token &first) {
  SourceLocation place = first.getLocation();
  preprocessor.DiscardUntilEndOfDirective();
  // Nothing makes sense after an error or within an open declaration, which
  // will be one.
  if (compiler.getDiagnostics().hasErrorOccurred() ||
      !compiler.getSema().CurContext->isTranslationUnit())
    return;
  state.reading.generate(compiler, state.generated);
  clang::SourceManager &manager = preprocessor.getSourceManager();
  state.generatedFile = manager.createFileID(
      MemoryBuffer::getMemBufferCopy(state.generated.text(), "<externs>"),
      SrcMgr::C_User, 0, 0, place);
  preprocessor.EnterSourceFile(state.generatedFile, nullptr, place);
}

//===----------------------------------------------------------------------===//
// Setting Clang up
//===----------------------------------------------------------------------===//

static std::string mainText(const Externs &externs) {
  std::string text;
  for (const Header &header : externs.headers) {
    SmallString<128> beside(header.directory);
    sys::path::append(beside, header.name);
    bool isBeside = !sys::fs::make_absolute(beside) && sys::fs::exists(beside);
    text += "#include ";
    text += isBeside ? ("\"" + beside + "\"").str() : "<" + header.name + ">";
    text += "\n";
  }
  return text + "struct zplx_end;\n#pragma zplx\n";
}

/// The command line of a C compilation like that of the program. Floating point
/// is not contracted and accesses have no types, as in ZPL's own code.
static std::vector<std::string> commandLine(const ClangOptions &options) {
  std::vector<std::string> words = {ZPL_CLANG,
                                    "-x",
                                    "c",
                                    "-std=gnu17",
                                    "-w",
                                    "-fPIC",
                                    "-ferror-limit=0",
                                    "-fno-strict-aliasing",
                                    "-ffp-contract=off",
                                    "-fno-stack-protector",
                                    "--target=" + options.triple,
                                    "-O" + std::to_string(options.optLevel)};
  for (const std::string &folder : options.includeDirs)
    words.push_back("-I" + folder);
  for (const std::string &define : options.defines)
    words.push_back("-D" + define);
  words.insert(words.end(), {"-c", "-"});
  return words;
}

static std::shared_ptr<CompilerInvocation>
makeInvocation(const ClangOptions &options,
               IntrusiveRefCntPtr<DiagnosticsEngine> diags) {
  std::vector<std::string> words = commandLine(options);
  std::vector<const char *> argv;
  for (const std::string &word : words)
    argv.push_back(word.c_str());
  CreateInvocationOptions how;
  how.Diags = std::move(diags);
  std::shared_ptr<CompilerInvocation> invocation = createInvocation(argv, how);
  if (!invocation)
    return nullptr;
  // The very processor that the program is compiled for.
  clang::TargetOptions &target = invocation->getTargetOpts();
  if (!options.cpu.empty())
    target.CPU = options.cpu;
  SmallVector<StringRef, 32> features;
  StringRef(options.features).split(features, ',', -1, /*KeepEmpty=*/false);
  for (StringRef feature : features)
    target.FeaturesAsWritten.push_back(feature.str());
  return invocation;
}

std::vector<ClangMessage> readHeaders(const Externs &externs,
                                      const ClangOptions &options,
                                      Places &places, const Reading &reading) {
  State state{externs, places, reading, {}, {}, {}};
  Messages messages(state);
  CompilerInstance compiler;
  compiler.createDiagnostics(&messages, /*ShouldOwnClient=*/false);
  std::shared_ptr<CompilerInvocation> invocation =
      makeInvocation(options, &compiler.getDiagnostics());
  if (!invocation)
    return std::move(state.messages);
  std::string text = mainText(externs);
  std::unique_ptr<MemoryBuffer> buffer =
      MemoryBuffer::getMemBuffer(text, "<headers>");
  invocation->getFrontendOpts().Inputs = {
      FrontendInputFile(buffer->getMemBufferRef(), Language::C)};
  invocation->getFrontendOpts().DisableFree = false;
  compiler.setInvocation(std::move(invocation));
  // The options of the invocation (-w) are for these diagnostics too. Without
  // carets Clang does not count errors on standard error.
  compiler.getDiagnosticOpts().ShowCarets = false;
  compiler.createDiagnostics(&messages, /*ShouldOwnClient=*/false);
  Action action(state);
  compiler.ExecuteAction(action);
  return std::move(state.messages);
}

} // namespace zpl::interop
