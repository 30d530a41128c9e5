//===- Options.cpp - Reads the command line -------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// From argv to Options. Options.td is the list of options; LLVM's option
/// library splits the command line by it, and this file gives each its meaning:
///
///     zplc jacobi.z -O3 -o j      =>  source jacobi.z, level 3, output j
///     zplc --dump-ast jacobi.z    =>  source jacobi.z, last phase Parse
///
/// Everything that is wrong is reported before giving up, an unknown option
/// with the known one that is nearest to it. Inputs must exist; an output never
/// takes the place of an input.
///
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "Messages.h"
#include "OptionTable.h"
#include "Output.h"
#include "zpl/Transforms/Pipeline.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Option/Arg.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/WithColor.h"
#include <algorithm>

using namespace llvm;
namespace path = llvm::sys::path;

namespace zpl::driver {

namespace {

/// Fills Options from the split command line; `failed` after any error.
class Reader {
public:
  Reader(const OptionTable &table, const opt::InputArgList &args)
      : table(table), args(args) {}

  std::optional<Options> read();

private:
  void fail(const Twine &message) {
    reportError(message);
    failed = true;
  }
  void rejectUnknown();
  bool isFile(StringRef input);
  void readInput(StringRef input, StringRef language);
  void readSource(StringRef input, bool isArrayIR);
  StringRef readLanguage(const opt::Arg &arg);
  void readInputs();
  void readKind();
  void readCode();
  void readChecks();
  void readLanes();
  void readTimeSteps();
  void readTuning();
  void readStripRows();
  void readDelayedUpdates();
  void readContraction();
  void readDumps();
  void readPasses();
  void readLastPhase();
  void chooseOutput();
  void checkOutput();
  void readReport();
  bool isPass(StringRef name);

