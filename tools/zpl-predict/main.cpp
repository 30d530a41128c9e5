//===- main.cpp - zpl-predict: what a program would take ------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads a model and machine files, evaluates, prints. Exit status 1 after an
// error, which is a sentence on the standard error output.
//
//===----------------------------------------------------------------------===//

#include "Report.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace predict;

static int fail(const Twine &message) {
  outs().flush();
  errs() << "zpl-predict: error: " << message << '\n';
  return 1;
}

static std::string machineFolder(const char *argv0) {
  std::string self =
      sys::fs::getMainExecutable(argv0, reinterpret_cast<void *>(&fail));
  return (sys::path::parent_path(sys::path::parent_path(self)) +
          "/share/zpl/machines")
      .str();
}

/// Files that end in \p suffix in a folder, with their paths, sorted.
static bool filesIn(StringRef folder, StringRef suffix,
                    std::vector<std::string> &files, std::string &error) {
  std::error_code problem;
  for (sys::fs::directory_iterator at(folder, problem), end;
       !problem && at != end; at.increment(problem))
    if (StringRef(at->path()).ends_with(suffix))
      files.push_back(at->path());
  sort(files);
  if (problem)
    error = ("cannot read '" + folder + "': " + problem.message()).str();
  return !problem;
}

static bool addMachine(const std::string &name, const std::string &folder,
                       const Options &options, std::vector<Target> &targets,
                       std::string &error) {
  Target target;
  target.name = name;
  if (!zrt::sim::findMachine(name, folder, options.transport, target.machine,
                             error))
    return false;
  if (!target.machine.hasProcessor) {
    error = "the machine '" + name + "' says nothing about its \"processor\"";
    return false;
  }
  std::string path =
      name.find('/') != name.npos || StringRef(name).ends_with(".json")
          ? name
          : folder + "/" + name + ".json";
  target.measured = zpl::readMachine(path, error);
  if (!target.measured)
    return false;
  if (target.machine.name.empty())
    target.machine.name = name;
  for (const auto &[coefficient, factor] : options.scales)
    for (const auto &[known, field] : coefficients())
      if (known == coefficient) {
        target.machine.*field *= factor;
        target.machine.name += ", " + known + " x " + formatNumber(factor);
      }
  targets.push_back(std::move(target));
  return true;
}

/// The machines that are asked for. With --all-machines, files that say nothing
/// of transports are left out: they have other figures of processors.
static bool findMachines(const Options &options, const std::string &folder,
                         std::vector<Target> &targets, std::string &error) {
  std::vector<std::string> names = options.machines;
  if (options.allMachines) {
    std::vector<std::string> files;
    if (!filesIn(folder, ".json", files, error))
      return false;
    for (const std::string &file : files) {
      if (addMachine(file, folder, options, targets, error))
        targets.back().name = sys::path::stem(file).str();
      else if (!StringRef(error).ends_with("no \"transports\""))
        return false;
      error.clear();
    }
  } else if (names.empty()) {
    names.push_back("infiniband");
  }
  return all_of(names, [&](const std::string &name) {
    return addMachine(name, folder, options, targets, error);
  });
}

/// Values that were given as words of an enumeration.
static bool takeWords(const Model &model, Question &question,
                      std::string &error) {
  for (const auto &[name, word] : question.words) {
    auto config = find_if(model.configs, [&, &n = name](const auto &named) {
      return named.name == n;
    });
    if (config == model.configs.end()) {
      question.values[name] = 0; // which is told to be unknown
      continue;
    }
    auto value = config->words.find(word);
    if (value == config->words.end()) {
      error =
          name + " is no number and no word of the program's: '" + word + "'";
      return false;
    }
    question.values[name] = value->second;
  }
  return true;
}

static bool speedupOf(const Model &model, const Options &options,
                      const Target &target, Curve &curve, std::string &error) {
  curve.name = target.machine.name;
  Question question = options.question;
  question.grid = {};
  for (int p = 1;; p = std::min(p * 2, options.speedup)) {
    question.processors = p;
    auto evaluation =
        evaluate(model, question, collectiveCosts(target.machine), error);
    if (!evaluation)
      return false;
    ProgramTime time = timeOf(*evaluation, target);
    curve.points.push_back({p, time.all(), time.communicating});
    if (p == options.speedup)
      return true;
  }
}

