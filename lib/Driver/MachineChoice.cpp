//===- MachineChoice.cpp - The figures that choices are made by -----------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     -mmachine=m.json     a file
//     -mmachine=znver5     share/zpl/machines/znver5.json
//     nothing, -march=native
//                          ~/.cache/zpl/machine-FINGERPRINT.json
//     nothing else         share/zpl/machines/CPU.json, by LLVM's name
//
// Cost: one small file is read.
//
//===----------------------------------------------------------------------===//

#include "MachineChoice.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Host.h"

using namespace llvm;

namespace zpl::driver {

static std::string shippedFile(const Installation &installation,
                               StringRef name) {
  return (installation.machines + "/" + name + ".json").str();
}

/// Reads a file; false, with \p error, if it cannot be used here.
static bool readFigures(const std::string &file, bool isHere,
                        ChosenMachine &result,
                        std::vector<std::string> &warnings,
                        std::string &error) {
  std::optional<Machine> machine = readMachine(file, error);
  if (!machine)
    return false;
  if (machine->fingerprint && isHere) {
    std::string apart = differences(*machine->fingerprint, thisMachine());
    if (!apart.empty()) {
      error = file + ": was measured on another machine: " + apart;
      return false;
    }
  }
  std::vector<std::string> strangers;
  std::optional<MachineFigures> figures = figuresOf(*machine, strangers, error);
  if (!figures) {
    error = file + ": " + error;
    return false;
  }
  for (const std::string &text : strangers)
    warnings.push_back(file + ": " + text);
  result = {std::move(*figures), machine->name, file};
  return true;
}

/// The names that -mmachine knows.
static std::string shippedNames(const Installation &installation) {
  std::vector<std::string> names;
  std::error_code code;
  for (sys::fs::directory_iterator entry(installation.machines, code), end;
       entry != end && !code; entry.increment(code))
    if (sys::path::extension(entry->path()) == ".json")
      names.push_back(sys::path::stem(entry->path()).str());
  llvm::sort(names);
  return join(names, ", ");
}

bool chooseMachine(const Options &options, const Installation &installation,
                   ChosenMachine &machine, std::vector<std::string> &warnings,
                   std::string &error) {
  bool isHere = options.cpu == "native" && options.target.empty();
  if (!options.machine.empty()) {
    StringRef given = options.machine;
    std::string shipped = shippedFile(installation, given);
    bool isName = !given.contains('/') && !sys::fs::exists(given);
    if (!isName || sys::fs::exists(shipped))
      return readFigures(isName ? shipped : given.str(), isHere, machine,
                         warnings, error);
    error = ("-mmachine=" + given + ": there is no such file, and of the " +
             "machines that come with zplc none is called so: " +
             shippedNames(installation))
                .str();
    return false;
  }
  std::vector<std::string> candidates;
  if (isHere)
    candidates.push_back(cacheFile(thisMachine()));
  candidates.push_back(shippedFile(
      installation, isHere ? sys::getHostCPUName() : StringRef(options.cpu)));
  for (const std::string &file : candidates) {
    std::string why;
    if (file.empty() || !sys::fs::exists(file))
      continue;
    if (readFigures(file, isHere, machine, warnings, why))
      return true;
    warnings.push_back(why + "; it is not used");
  }
  return true;
}

void printMachineChoice(const ChosenMachine &machine, raw_ostream &os) {
  os << machine.name << (machine.file.empty() ? "" : " (" + machine.file + ")")
     << "\n\n";
  printFigures(machine.figures, os);
}

} // namespace zpl::driver