  const OptionTable &table;
  const opt::InputArgList &args;
  Options result;
  unsigned timesStandardInput = 0;
  bool failed = false;
};

} // namespace

void reportError(const Twine &message) {
  WithColor::error(errs(), "zplc") << message << '\n';
}

void reportWarning(const Twine &message) {
  WithColor::warning(errs(), "zplc") << message << '\n';
}

void Reader::rejectUnknown() {
  for (const opt::Arg *arg : args.filtered(OPT_UNKNOWN)) {
    std::string text = arg->getAsString(args), nearest;
    if (table.findNearest(text, nearest) <= 2)
      fail("unknown argument '" + text + "'; did you mean '" + nearest + "'?");
    else
      fail("unknown argument '" + text + "'");
  }
}

bool Reader::isFile(StringRef input) {
  if (std::error_code error =
          sys::fs::access(input, sys::fs::AccessMode::Exist))
    fail("cannot read '" + input + "': " + error.message());
  else if (sys::fs::is_directory(input))
    fail("cannot read '" + input + "': it is a directory");
  else
    return true;
  return false;
}

/// What an input is by its name: "zpl", "air", "c" or "object"; empty: nothing
/// that is known.
static StringRef languageOf(StringRef input) {
  if (input == "-" || path::extension(input) == ".z")
    return "zpl";
  return StringSwitch<StringRef>(path::extension(input))
      .Case(".air", "air")
      .Case(".c", "c")
      .Cases(".o", ".a", ".so", "object")
      .Default(path::filename(input).contains(".so.") ? "object" : "");
}

void Reader::readSource(StringRef input, bool isArrayIR) {
  if (!result.source.empty())
    return fail("two ZPL inputs, '" + result.source + "' and '" + input +
                "': a program is one text; a line '#include \"" + input +
                "\"' in the first brings in the declarations of the second, "
                "which then has no 'program' of its own");
  result.source = input.str();
  result.isArrayIR = isArrayIR;
  result.linkItems.push_back({LinkItem::Program, ""});
}

/// \p language is what -x says, or empty.
void Reader::readInput(StringRef input, StringRef language) {
  if (input == "-" && ++timesStandardInput > 1)
    return fail("standard input is an input twice");
  if (input != "-" && !isFile(input))
    return;
  if (language.empty())
    language = languageOf(input);
  if (language == "zpl" || language == "air")
    readSource(input, language == "air");
  else if (language == "c")
    result.linkItems.push_back({LinkItem::CSource, input.str()});
  else if (language == "object")
    result.linkItems.push_back({LinkItem::File, input.str()});
  else
    fail("unknown kind of input '" + input +
         "': expected .z, .air, .c, .o, .a, .so, or - for standard input; -x "
         "says what other names are");
}

/// Gives "zpl", "air" or "c" of -x, or nothing for none.
StringRef Reader::readLanguage(const opt::Arg &arg) {
  StringRef language = arg.getValue();
  if (language == "z")
    return "zpl";
  if (language != "zpl" && language != "air" && language != "c" &&
      language != "none")
    fail("unknown language in '" + arg.getAsString(args) +
         "': expected zpl, air, c or none");
  return language == "none" ? "" : language;
}

void Reader::readInputs() {
  StringRef language;
  for (const opt::Arg *arg : args)
    switch (arg->getOption().getID()) {
    case OPT_INPUT:
      readInput(arg->getValue(), language);
      break;
    case OPT_x:
      language = readLanguage(*arg);
      break;
    case OPT_l:
    case OPT_L:
      result.linkItems.push_back(
          {LinkItem::Flag, arg->getSpelling().str() + arg->getValue()});
      break;
    case OPT_I:
      result.includeDirs.push_back(arg->getValue());
      break;
    }
  if (result.linkItems.empty() && !failed)
    fail("no input files");
}

void Reader::readKind() {
  bool text = args.hasArg(OPT_S);
  if (args.hasArg(OPT_emit_llvm))
    result.kind = text ? OutputKind::LLVMText : OutputKind::Bitcode;
  else if (text)
    result.kind = OutputKind::Assembly;
  result.costModel = args.hasArg(OPT_emit_cost_model);
  if (result.costModel && args.hasArg(OPT_emit_llvm, OPT_S, OPT_c))
    fail("-emit-cost-model makes no code; leave out -c, -S and -emit-llvm");
  result.link =
      !args.hasArg(OPT_emit_llvm, OPT_S, OPT_c, OPT_emit_cost_model) &&
      !args.hasArg(OPT_M, OPT_MM);
  result.isLibrary = args.hasArg(OPT_library);
  if (result.isLibrary && (!result.link || result.isArrayIR ||
                           result.source.empty() || args.hasArg(OPT_static)))
    return fail("--library makes a shared library of a ZPL program; leave out "
                "what stops before the link, and -static");
  if (result.link || failed)
    return;
  if (result.source.empty())
    return fail("no ZPL input to compile; only a link takes other inputs");
  for (const LinkItem &item : result.linkItems)
    if (item.kind == LinkItem::CSource || item.kind == LinkItem::File)
      reportWarning("'" + item.text + "' is not used: nothing is linked");
}

void Reader::readCode() {
  if (const opt::Arg *arg = args.getLastArg(OPT_O))
    if (StringRef(arg->getValue()).getAsInteger(10, result.level) ||
        result.level > 3)
      fail("invalid level in '" + arg->getAsString(args) +
           "': expected -O0, -O1, -O2 or -O3");
  if (const opt::Arg *arg = args.getLastArg(OPT_march_EQ)) {
    result.cpu = arg->getValue();
    if (result.cpu.empty())
      fail("no processor in '-march='");
  }
  if (const opt::Arg *arg = args.getLastArg(OPT_mmachine_EQ)) {
    result.machine = arg->getValue();
    if (result.machine.empty())
      fail("no machine in '-mmachine='");
  }
  result.target = args.getLastArgValue(OPT_target_EQ);
  if (args.hasArg(OPT_target_EQ) && result.target.empty())
    fail("no kind of machine in '--target='");
  result.isStatic = args.hasArg(OPT_static);
  result.debugInfo = args.hasArg(OPT_g);
  readChecks();
  result.reproducible =
      args.hasFlag(OPT_freproducible, OPT_fno_reproducible, false);
  result.countWork = args.hasFlag(OPT_fcount_work, OPT_fno_count_work, false);
  result.trapNaN = args.hasFlag(OPT_ftrap_nan, OPT_fno_trap_nan, false);
  result.strictFp = args.hasFlag(OPT_fstrict_fp, OPT_fno_strict_fp, false);
  readLanes();
  readTimeSteps();
  readTuning();
  readStripRows();
  readDelayedUpdates();
  readContraction();
  result.unrollsLoops =
      args.hasFlag(OPT_funroll_loops, OPT_fno_unroll_loops, true);
  result.vectorMath = args.hasFlag(OPT_fvector_math, OPT_fno_vector_math, true);
  result.configDefaults = args.getAllArgValues(OPT_D);
  for (const std::string &text : result.configDefaults)
    if (!StringRef(text).contains('='))
      fail("invalid '-D" + text + "': expected <name>=<value>");
  result.warnings = args.getAllArgValues(OPT_W);
  result.verbose = args.hasArg(OPT_v);
  result.dryRun = args.hasArg(OPT_hash_hash_hash);
  result.timePhases = args.hasArg(OPT_time_phases);
}

/// What the level makes, and then the options in their order.
void Reader::readChecks() {
  RunTimeChecks &checks = result.checks;
  checks = RunTimeChecks::atLevel(result.level);
  for (const opt::Arg *arg : args.filtered(OPT_fcheck, OPT_fno_check,
                                           OPT_fcheck_EQ, OPT_fno_check_EQ)) {
    arg->claim();
    bool isOn = arg->getOption().matches(OPT_fcheck) ||
                arg->getOption().matches(OPT_fcheck_EQ);
    if (arg->getNumValues() == 0)
      checks = isOn ? RunTimeChecks::all() : RunTimeChecks::none();
    for (StringRef kind : arg->getValues())
      if (!checks.set(kind, isOn))
        fail("unknown kind of check in '" + arg->getAsString(args) +
             "': expected some of " + RunTimeChecks::names());
  }
}

void Reader::readContraction() {
  const opt::Arg *arg = args.getLastArg(OPT_ffp_contract_EQ);
  if (!arg)
    return;
  StringRef mode = arg->getValue();
  result.contracts = mode == "on";
  if (mode != "on" && mode != "off")
    fail("invalid mode in '" + arg->getAsString(args) +
         "': expected on or off");
}

void Reader::readLanes() {
  const opt::Arg *arg =
      args.getLastArg(OPT_flanes, OPT_flanes_EQ, OPT_fno_lanes);
  if (!arg || arg->getOption().matches(OPT_flanes))
    return;
  if (arg->getOption().matches(OPT_fno_lanes)) {
    result.lanes = LaneUse::Never;
    return;
  }
  result.lanes = LaneUse::Always;
  if (StringRef(arg->getValue()) != "always")
    fail("invalid value in '" + arg->getAsString(args) + "': expected always");
}

void Reader::readTuning() {
  const opt::Arg *arg = args.getLastArg(OPT_tune_EQ);
  if (!arg)
    return;
  std::optional<Tuning> mode =
      StringSwitch<std::optional<Tuning>>(arg->getValue())
          .Case("off", Tuning::Off)
          .Case("models", Tuning::Models)
          .Case("run", Tuning::Run)
          .Default(std::nullopt);
  if (!mode)
    return fail("invalid mode in '" + arg->getAsString(args) +
                "': expected off, models or run");
  result.tuning = *mode;
}

void Reader::readTimeSteps() {
  const opt::Arg *arg = args.getLastArg(OPT_ftime_steps_EQ);
  if (!arg)
    return;
  constexpr unsigned most = 64;
  unsigned steps = 0;
  if (StringRef(arg->getValue()).getAsInteger(10, steps) || steps == 0 ||
      steps > most)
    return fail("invalid number in '" + arg->getAsString(args) +
                "': expected 1 to " + std::to_string(most));
  if (steps == 1)
    result.withoutPasses.push_back("skew-time-steps");
  else
    result.timeSteps = steps;
  result.takesTimeSteps = steps != 1;
}

void Reader::readStripRows() {
  const opt::Arg *arg = args.getLastArg(OPT_fstrip_rows_EQ);
  if (arg && (StringRef(arg->getValue()).getAsInteger(10, result.stripRows) ||
              result.stripRows == 0 || result.stripRows > INT32_MAX))
    fail("invalid number in '" + arg->getAsString(args) +
         "': expected 1 or more");
}

void Reader::readDelayedUpdates() {
  const opt::Arg *arg = args.getLastArg(OPT_fdelay_updates_EQ);
  if (arg && (StringRef(arg->getValue()).getAsInteger(10, result.delayedFrom) ||
              result.delayedFrom == 0 || result.delayedFrom > INT32_MAX))
    fail("invalid number in '" + arg->getAsString(args) +
         "': expected 1 or more");
}

bool Reader::isPass(StringRef name) {
  if (air::findPass(name))
    return true;
  std::string known;
  for (const air::PassInfo &pass : air::allPasses())
    known += (known.empty() ? "" : ", ") + pass.name.str();
  fail("no pass is called '" + name + "'; the passes are " + known);
  return false;
}

void Reader::readPasses() {
  for (const std::string &name : args.getAllArgValues(OPT_fno_pass)) {
    if (!isPass(name))
      continue;
    if (!air::findPass(name)->isOptional)
      fail("'-fno-" + name + "': no program is complete without this pass");
    result.withoutPasses.push_back(name);
  }
  for (StringRef value : args.getAllArgValues(OPT_dump_air_EQ)) {
    if (!value.consume_front("after-"))
      fail("invalid value in '--dump-air=" + value +
           "': expected after-<pass>");
    else if (isPass(value))
      result.dumpAIRAfter.push_back(value.str());
  }
  result.remarks =
      args.hasArg(OPT_remarks, OPT_remarks_EQ, OPT_remarks_profile_EQ);
  result.remarksProfile = args.getLastArgValue(OPT_remarks_profile_EQ);
  const opt::Arg *arg = args.getLastArg(OPT_remarks_EQ);
  if (!arg)
    return;
  // Those of Sema on instances, of ArrayGen on loops and of LLVM's vectorizer
  // are asked for alike.
  StringRef name = arg->getValue();
  result.summarizesRemarks = name == "summary";
  if (name == "instances" || name == "unroll-loops" || name == "vectorize" ||
      (name != "summary" && isPass(name)))
    result.remarksPass = name;
}

void Reader::readDumps() {
  result.dumpTokens = args.hasArg(OPT_dump_tokens);
  result.dumpAST = args.hasArg(OPT_dump_ast);
  result.dumpProgram = args.hasArg(OPT_dump_program);
  result.dumpAIR = args.hasArg(OPT_dump_air);
  result.dumpLoopPlans = args.hasArg(OPT_dump_loop_plans);
  result.dumpLLVM = args.hasArg(OPT_dump_llvm);
  result.verify = args.hasArg(OPT_verify);
}

/// A dump without an output ends after the last phase that is shown.
static std::optional<Phase> lastShown(const Options &options) {
  if (options.dumpLLVM || options.dumpLoopPlans)
    return Phase::CodeGen;
  if (!options.dumpAIRAfter.empty())
    return Phase::Transforms;
  if (options.dumpAIR)
    return Phase::ArrayGen;
  if (options.dumpProgram || options.verify)
    return Phase::Sema;
  if (options.dumpAST)
    return Phase::Parse;
  if (options.dumpTokens)
    return Phase::Lex;
  return std::nullopt;
}

void Reader::readLastPhase() {
  result.interpret = args.hasArg(OPT_interpret);
  if (result.interpret && result.isArrayIR)
    fail("array IR cannot be interpreted");
  if (result.interpret && !result.target.empty())
    fail("what --interpret runs runs here; --target has no meaning for it");
  if (result.interpret || args.hasArg(OPT_fsyntax_only, OPT_M, OPT_MM)) {
    result.lastPhase = Phase::Sema;
  } else if (const opt::Arg *arg = args.getLastArg(OPT_stop_after_EQ)) {
    auto phase = StringSwitch<std::optional<Phase>>(arg->getValue())
                     .Case("lex", Phase::Lex)
                     .Case("parse", Phase::Parse)
                     .Case("sema", Phase::Sema)
                     .Case("arraygen", Phase::ArrayGen)
                     .Case("transforms", Phase::Transforms)
                     .Case("codegen", Phase::CodeGen)
                     .Default(std::nullopt);
    if (!phase)
      fail("invalid phase in '" + arg->getAsString(args) +
           "': expected lex, parse, sema, arraygen, transforms or codegen");
    else
      result.lastPhase = *phase;
  } else if (!args.hasArg(OPT_o, OPT_c, OPT_S, OPT_emit_llvm,
                          OPT_emit_cost_model)) {
    result.lastPhase = lastShown(result).value_or(Phase::Backend);
  }
}

static StringRef suffixOf(OutputKind kind) {
  switch (kind) {
  case OutputKind::Object:
    return ".o";
  case OutputKind::Assembly:
    return ".s";
  case OutputKind::Bitcode:
    return ".bc";
  case OutputKind::LLVMText:
    return ".ll";
  }
  llvm_unreachable("no such kind of output");
}

void Reader::chooseOutput() {
  if (const opt::Arg *arg = args.getLastArg(OPT_o)) {
    result.output = arg->getValue();
    if (result.output.empty())
      fail("no file name after '-o'");
    return;
  }
  bool named = !result.source.empty() && result.source != "-";
  std::string stem = named ? path::stem(result.source).str() : "a";
  result.output =
      result.link
          ? (result.isLibrary ? "lib" + stem + ".so"
             : named          ? stem
                              : "a.out")
          : stem + (result.costModel ? ".cost" : suffixOf(result.kind).str());
}

/// No input is ever written over, nor anything that looks like a source.
void Reader::checkOutput() {
  if (result.lastPhase != Phase::Backend || failed)
    return;
  if (result.output == "-") {
    if (result.link)
      fail("an executable cannot be written to standard output");
    return;
  }
  StringRef output = result.output, suffix = path::extension(output);
  if (suffix == ".z" || suffix == ".air" || suffix == ".c")
    return fail("output '" + output + "' has the name of a source");
  for (const opt::Arg *arg : args.filtered(OPT_INPUT))
    if (sys::fs::equivalent(arg->getValue(), output))
      return fail("output '" + output + "' would replace an input");
  if (sys::fs::is_directory(output))
    return fail("output '" + output + "' is a directory");
  if (std::error_code error = checkOutputPlace(output))
    fail("cannot write '" + output + "': " + error.message());
}

/// After the output is known.
void Reader::readReport() {
  const opt::Arg *arg = args.getLastArg(OPT_report_EQ);
  result.embedsReport = args.hasFlag(OPT_fembed_report, OPT_fno_embed_report,
                                     /*Default=*/arg != nullptr);
  if (!arg)
    return;
  result.report = arg->getValue();
  StringRef page = result.report, suffix = path::extension(page);
  if (page.empty())
    return fail("no file name after '--report='");
  if (result.interpret || result.lastPhase < Phase::Sema)
    return fail("'" + arg->getAsString(args) +
                "' needs a program that is checked and compiled");
  if (result.source.empty())
    return fail("'" + arg->getAsString(args) + "' needs a ZPL program");
  if (page == "-")
    return;
  if (suffix == ".z" || suffix == ".air" || suffix == ".c")
    return fail("report '" + page + "' has the name of a source");
  if (page == result.output && result.lastPhase == Phase::Backend)
    return fail("report and output are the same file, '" + page + "'");
  for (const opt::Arg *input : args.filtered(OPT_INPUT))
    if (sys::fs::equivalent(input->getValue(), page))
      return fail("report '" + page + "' would replace an input");
  if (std::error_code error = checkOutputPlace(page))
    fail("cannot write '" + page + "': " + error.message());
}

std::optional<Options> Reader::read() {
  rejectUnknown();
  result.showHelp = args.hasArg(OPT_help);
  result.showVersion = args.hasArg(OPT_version);
  result.showMachine = args.hasArg(OPT_print_machine);
  result.showConfig = args.hasArg(OPT_print_config, OPT_print_config_EQ);
  result.configName = args.getLastArgValue(OPT_print_config_EQ);
  if (!failed && (result.showHelp || result.showVersion || result.showConfig))
    return std::move(result);
  if (result.showMachine) {
    readCode();
    return failed ? std::nullopt : std::optional(std::move(result));
  }
  readInputs();
  readKind();
  readCode();
  readDumps();
  readPasses();
  readLastPhase();
  chooseOutput();
  checkOutput();
  readReport();
  if (!readMessageOptions(args, result) ||
      !readDependencyOptions(args, result) || failed)
    return std::nullopt;
  return std::move(result);
}

/// Takes what belongs to the program off a command line: with --interpret all
/// that follows `--`.
static std::vector<std::string>
takeProgramArguments(ArrayRef<const char *> &argv) {
  auto is = [](StringRef wanted) {
    return [=](const char *word) { return word == wanted; };
  };
  ArrayRef own(argv.begin(), find_if(argv, is("--")));
  if (own.size() == argv.size() || none_of(own, is("--interpret")))
    return {};
  ArrayRef rest = argv.drop_front(own.size() + 1);
  argv = own;
  return {rest.begin(), rest.end()};
}

/// Puts the words of response files in the place of `@file`, as GCC reads them.
static bool expandResponseFiles(SmallVectorImpl<const char *> &words,
                                BumpPtrAllocator &memory) {
  cl::ExpansionContext context(memory, cl::TokenizeGNUCommandLine);
  Error error = context.expandResponseFiles(words);
  bool failed = bool(error);
  if (failed)
    reportError(toString(std::move(error)));
  return !failed;
}

std::optional<Options> parseOptions(ArrayRef<const char *> argv) {
  OptionTable table;
  std::vector<std::string> programArguments = takeProgramArguments(argv);
  SmallVector<const char *, 32> words(argv.begin(), argv.end());
  BumpPtrAllocator memory;
  chooseColours(words);
  if (!expandResponseFiles(words, memory))
    return std::nullopt;
  chooseColours(words);
  unsigned missingIndex = 0, missingCount = 0;
  opt::InputArgList args = table.ParseArgs(words, missingIndex, missingCount);
  if (missingCount) {
    reportError(Twine("argument to '") + args.getArgString(missingIndex) +
                "' is missing");
    return std::nullopt;
  }
  std::optional<Options> result = Reader(table, args).read();
  if (result) {
    result->commandLine.assign(words.begin(), words.end());
    result->programArguments = std::move(programArguments);
  }
  return result;
}

void printHelp(raw_ostream &os) {
  OptionTable().printHelp(
      os, "zplc [options] program.z [file.c|.o|.a|.so ...]",
      "zplc compiles a ZPL program and links it with its runtime");
}

} // namespace zpl::driver
