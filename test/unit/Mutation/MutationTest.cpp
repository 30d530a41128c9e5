//===- MutationTest.cpp - Programs with one wrong token -------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whole programs compile; with one token deleted, doubled or exchanged with the
// next one they never crash the compiler or keep it busy, what the parser says
// is little (one mistake is one mistake), and what the checker accepts gets
// through every later phase and its verifier:
//
//     if a then            if a                 parse error, one message
//     x := y + 1;          y x := + 1;          parse error, one message
//     halt("no");          halt halt("no");     parse error, one message
//     procedure f(k : ..)  procedure f(k k : ..)
//     return -k;           return - -k;         compiles, to the end
//
// The mutants of one program are compiled one after the other by a process of
// their own. It notes in shared memory which one it is at; if it ends early,
// that one failed and another process goes on behind it. A timer of processor
// time ends what takes too long.
//
// All tokens of all programs take minutes. Every so many are taken, so that the
// number of mutants stays the same as programs are added; the test that takes
// all is for `./check --full`.
//
//===----------------------------------------------------------------------===//

#include "Mutations.h"
#include "zpl/AST/Printer.h"
#include "zpl/ArrayGen/ArrayGen.h"
#include "zpl/Backend/Backend.h"
#include "zpl/CodeGen/CodeGen.h"
#include "zpl/Lex/Lex.h"
#include "zpl/Parse/Parse.h"
#include "zpl/Sema/Sema.h"
#include "zpl/Support/Diagnostic.h"
#include "zpl/Transforms/Pipeline.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace zpl;
using mutation::TokenText;

namespace {
struct Program {
  std::string name;
  std::string text;
  bool isWhole; ///< compiles; else it only parses
};
struct Folder {
  const char *name;
  bool isWhole;
};
enum class Mutation { Delete, Double, Exchange };

/// What a process that compiles mutants has to say.
struct Progress {
  const Program *program; ///< whose mutants are compiled now
  size_t at;              ///< the one that is
  size_t compiled, accepted, parseErrors;
  unsigned mostParseErrors;
  const Program *worstProgram; ///< the mutant with the most
  size_t worst;
};
} // namespace

static constexpr int secondsEach = 5;
static constexpr long kilobytesEach = 2 << 20;

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

static void addPrograms(Folder folder, std::vector<Program> &programs) {
  std::error_code error;
  std::vector<std::string> paths;
  for (llvm::sys::fs::directory_iterator
           at(std::string(ZPL_SOURCE_ROOT) + folder.name, error),
       end;
       at != end && !error; at.increment(error))
    if (llvm::sys::path::extension(at->path()) == ".z")
      paths.push_back(at->path());
  llvm::sort(paths);
  for (const std::string &path : paths)
    if (auto buffer = llvm::MemoryBuffer::getFile(path))
      programs.push_back({path, (*buffer)->getBuffer().str(), folder.isWhole});
}

/// Programs that are right. Tests whose point is that they are not say so by
/// --verify. Headers of C are Clang's matter, which has no part in this.
static std::vector<Program> rightPrograms() {

  std::vector<Program> programs;
  for (Folder folder : {Folder{"/examples", true},
                        {"/examples/heatmap", true},
                        {"/examples/irregular", true},
                        {"/examples/nas", true},
                        {"/test/ArrayGen", true},
                        {"/test/Exec/programs", true},
                        {"/test/Parse", false},
                        {"/../shared/conformance/programs", false},
                        {"/../shared/conformance/runtime-errors", false}})
    addPrograms(folder, programs);
  llvm::erase_if(programs, [](const Program &program) {
    llvm::StringRef text = program.text;
    return text.contains("--verify") || text.contains("RUN: not") ||
           text.contains("extern header");
  });
  return programs;
}

static std::string mutated(const TokenText &program, size_t which) {
  switch (static_cast<Mutation>(which % 3)) {
  case Mutation::Delete:
    return program.withDeleted(which / 3);
  case Mutation::Double:
    return program.withDoubled(which / 3);
  case Mutation::Exchange:
    return program.withExchanged(which / 3);
  }
  llvm_unreachable("all mutations change a text");
}