static bool writeSvg(const std::string &file, StringRef title,
                     ArrayRef<Curve> curves, std::string &error) {
  std::error_code problem;
  raw_fd_ostream os(file, problem, sys::fs::OF_Text);
  if (!problem) {
    drawSpeedup(title, curves, os);
    os.flush();
    problem = os.error();
    os.clear_error();
  }
  if (problem)
    error = "cannot write '" + file + "': " + problem.message();
  return !problem;
}

static bool printSpeedups(const Model &model, const Options &options,
                          ArrayRef<Target> targets, std::string &error) {
  std::vector<Curve> curves;
  for (const Target &target : targets) {
    if (!speedupOf(model, options, target, curves.emplace_back(), error))
      return false;
    printSpeedup(curves.back(), outs());
  }
  return options.svg.empty() ||
         writeSvg(options.svg, "Speed-up of " + model.program, curves, error);
}

/// The report that was asked for, for each machine.
static bool report(const Model &model, const Options &options,
                   ArrayRef<Target> targets, std::string &error) {
  if (options.speedup > 0)
    return printSpeedups(model, options, targets, error);
  std::vector<Comparison> all;
  for (const Target &target : targets) {
    auto evaluation = evaluate(model, options.question,
                               collectiveCosts(target.machine), error);
    if (!evaluation)
      return false;
    ProgramTime time = timeOf(*evaluation, target);
    all.push_back(
        {target.machine.name, time.all(), time.communicating, time.imbalance});
    if (options.counts)
      printCounts(*evaluation, outs());
    else if (targets.size() == 1 && !options.elasticity)
      printTimes(model, options.question, *evaluation, target, outs());
    if (options.elasticity) {
      outs() << target.machine.name << ": ";
      printElasticity(*evaluation, target, outs());
    }
  }
  if (targets.size() > 1 && !options.counts)
    printComparison(all, outs());
  return true;
}

/// All models of a folder over all machines. A model that has no value as it is
/// says so in its row.
static bool printTable(const Options &options, ArrayRef<Target> targets,
                       std::string &error) {
  std::vector<std::string> files;
  if (!filesIn(options.table, ".cost", files, error))
    return false;
  if (files.empty()) {
    error = "there is no model (*.cost) in '" + options.table + "'";
    return false;
  }
  std::vector<std::string> names;
  for (const Target &target : targets)
    names.push_back(target.name);
  std::vector<TableRow> rows;
  bool isAll = true;
  for (const std::string &file : files) {
    TableRow &row = rows.emplace_back();
    row.name = sys::path::stem(file).str();
    std::string problem;
    auto model = readModel(file, problem);
    for (const Target &target : targets) {
      auto evaluation = model
                            ? evaluate(*model, options.question,
                                       collectiveCosts(target.machine), problem)
                            : std::nullopt;
      if (!evaluation)
        break;
      ProgramTime time = timeOf(*evaluation, target);
      row.cells.push_back({time.all(), time.communicating});
    }
    row.problem = problem;
    isAll &= problem.empty();
  }
  printRows(names, rows, outs());
  if (!isAll)
    error = "not all models could be evaluated";
  return isAll;
}

int main(int argc, char **argv) {
  Options options;
  std::string error;
  if (!readOptions(argc, argv, options, error))
    return fail(error);
  if (options.showHelp) {
    printHelp();
    return 0;
  }
  std::vector<Target> targets;
  if (!findMachines(options, machineFolder(argv[0]), targets, error))
    return fail(error);
  bool isDone;
  if (!options.table.empty()) {
    isDone = printTable(options, targets, error);
  } else {
    auto model = readModel(options.file, error);
    isDone = model && takeWords(*model, options.question, error) &&
             report(*model, options, targets, error);
  }
  outs().flush();
  if (outs().error()) {
    outs().clear_error();
    return fail("cannot write the standard output");
  }
  return isDone ? 0 : fail(error);
}
