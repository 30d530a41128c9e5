//===- Fingerprint.cpp - Which machine something was measured on ----------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The processor as /proc/cpuinfo describes the first one, its features as LLVM
// finds them, caches and memory as sysconf knows them. A virtual machine that
// moves to another host with the same processor keeps its profile; one that
// gets fewer cores or another cache does not.
//
//===----------------------------------------------------------------------===//

#include "zpl/Cost/Fingerprint.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"
#include "llvm/TargetParser/Host.h"
#include <algorithm>
#include <sched.h>
#include <unistd.h>

using namespace llvm;

namespace zpl {

/// The lines of the first processor: what stands before ':' and behind it.
static StringMap<std::string> firstProcessor() {
  StringMap<std::string> lines;
  // Its size is not known before it is read.
  auto buffer = MemoryBuffer::getFileAsStream("/proc/cpuinfo");
  if (!buffer)
    return lines;
  for (StringRef rest = (*buffer)->getBuffer(); !rest.empty();) {
    auto [line, behind] = rest.split('\n');
    rest = behind;
    auto [name, value] = line.split(':');
    if (name.trim().empty())
      break;
    lines[name.trim()] = value.trim().str();
  }
  return lines;
}

static int64_t number(const StringMap<std::string> &lines, StringRef name) {
  int64_t value = 0;
  StringRef(lines.lookup(name)).getAsInteger(0, value);
  return value;
}

/// Processors that this process may run on.
static int64_t processorCount() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0)
    return CPU_COUNT(&set);
  return std::max<int64_t>(sysconf(_SC_NPROCESSORS_ONLN), 1);
}

Fingerprint thisMachine() {
  Fingerprint result;
  StringMap<std::string> lines = firstProcessor();
  result.vendor = lines.lookup("vendor_id");
  if (result.vendor.empty()) // ARM's names
    result.vendor = lines.lookup("CPU implementer");
  result.family = number(lines, "cpu family");
  result.model = number(lines, lines.contains("model") ? "model" : "CPU part");
  for (const auto &feature : sys::getHostCPUFeatures())
    if (feature.getValue())
      result.features.push_back(feature.getKey().str());
  llvm::sort(result.features);
  result.processors = processorCount();
  for (int level : {_SC_LEVEL1_DCACHE_SIZE, _SC_LEVEL2_CACHE_SIZE,
                    _SC_LEVEL3_CACHE_SIZE, _SC_LEVEL4_CACHE_SIZE})
    if (int64_t bytes = sysconf(level); bytes > 0)
      result.caches.push_back(bytes);
  int64_t pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  if (pages > 0 && page > 0)
    result.memory = pages * page;
  return result;
}

static std::string listed(const std::vector<int64_t> &numbers) {
  if (numbers.empty())
    return "unknown";
  return join(map_range(numbers, [](int64_t n) { return std::to_string(n); }),
              ", ");
}

/// Features of \p one that \p other lacks.
static std::string missing(const std::vector<std::string> &one,
                           const std::vector<std::string> &other) {
  std::string text;
  for (const std::string &feature : one)
    if (!is_contained(other, feature))
      text += " " + feature;
  return text;
}

std::string differences(const Fingerprint &there, const Fingerprint &here) {
  std::vector<std::string> found;
  auto compare = [&](const char *what, const auto &a, const auto &b,
                     auto &&text) {
    if (a != b)
      found.push_back(std::string(what) + " " + text(a) + " there, " + text(b) +
                      " here");
  };
  auto decimal = [](int64_t n) { return std::to_string(n); };
  compare("vendor", there.vendor, here.vendor, [](const std::string &s) {
    return s.empty() ? std::string("unknown") : s;
  });
  compare("family", there.family, here.family, decimal);
  compare("model", there.model, here.model, decimal);
  if (auto more = missing(there.features, here.features); !more.empty())
    found.push_back("only there:" + more);
  if (auto more = missing(here.features, there.features); !more.empty())
    found.push_back("only here:" + more);
  compare("processors", there.processors, here.processors, decimal);
  compare("caches", there.caches, here.caches, listed);
  int64_t apart = std::abs(there.memory - here.memory);
  if (apart > std::max(there.memory, here.memory) / 10)
    compare("memory", there.memory, here.memory, decimal);
  return join(found, "; ");
}

std::string digits(const Fingerprint &fingerprint) {
  std::string all = fingerprint.vendor;
  for (int64_t n : {fingerprint.family, fingerprint.model})
    all += " " + std::to_string(n);
  all += " " + std::to_string(fingerprint.processors);
  all += " " + join(fingerprint.features, ",");
  all += " " + listed(fingerprint.caches);
  return utohexstr(xxh3_64bits(all), /*LowerCase=*/true, /*Width=*/16);
}

std::string cacheFile(const Fingerprint &fingerprint) {
  SmallString<128> path;
  if (!sys::path::cache_directory(path))
    return {};
  sys::path::append(path, "zpl", "machine-" + digits(fingerprint) + ".json");
  return path.str().str();
}

} // namespace zpl