/// Where and how a program is changed.
static std::string description(const Program &program, size_t which) {
  TokenText text(program.text);
  size_t token = which / 3;
  size_t line =
      1 +
      llvm::StringRef(program.text).take_front(text.offset(token)).count('\n');
  const char *how[] = {"deleted", "doubled", "exchanged with the next"};
  return program.name + ":" + std::to_string(line) + ": '" +
         text.token(token).str() + "' (token " + std::to_string(token) + ") " +
         how[which % 3];
}

/// Of a program with at least one token.
static size_t mutants(const TokenText &program) {
  return 3 * (program.size() - 1);
}

//===----------------------------------------------------------------------===//
// The compiler
//===----------------------------------------------------------------------===//

/// The phases after Sema, which cannot fail.
static void compileChecked(const sema::Program &program,
                           const SourceManager &sources,
                           const CodeGenOptions &options) {
  air::Module module = buildArrayIR(program);
  air::PipelineOptions pipeline;
  pipeline.optimize = options.optLevel > 0;
  air::PassContext context;
  context.sources = &sources;
  if (!air::runPipeline(module, pipeline, context))
    llvm::report_fatal_error(llvm::Twine(context.error), false);
  llvm::LLVMContext llvmContext;
  lowerToLLVM(module, llvmContext, options);
}

/// Compiles a text as at -O0 -g or as at -O3; counts in \p progress.
static void compile(llvm::StringRef text, bool optimize,
                    const TargetFacts &target, Progress &progress) {
  SourceManager sources;
  DiagnosticEngine diags(sources);
  ast::Context context;
  TokenBuffer tokens = lex(sources.add("m.z", text), sources, diags, {},
                           ZPL_SOURCE_ROOT "/library");
  ast::Module syntax = parse(tokens, context, diags);
  ++progress.compiled;
  progress.parseErrors += diags.errors();
  if (diags.errors() > progress.mostParseErrors) {
    progress.mostParseErrors = diags.errors();
    progress.worstProgram = progress.program;
    progress.worst = progress.at;
  }
  if (diags.hasErrors())
    return;
  ast::print(syntax, sources, llvm::nulls());
  std::optional<sema::Program> program = sema::check(syntax, diags);
  diags.print(llvm::nulls());
  if (diags.hasErrors())
    return;
  sema::print(*program, llvm::nulls());
  ++progress.accepted;
  CodeGenOptions options;
  options.sources = &sources;
  options.triple = target.triple;
  options.dataLayout = target.dataLayout;
  options.fusesMultiplyAdd = target.hasFma;
  options.debugInfo = !optimize;
  options.checks = RunTimeChecks::atLevel(optimize ? 3 : 0);
  options.optLevel = optimize ? 3 : 0;
  compileChecked(*program, sources, options);
}

static TargetFacts hostTarget() {
  std::string error;
  std::unique_ptr<Backend> backend = Backend::create({}, error);
  EXPECT_TRUE(backend) << error;
  return backend ? backend->facts() : TargetFacts();
}

//===----------------------------------------------------------------------===//
// Processes
//===----------------------------------------------------------------------===//

namespace {
/// Compiles mutants of programs, in processes of their own.
class Runner {
public:
  Runner()
      : target(hostTarget()),
        progress(static_cast<Progress *>(
            mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE,
                 MAP_SHARED | MAP_ANONYMOUS, -1, 0))) {}
  ~Runner() { munmap(progress, sizeof(Progress)); }

  /// The program as it is, both ways.
  void compileWhole(const Program &program);
  /// The mutants first, first + stride, ... of a program.
  void compileMutants(const Program &program, size_t first, size_t stride);

  const Progress &totals() const { return *progress; }

private:
  template <typename Function>
  bool inProcess(Function function, std::string &problem);
  void compileFrom(const TokenText &text, size_t stride);

  TargetFacts target;
  Progress *progress;
};
} // namespace

