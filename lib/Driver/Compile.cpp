//===- Compile.cpp - Every phase, in order --------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The compiler on one page. A ZPL program flows through
///
///     Lex        text                  -> tokens
///     Parse      tokens                -> ast::Module
///     Sema       ast::Module           -> sema::Program
///     ArrayGen   sema::Program         -> air::Module, Block form
///     Transforms air::Module           -> air::Module, Loop form
///     CodeGen    air::Module           -> llvm::Module
///     Backend    llvm::Module          -> object, assembly, bitcode, text
///
/// -emit-cost-model takes the module after Transforms to a model of its costs.
///
/// With --interpret the program is run after Sema, and nothing is made of it.
/// The text form of the array IR (an .air file, of either form) comes in at
/// Transforms. Only the first three phases find errors of the user; after the
/// checkpoint after Sema a program compiles.
///
//===----------------------------------------------------------------------===//

#include "Compile.h"
#include "MachineChoice.h"
#include "Messages.h"
#include "Pages/ReportFacts.h"
#include "RemarkReport.h"
#include "Report/Page.h"
#include "zpl/AST/Printer.h"
#include "zpl/ArrayGen/ArrayGen.h"
#include "zpl/ArrayIR/Parser.h"
#include "zpl/ArrayIR/Printer.h"
#include "zpl/ArrayIR/Verifier.h"
#include "zpl/Backend/Backend.h"
#include "zpl/Backend/Parts.h"
#include "zpl/CodeGen/CodeGen.h"
#include "zpl/CostModel/CostModel.h"
#include "zpl/Interop/Interop.h"
#include "zpl/Interpret/Interpret.h"
#include "zpl/Lex/Lex.h"
#include "zpl/Parse/Parse.h"
#include "zpl/Sema/Sema.h"
#include "zpl/Support/Diagnostic.h"
#include "zpl/Support/Verify.h"
#include "zpl/Transforms/Pipeline.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Host.h"

using namespace llvm;

namespace zpl::driver {

namespace {

/// One run of the compiler. Every function gives false after an error.
class Compilation {
public:
  Compilation(const Options &options, const Installation &installation,
              PhaseTimers &timers)
      : options(options), installation(installation), timers(timers),
        diags(sources) {}

  bool run(Products &products);
  LibraryTexts library;                     ///< of --library
  int exitStatus() const { return status; } ///< of the interpreted program
  /// What options.report is to hold; empty: nothing is to be written.
  std::string page(bool isDone) const;
  /// The files that were read, as options.dependencies wants them.
  void addDependencies(Dependencies &dependencies) const;

private:
  bool runPhases(Products &products);
  bool openTarget();
  bool openSource();
  TokenBuffer lexSource();
  ast::Module parseTokens(const TokenBuffer &tokens, ast::Context &context,
                          StringRef &name);
  void generateArrayIR(const sema::Program &program);
  bool analyze();
  /// What a product and the sum it is an operand of become, in every phase.
  bool fusesMultiplyAdd() const {
    return options.contracts && backend->facts().hasFma;
  }
  bool usesVectorMath() const;
  void setWarnings();
  void interpret(const sema::Program &program);
  std::optional<sema::Program> checkProgram(const ast::Module &syntax);
  interop::Interop &openInterop();
  const interop::Imports *importC(interop::Externs wanted);
  void compileThunks();
  bool readArrayIR();
  bool keepsSources();
  bool isSource(StringRef path) const;
  bool failAt(SourceRange where, StringRef error);
  bool readProfile();
  void keep(const Remark &remark);
  void showRemarks() const;
  void beginReport();
  void finishReport();
  bool transform();
  bool runPasses(air::PassContext &context);
  std::unique_ptr<llvm::Module> generate(LLVMContext &context);
  bool emit(llvm::Module &llvmModule, Products &products);
  unsigned partsOf(const llvm::Module &llvmModule) const;

