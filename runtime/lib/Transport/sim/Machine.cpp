//===- Machine.cpp - The machine that is simulated ------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     { "format": "zpl-machine", "version": 1, "name": "CM-5",
//       "transports": { "network": { "latency": 3.12e-6, "send": 1.12e-6,
//           "receive": 1.88e-6, "gap": 1.88e-6, "byte": 9.4e-8,
//           "hop": 2.2e-7, "contention": "receiver",
//           "topology": "fat-tree" } },
//       "processor": { "flop": 2e-7, "byte": 2e-8 } }
//
// is a file that zpl-calibrate writes, or one of share/machines, of which a
// simulation needs these two sections. Five figures have no default: who leaves
// one out has forgotten it. All are finite and not negative; anything else is
// refused by the name of the figure, since a time that is wrong looks like any
// other.
//
//===----------------------------------------------------------------------===//

#include "Transport/sim/Machine.h"

#include "Transport/sim/Json.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <dirent.h>
#include <fstream>
#include <iterator>
#include <vector>

using namespace zrt::sim;

namespace {

/// Larger figures are mistakes, and times stay in range.
constexpr double LargestFigure = 1000;

constexpr struct {
  const char *name;
  Topology topology;
} Topologies[] = {{"flat", Topology::Flat},
                  {"mesh", Topology::Mesh},
                  {"torus", Topology::Torus},
                  {"fat-tree", Topology::FatTree},
                  {"bus", Topology::Bus}};

/// The figures of one object.
struct Section {
  const JsonValue &object;
  std::string shown; ///< "transport 'mpi'"
  std::string &error;

  bool fail(const std::string &what) const {
    error = what;
    return false;
  }
  bool figure(const char *name, double &value, bool isNeeded) const {
    const JsonValue *found = object.find(name);
    if (!found)
      return !isNeeded || fail(shown + " has no \"" + name + "\"");
    if (found->kind != JsonValue::Kind::Number)
      return fail("\"" + std::string(name) + "\" of " + shown +
                  " is no number");
    if (found->number < 0)
      return fail("\"" + std::string(name) + "\" of " + shown + " is negative");
    if (found->number > LargestFigure)
      return fail("\"" + std::string(name) + "\" of " + shown +
                  " is more than 1000 seconds");
    value = found->number;
    return true;
  }
  bool word(const char *name, std::string &value) const {
    const JsonValue *found = object.find(name);
    if (found && found->kind != JsonValue::Kind::Text)
      return fail("\"" + std::string(name) + "\" of " + shown + " is no text");
    if (found)
      value = found->text;
    return true;
  }
};

bool takeTopology(const Section &section, Machine &machine) {
  std::string word = "flat", valid;
  if (!section.word("topology", word))
    return false;
  for (const auto &known : Topologies) {
    if (word == known.name) {
      machine.topology = known.topology;
      return true;
    }
    valid += (valid.empty() ? "" : ", ") + std::string(known.name);
  }
  return section.fail("\"topology\" of " + section.shown + " is \"" + word +
                      "\"; there are: " + valid);
}

bool takeContention(const Section &section, Machine &machine) {
  std::string word = "none";
  if (!section.word("contention", word))
    return false;
  machine.contention = word == "receiver";
  return word == "receiver" || word == "none" ||
         section.fail("\"contention\" of " + section.shown + " is \"" + word +
                      "\"; there are: receiver, none");
}

bool takeTransport(const JsonValue &object, Machine &machine,
                   std::string &error) {
  Section section{object, "transport \"" + machine.transport + "\"", error};
  return section.figure("latency", machine.latency, true) &&
         section.figure("send", machine.send, true) &&
         section.figure("receive", machine.receive, true) &&
         section.figure("gap", machine.gap, true) &&
         section.figure("byte", machine.byte, true) &&
         section.figure("receive_byte", machine.receiveByte, false) &&
         section.figure("hop", machine.hop, false) &&
         takeTopology(section, machine) && takeContention(section, machine);
}

bool takeProcessor(const JsonValue &file, Machine &machine,
                   std::string &error) {
  const JsonValue *object = file.find("processor");
  if (!object)
    return true;
  machine.hasProcessor = true;
  Section section{*object, "\"processor\"", error};
  if (!object->isObject())
    return section.fail("\"processor\" is no object");
  return section.figure("flop", machine.operation, true) &&
         section.figure("byte", machine.memoryByte, true);
}

/// The names of the files in a folder, without ".json", in order.
std::string namesIn(const std::string &folder) {
  std::vector<std::string> names;
  constexpr std::string_view End = ".json";
  if (DIR *open = opendir(folder.c_str())) {
    while (const dirent *entry = readdir(open)) {
      std::string name = entry->d_name;
      if (name.ends_with(End))
        names.push_back(name.substr(0, name.size() - End.size()));
    }
    closedir(open);
  }
  std::sort(names.begin(), names.end());
  std::string all;
  for (const std::string &name : names)
    all += (all.empty() ? "" : ", ") + name;
  return all;
}

} // namespace

bool zrt::sim::parseMachine(std::string_view text, const std::string &transport,
                            Machine &machine, std::string &error) {
  JsonValue file;
  machine = {};
  if (!readJson(text, file, error))
    return false;
  Section top{file, "the file", error};
  std::string format;
  double version = 0;
  if (!file.isObject() || !top.word("format", format) ||
      format != "zpl-machine")
    return top.fail("it is no machine file: \"format\" is not \"zpl-machine\"");
  if (!top.figure("version", version, true))
    return false;
  if (version != 1)
    return top.fail("its version is not 1, the one that is known here");
  if (!top.word("name", machine.name))
    return false;
  const JsonValue *all = file.find("transports");
  if (!all || !all->isObject() || all->members.empty())
    return top.fail("it has no \"transports\"");
  machine.transport =
      transport.empty() ? all->members.front().first : transport;
  const JsonValue *object = all->find(machine.transport);
  if (!object || !object->isObject())
    return top.fail("it has no transport \"" + machine.transport + "\"");
  return takeTransport(*object, machine, error) &&
         takeProcessor(file, machine, error);
}

bool zrt::sim::findMachine(const std::string &name,
                           const std::string &installed,
                           const std::string &transport, Machine &machine,
                           std::string &error) {
  bool isPath = name.find('/') != name.npos || name.ends_with(".json");
  std::string path = isPath ? name : installed + "/" + name + ".json";
  std::ifstream file(path);
  if (!file.is_open()) {
    int reason = errno;
    std::string names = namesIn(installed);
    error = isPath ? "cannot read the machine file '" + path +
                         "': " + std::strerror(reason)
                   : "there is no machine '" + name + "'; there are: " +
                         (names.empty() ? "none in " + installed : names);
    return false;
  }
  std::string text((std::istreambuf_iterator<char>(file)),
                   std::istreambuf_iterator<char>());
  if (parseMachine(text, transport, machine, error))
    return true;
  error = "machine file '" + path + "': " + error;
  return false;
}