/// Calls \p function in a child. False if that ends early or took too much
/// memory: \p problem says how.
template <typename Function>
bool Runner::inProcess(Function function, std::string &problem) {
  pid_t child = fork();
  if (child == 0) {
    function();
    _exit(0);
  }
  int status = 0;
  rusage usage = {};
  wait4(child, &status, 0, &usage);
  if (WIFSIGNALED(status))
    problem = WTERMSIG(status) == SIGPROF ? "takes too long"
                                          : strsignal(WTERMSIG(status));
  else if (WEXITSTATUS(status) != 0)
    problem = "ends the compiler";
  else if (usage.ru_maxrss > kilobytesEach)
    problem = "or another mutant takes too much memory";
  return problem.empty();
}

static void startTimer() {
  itimerval limit = {};
  limit.it_value.tv_sec = secondsEach;
  setitimer(ITIMER_PROF, &limit, nullptr);
}

void Runner::compileWhole(const Program &program) {
  *progress = {};
  std::string problem;
  inProcess(
      [&] {
        startTimer();
        compile(program.text, true, target, *progress);
        compile(program.text, false, target, *progress);
      },
      problem);
  EXPECT_EQ(problem, "") << program.name;
  EXPECT_EQ(progress->parseErrors, 0u) << program.name;
  if (program.isWhole) {
    EXPECT_EQ(progress->accepted, 2u) << program.name;
  }
}

void Runner::compileFrom(const TokenText &text, size_t stride) {
  for (; progress->at < mutants(text); progress->at += stride) {
    startTimer();
    // The two ways take turns with the tokens.
    bool optimize = progress->at / 3 % 2 != 0;
    compile(mutated(text, progress->at), optimize, target, *progress);
  }
}

void Runner::compileMutants(const Program &program, size_t first,
                            size_t stride) {
  TokenText text(program.text);
  progress->program = &program;
  for (progress->at = first; progress->at < mutants(text);
       progress->at += stride) {
    std::string problem;
    if (inProcess([&] { compileFrom(text, stride); }, problem))
      return;
    ADD_FAILURE() << description(program, progress->at) << ": " << problem;
  }
}

//===----------------------------------------------------------------------===//
// Tests
//===----------------------------------------------------------------------===//

/// All mutants of right programs, or about as many as are wanted.
static void compileMutants(size_t wanted) {
  constexpr unsigned mostErrors = 12;
  std::vector<Program> programs = rightPrograms();
  size_t total = 0;
  for (const Program &program : programs)
    total += mutants(TokenText(program.text));
  // No multiple of two or three, so that each way and each kind of mutation
  // have their turn at each place.
  size_t stride = std::max<size_t>(1, total / wanted) | 1;
  stride += stride % 3 == 0 ? 2 : 0;

  Runner runner;
  size_t next = 0; // counted through all programs
  for (const Program &program : programs) {
    runner.compileMutants(program, next % stride, stride);
    next += stride - mutants(TokenText(program.text)) % stride;
  }
  const Progress &totals = runner.totals();
  testing::Test::RecordProperty("mutants", static_cast<int>(totals.compiled));
  testing::Test::RecordProperty("accepted", static_cast<int>(totals.accepted));
  ASSERT_TRUE(totals.worstProgram);
  EXPECT_LE(totals.mostParseErrors, mostErrors)
      << description(*totals.worstProgram, totals.worst);
  EXPECT_LT(totals.parseErrors, 2 * totals.compiled)
      << "more than two messages for a mistake";
}

TEST(Mutation, RightProgramsCompile) {
  std::vector<Program> programs = rightPrograms();
  EXPECT_GT(programs.size(), 10u);
  Runner runner;
  for (const Program &program : programs)
    runner.compileWhole(program);
}

TEST(Mutation, OneWrongTokenIsSurvived) { compileMutants(20'000); }

/// Minutes long.
TEST(Mutation, DISABLED_EveryWrongTokenIsSurvived) { compileMutants(SIZE_MAX); }