  bool isLast(Phase phase) const { return options.lastPhase == phase; }
  /// Runs a phase under its name in --time-phases.
  template <typename Function> auto timed(StringRef phase, Function function) {
    PhaseTimers::Scope scope(timers, phase);
    return function();
  }

  const Options &options;
  const Installation &installation;
  ChosenMachine machine; ///< whose figures choices are made by
  PhaseTimers &timers;
  SourceManager sources;
  DiagnosticEngine diags;
  uint32_t file = 0;
  uint32_t ownSources = 0; ///< of ZPL; those behind them are C's
  std::unique_ptr<Backend> backend;
  std::optional<air::Module> module; ///< none before ArrayGen
  int status = 0;                    ///< of the interpreted program

  std::vector<Remark> remarks;  ///< that were asked for
  std::vector<Remark> reported; ///< all, for a report
  Facts facts;                  ///< of that
  std::optional<air::LoopDepths> depths;
  std::optional<RunProfile> profile;

  // For programs with externs.
  std::optional<interop::Interop> interop;
  interop::Externs externs;
  std::optional<interop::Imports> imports;
  std::string thunks; ///< bitcode; empty: none
};

} // namespace

void Compilation::addDependencies(Dependencies &dependencies) const {
  bool hasSystem = options.dependencies.hasSystem;
  for (uint32_t i = 0; i < ownSources; ++i)
    if (hasSystem || !sources.name(i).starts_with(installation.library + "/"))
      dependencies.add(sources.name(i));
  if (!imports)
    return;
  for (const interop::HeaderFile &header : imports->headers)
    if (hasSystem || !header.isSystem)
      dependencies.add(header.path);
}

/// The phases after the checkpoint of Sema, and what comes before as one.
bool Compilation::run(Products &products) {
  if (!openTarget() || !openSource() || !readProfile())
    return false;
  beginReport();
  bool done = runPhases(products);
  finishReport();
  showRemarks();
  return done;
}

bool Compilation::runPhases(Products &products) {
  if (options.isArrayIR ? !readArrayIR() : !analyze())
    return false;
  if (!module || isLast(Phase::ArrayGen))
    return true;

  if (!keepsSources() || !transform())
    return false;
  if (options.makesReport()) {
    addRemaining(facts, *module, sources);
    explainTemporaries(*module, reported);
  }
  if (isLast(Phase::Transforms))
    return true;

  if (options.costModel) {
    raw_svector_ostream os(products.emplace_back());
    timed("cost-model", [&] { printCostModel(*module, sources, os); });
    return true;
  }

  LLVMContext context;
  std::unique_ptr<llvm::Module> llvmModule = generate(context);
  if (isLast(Phase::CodeGen))
    return true;

  return emit(*llvmModule, products);
}

/// The tokens of the source and of what it includes.
TokenBuffer Compilation::lexSource() {
  TokenBuffer tokens = timed("lex", [&] {
    return lex(file, sources, diags, options.includeDirs, installation.library);
  });
  ownSources = sources.size();
  if (options.dumpTokens)
    dumpTokens(tokens, sources, outs());
  return tokens;
}

/// The syntax tree, with the frame of a library if it is one; the program's own
/// \p name is given.
ast::Module Compilation::parseTokens(const TokenBuffer &tokens,
                                     ast::Context &context, StringRef &name) {
  ast::Module syntax =
      timed("parse", [&] { return parse(tokens, context, diags); });
  if (options.dumpAST)
    ast::print(syntax, sources, outs());
  name = syntax.name.text;
  if (options.isLibrary && !diags.hasErrors())
    addFrame(syntax, context, sources, diags);
  return syntax;
}

/// The array IR of a program without errors, in `module`.
void Compilation::generateArrayIR(const sema::Program &program) {
  for (const Remark &remark : program.remarks)
    keep(remark);
  ArrayGenOptions arrayGenOptions;
  arrayGenOptions.reproducible = options.reproducible;
  arrayGenOptions.checksOverflow = options.checks.overflow;
  arrayGenOptions.unrollsLoops = options.unrollsLoops && options.level > 0;
  std::vector<Remark> remarks;
  module = timed("arraygen", [&] {
    return buildArrayIR(program, arrayGenOptions, &remarks);
  });
  for (const Remark &remark : remarks)
    keep(remark);
  if (options.dumpAIR)
    air::print(*module, outs());
}

/// From text to array IR; leaves `module` empty if an earlier phase was asked
/// to be the last. Each phase reports what it finds; the next one runs only on
/// what has no errors.
bool Compilation::analyze() {
  auto end = make_scope_exit([&] {
    if (!options.verify)
      showMessages(diags, options, errs());
  });
  auto verdict = [&] {
    return options.verify ? verifyDiagnostics(diags, errs())
                          : !diags.hasErrors();
  };

  setWarnings();
  TokenBuffer tokens = lexSource();
  if (isLast(Phase::Lex))
    return verdict();

  ast::Context context;
  StringRef name;
  ast::Module syntax = parseTokens(tokens, context, name);
  if (isLast(Phase::Parse) || diags.hasErrors())
    return verdict();

  std::optional<sema::Program> program = checkProgram(syntax);
  if (program && options.dumpProgram)
    sema::print(*program, outs());
  if (program && options.isLibrary && !diags.hasErrors())
    library = makeLibraryTexts(syntax, *program, name, options.output, diags);
  if (options.interpret && !diags.hasErrors()) {
    end.release();
    showMessages(diags, options, errs());
    interpret(*program);
    return true;
  }
  if (options.makesReport() && program && !diags.hasErrors())
    addProgram(facts, *program, sources);
  if (isLast(Phase::Sema) || diags.hasErrors() || options.verify)
    return verdict();

  // Beyond this point nothing can be wrong with the program.
  generateArrayIR(*program);
  return true;
}

void Compilation::interpret(const sema::Program &program) {
  InterpretOptions interpretOptions;
  interpretOptions.arguments = options.programArguments;
  interpretOptions.reproducible = options.reproducible;
  interpretOptions.checksOverflow = options.checks.overflow;
  interpretOptions.fusesMultiplyAdd = fusesMultiplyAdd();
  interpretOptions.usesVectorMath = usesVectorMath();
  const char *plugins = std::getenv("ZRT_PLUGIN_DIR");
  interpretOptions.pluginDir =
      plugins && *plugins ? plugins : installation.pluginDir;
  outs().flush();
  status = timed("interpret", [&] {
    return zpl::interpret(program, sources, interpretOptions);
  });
}

/// Whether functions of VectorMath.h are SLEEF's, in every phase. The
/// interpreter calls them itself.
bool Compilation::usesVectorMath() const {
  if (!options.vectorMath || !installation.hasSleef() ||
      backend->facts().vectorMathBits == 0)
    return false;
  if (!options.interpret)
    return true;
  StringMap<bool> host = sys::getHostCPUFeatures();
  return host.lookup("avx2") && host.lookup("fma");
}

void Compilation::setWarnings() {
  diags.setErrorLimit(options.errorLimit);
  for (const std::string &warning : options.warnings)
    if (!diags.applyWarningOption(warning))
      reportWarning("unknown warning option '-W" + warning + "'");
}

/// Sema, and what only Clang can say of externs.
std::optional<sema::Program>
Compilation::checkProgram(const ast::Module &syntax) {
  sema::Options semaOptions;
  semaOptions.strictFp = options.strictFp;
  semaOptions.trapNaN = options.trapNaN;
  for (const std::string &text : options.configDefaults) {
    auto [name, value] = StringRef(text).split('=');
    semaOptions.defaults.emplace_back(name, value);
  }
  semaOptions.import = [&](interop::Externs wanted) {
    return importC(std::move(wanted));
  };
  semaOptions.lookUp = [&](const interop::Externs &wanted) {
    PhaseTimers::Scope scope(timers, "interop");
    return openInterop().lookUp(wanted);
  };
  std::optional<sema::Program> program =
      timed("sema", [&] { return sema::check(syntax, diags, semaOptions); });
  if (imports && !diags.hasErrors())
    compileThunks();
  return program;
}

interop::Interop &Compilation::openInterop() {
  if (interop)
    return *interop;
  const TargetFacts &target = backend->facts();
  interop::ClangOptions clang;
  clang.triple = target.triple;
  clang.cpu = target.cpu;
  clang.features = target.features;
  clang.optLevel = options.level;
  clang.includeDirs = options.includeDirs;
  clang.includeDirs.push_back(installation.includeDir); // <zrt/Block.h>
  return interop.emplace(installation.interop, std::move(clang), sources);
}

const interop::Imports *Compilation::importC(interop::Externs wanted) {
  PhaseTimers::Scope scope(timers, "interop");
  externs = std::move(wanted);
  imports = openInterop().import(externs, diags);
  return imports ? &*imports : nullptr;
}

void Compilation::compileThunks() {
  PhaseTimers::Scope scope(timers, "interop");
  if (std::optional<std::string> bitcode =
          interop->thunks(externs, *imports, diags))
    thunks = std::move(*bitcode);
}

bool Compilation::readArrayIR() {
  std::string error;
  std::unique_ptr<air::Module> parsed =
      timed("parse", [&] { return air::parse(file, sources, error); });
  if (!parsed) {
    errs() << error << '\n';
    return false;
  }
  module = std::move(*parsed);
  SourceRange where;
  if (!air::verify(*module, &error, &where))
    return failAt(where, error);
  if (options.dumpAIR)
    air::print(*module, outs());
  return true;
}

/// False, with a message, if the output is one of the files that were read;
/// those of #include are known only now.
bool Compilation::keepsSources() {
  if (!isLast(Phase::Backend))
    return true;
  if (isSource(options.output)) {
    reportError("output '" + options.output + "' would replace an input");
    return false;
  }
  if (!options.report.empty() && isSource(options.report)) {
    reportError("report '" + options.report + "' would replace an input");
    return false;
  }
  return true;
}

/// Whether one of the files that were read is at \p path.
bool Compilation::isSource(StringRef path) const {
  for (uint32_t source = 0; source < sources.size(); ++source)
    if (sys::fs::equivalent(sources.name(source), path))
      return true;
  return false;
}

std::string Compilation::page(bool isDone) const {
  bool tellsErrors = !isDone && diags.hasErrors() && !isSource(options.report);
  if (options.report.empty() || !(isDone || tellsErrors))
    return "";
  if (StringRef(options.report).ends_with(".json"))
    return factsAsJson(facts);
  return zrt::report::page(facts, nullptr);
}

/// Reports what is wrong with array IR text at its place; gives false.
bool Compilation::failAt(SourceRange where, StringRef error) {
  if (!where.isValid()) {
    reportError(error);
    return false;
  }
  LineColumn place = sources.lineColumn(where);
  errs() << formatv("{0}:{1}:{2}: error: {3}\n", sources.name(where.file),
                    place.line, place.column, error);
  return false;
}

/// Reads what a run has written, if the user says so.
bool Compilation::readProfile() {
  if (options.remarksProfile.empty())
    return true;
  std::string error;
  profile = RunProfile::read(options.remarksProfile, error);
  if (!profile)
    reportError(error);
  return profile.has_value();
}

/// Keeps a remark if it was asked for.
void Compilation::keep(const Remark &remark) {
  StringRef pass = StringRef(remark.pass).split(':').first;
  if (options.makesReport())
    reported.push_back(remark);
  if (options.remarks &&
      (options.remarksPass.empty() || pass == options.remarksPass))
    remarks.push_back(remark);
}

/// What is known of a report before the phases.
void Compilation::beginReport() {
  facts.program = options.source;
  facts.compiler = "zplc " ZPLC_VERSION;
  facts.options = join(options.commandLine, " ");
  facts.machine = backend->facts().cpu;
}

/// Adds what the phases have left; does nothing when called again.
void Compilation::finishReport() {
  if (!facts.sources.empty() || !options.makesReport())
    return;
  addSources(facts, sources, ownSources);
  addDiagnostics(facts, diags);
  addDecisions(facts, reported, depths ? &*depths : nullptr, sources);
}

void Compilation::showRemarks() const {
  RemarkReport report(sources, depths ? &*depths : nullptr,
                      profile ? &*profile : nullptr);
  if (options.summarizesRemarks)
    report.printSummary(remarks, errs());
  else
    report.print(remarks, errs());
}

/// False only for .air input: what ArrayGen makes passes.
bool Compilation::transform() {
  air::PassContext context;
  context.timers = &timers;
  context.sources = &sources;
  context.checksOverflow = options.checks.overflow;
  context.figures = machine.figures.figures;
  context.alternatives = machine.figures.measured;
  context.delayedFrom = options.delayedFrom;
  context.tunes = options.tuning != Tuning::None;
  context.takesTimeSteps = options.takesTimeSteps;
  context.afterPass = [&](StringRef pass, const air::Module &result) {
    if (is_contained(options.dumpAIRAfter, pass))
      air::print(result, outs());
  };
  if (options.collectsRemarks()) {
    context.onRemark = [&](const Remark &remark) { keep(remark); };
    depths.emplace(*module, sources);
  }
  if (runPasses(context))
    return true;
  return failAt(context.errorRange, context.error);
}

/// The pipeline; array IR text in Loop form takes only the passes that are
/// left.
bool Compilation::runPasses(air::PassContext &context) {
  auto isLoop = [](const air::Procedure *procedure) {
    return procedure->form == air::Form::Loop;
  };
  air::PipelineOptions pipeline;
  pipeline.optimize = options.level > 0;
  pipeline.without = options.withoutPasses;
  if (!any_of(module->procedures, isLoop))
    return air::runPipeline(*module, pipeline, context);
  return all_of(air::allPasses(), [&](const air::PassInfo &pass) {
    return pass.from != air::Form::Loop || !pipeline.runs(pass) ||
           air::runPass(pass, *module, context);
  });
}

std::unique_ptr<llvm::Module> Compilation::generate(LLVMContext &context) {
  PhaseTimers::Scope scope(timers, "codegen");
  const TargetFacts &target = backend->facts();
  CodeGenOptions codeGen;
  codeGen.sources = &sources;
  codeGen.triple = target.triple;
  codeGen.dataLayout = target.dataLayout;
  codeGen.cpu = target.cpu;
  codeGen.features = target.features;
  codeGen.fusesMultiplyAdd = fusesMultiplyAdd();
  codeGen.usesVectorMath = usesVectorMath();
  codeGen.cpuFeatures = target.cpuFeatures;
  codeGen.figures = machine.figures.figures;
  codeGen.runFigures = machine.figures.ofRun();
  codeGen.debugInfo = options.debugInfo;
  codeGen.placesOfLoops = options.collectsRemarks();
  codeGen.countWork = options.countWork;
  codeGen.lanes = options.lanes;
  codeGen.timeSteps = options.timeSteps;
  codeGen.stripRows = options.stripRows;
  codeGen.tuning = options.tuning;
  codeGen.checks = options.checks;
  codeGen.loopPlans = options.dumpLoopPlans ? &outs() : nullptr;
  codeGen.optLevel = options.level;
  codeGen.pluginDir = installation.pluginDir;
  codeGen.gdbScript = installation.gdbScript;
  std::unique_ptr<llvm::Module> result = lowerToLLVM(*module, context, codeGen);
  if (options.isLibrary) { // The glue calls it (Library/Glue.cpp).
    llvm::Function *main = result->getFunction("main");
    main->setName("zplL_main");
    main->setVisibility(llvm::GlobalValue::HiddenVisibility);
  }
  if (options.dumpLLVM)
    result->print(outs(), nullptr);
  return result;
}

/// Who asks for the whole, or for what LLVM does with it, gets one part.
unsigned Compilation::partsOf(const llvm::Module &llvmModule) const {
  bool isWhole = !options.link || options.kind != OutputKind::Object ||
                 options.debugInfo || options.collectsRemarks() ||
                 options.level < 2;
  return isWhole ? 1 : numberOfParts(llvmModule);
}

bool Compilation::emit(llvm::Module &llvmModule, Products &products) {
  std::string error;
  if (!thunks.empty() && !backend->linkBitcode(llvmModule, thunks, error)) {
    reportError(error);
    return false;
  }
  bool done;
  if (unsigned count = partsOf(llvmModule); count > 1) {
    Parts parts =
        timed("split", [&] { return Parts(llvmModule, *backend, count); });
    timed("optimize", [&] { parts.optimize(); });
    done = timed("emit", [&] { return parts.emit(products, error); });
  } else {
    auto onRemark = [&](const Remark &remark) { keep(remark); };
    timed("optimize", [&] {
      if (options.collectsRemarks())
        backend->optimize(llvmModule, onRemark);
      else
        backend->optimize(llvmModule);
    });
    finishReport();
    if (options.embedsReport)
      addReportSection(llvmModule, zrt::report::packFacts(facts));
    raw_svector_ostream stream(products.emplace_back());
    done = timed("emit", [&] {
      return backend->emit(llvmModule, options.kind, stream, error);
    });
  }
  if (!done)
    reportError(error);
  return done;
}

bool Compilation::openTarget() {
  BackendOptions target;
  target.optLevel = options.level;
  target.march = options.cpu;
  target.triple = options.target;
  std::string error;
  std::vector<std::string> warnings;
  bool isKnown = chooseMachine(options, installation, machine, warnings, error);
  for (const std::string &warning : warnings)
    reportWarning(warning);
  if (!isKnown) {
    reportError(error);
    return false;
  }
  target.vectorBits = machine.figures.figures.vectorBits;
  target.fetchAhead = machine.figures.figures.fetchAhead;
  if (options.tuning != Tuning::None)
    target.wayAhead = machine.figures.figures.wayAhead;
  backend = Backend::create(target, error);
  if (!backend)
    reportError(error);
  return backend != nullptr;
}

bool Compilation::openSource() {
  ErrorOr<uint32_t> opened = uint32_t(0);
  if (options.source == "-") {
    ErrorOr<std::unique_ptr<MemoryBuffer>> input = MemoryBuffer::getSTDIN();
    if (input)
      opened = sources.add("<stdin>", (*input)->getBuffer());
    else
      opened = input.getError();
  } else {
    opened = sources.open(options.source);
  }
  ownSources = sources.size();
  if (opened)
    file = *opened;
  else
    reportError("cannot read '" + options.source +
                "': " + opened.getError().message());
  return bool(opened);
}

bool compile(const Options &options, const Installation &installation,
             PhaseTimers &timers, Products &products, ByProducts &more) {
  Compilation compilation(options, installation, timers);
  bool done = compilation.run(products);
  more.library = std::move(compilation.library);
  compilation.addDependencies(more.dependencies);
  more.page = compilation.page(done);
  return done;
}

int interpretProgram(const Options &options, const Installation &installation,
                     PhaseTimers &timers) {
  Compilation compilation(options, installation, timers);
  Products nothing;
  return compilation.run(nothing) ? compilation.exitStatus() : 1;
}

} // namespace zpl::driver
