//===- Options.h - What the command line asks for ---------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_DRIVER_OPTIONS_H
#define ZPL_DRIVER_OPTIONS_H

#include "zpl/Backend/Backend.h"
#include "zpl/CodeGen/CodeGen.h"
#include "zpl/Support/RunTimeChecks.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
}

namespace zpl::driver {

/// In the order in which they run.
enum class Phase : uint8_t {
  Lex,
  Parse,
  Sema,
  ArrayGen,
  Transforms,
  CodeGen,
  Backend
};

/// Something for the linker, in the order of the command line.
struct LinkItem {
  enum Kind : uint8_t {
    Program, ///< the object made from the ZPL source; `text` is empty
    CSource, ///< compiled first
    Glue,    ///< the same, of a library
    File,    ///< an object, archive or shared library
    Flag     ///< "-lname" or "-Ldir"
  } kind;
  std::string text;
};

/// Of -fdiagnostics-format.
enum class MessageFormat : uint8_t { Text, Json, Sarif };

/// The rule for make that says what an output was made of: -MD and its like.
struct DependencyOptions {
  bool isWanted = false;            ///< any of -M, -MM, -MD, -MMD
  bool isAlone = false;             ///< -M, -MM: nothing else is made
  bool hasSystem = true;            ///< not with -MM, -MMD
  bool hasPhonies = false;          ///< -MP
  std::string file;                 ///< path of the rule, or "-"
  std::vector<std::string> targets; ///< as they stand in the rule, one or more
};

struct Options {
  std::vector<std::string> commandLine; ///< as it was given, without zplc
  std::string source; ///< path of the .z or .air input, "-", or empty
  bool isArrayIR = false;
  std::vector<LinkItem> linkItems;
  std::vector<std::string> includeDirs;

  bool link = true;
  OutputKind kind = OutputKind::Object; ///< of the compilation
  std::string output; ///< path or "-", of the link if there is one
  Phase lastPhase = Phase::Backend;
  unsigned level = 2; ///< of -O
  bool debugInfo = false;
  RunTimeChecks checks;            ///< -fcheck
  bool reproducible = false;       ///< -freproducible
  bool strictFp = false;           ///< -fstrict-fp
  unsigned delayedFrom = 0;        ///< -fdelay-updates, iterations; 0: as pays
  unsigned timeSteps = 0;          ///< -ftime-steps; 0: as pays
  bool takesTimeSteps = true;      ///< not -ftime-steps=1
  unsigned stripRows = 0;          ///< -fstrip-rows; 0: as pays
  LaneUse lanes = LaneUse::Paying; ///< -flanes
  Tuning tuning = Tuning::None;    ///< --tune
  bool unrollsLoops = true;        ///< -funroll-loops
  bool costModel = false;          ///< -emit-cost-model
  bool countWork = false;          ///< -fcount-work
  bool trapNaN = false;            ///< -ftrap-nan
  bool contracts = true;           ///< -ffp-contract=on
  bool vectorMath = true;          ///< -fvector-math
  std::vector<std::string> withoutPasses; ///< of -fno-<pass>
  std::string cpu = "native";
  std::string machine; ///< -mmachine; empty: what is known of this one
  std::vector<std::string> configDefaults; ///< of -D: "name=value"
  std::vector<std::string> warnings;       ///< of -W, without the -W, in order

  bool interpret = false;
  std::vector<std::string> programArguments; ///< after --

  DependencyOptions dependencies;
  std::string target;     ///< of --target; empty: this kind of machine
  bool isStatic = false;  ///< -static
  bool isLibrary = false; ///< --library

  MessageFormat messageFormat = MessageFormat::Text;
  unsigned errorLimit = 100; ///< of -ferror-limit; 0: none
  bool verbose = false;      ///< -v
  bool dryRun = false;       ///< -###
  bool showHelp = false;
  bool showVersion = false;
  bool showMachine = false; ///< -print-machine
  bool showConfig = false;  ///< --print-config
  std::string configName;   ///< of --print-config=; empty: all of it
  bool dumpTokens = false;
  bool dumpAST = false;
  bool dumpProgram = false;
  bool dumpAIR = false;
  bool dumpLLVM = false;
  bool dumpLoopPlans = false;
  std::vector<std::string> dumpAIRAfter; ///< names of passes
  bool remarks = false;
  std::string remarksPass;        ///< empty: all passes
  bool summarizesRemarks = false; ///< --remarks=summary
  std::string remarksProfile;     ///< of --remarks-profile; empty: none
  std::string report;             ///< of --report; empty: no page
  bool embedsReport = false;      ///< -fembed-report
  bool makesReport() const { return embedsReport || !report.empty(); }
  /// Whether anybody wants to know what passes did.
  bool collectsRemarks() const { return remarks || makesReport(); }
  bool timePhases = false;
  bool verify = false;
};

/// Prints `zplc: error: message` or `zplc: warning: message`.
void reportError(const llvm::Twine &message);

/// `zplc: warning: message`, on the standard error output.
void reportWarning(const llvm::Twine &message);

/// Reads a command line without the program's name. What is wrong with it is
/// reported, all of it; then there is no result.
std::optional<Options> parseOptions(llvm::ArrayRef<const char *> args);

/// The text of --help.
void printHelp(llvm::raw_ostream &os);

} // namespace zpl::driver

#endif // ZPL_DRIVER_OPTIONS_H
