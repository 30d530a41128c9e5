//===- Checkpoint.cpp - Files of a program's state ------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A checkpoint is
//
//     64 bytes   ZPLCKPT, version, byte order, where the directory is, sums
//     items      memory images, arrays in row-major order of their indices
//     directory  lines of text: the program, and of each item the name, type,
//                shape, place and sum
//
//     item	T	double	[0..9, 0..9]	8	64	800	3f0c4a52d1e07b96
//
// so its bytes do not depend on who owned what. The first 64 bytes are written
// last, into a file of another name, which then takes the place of the old one:
// what has the name is whole, whenever the program or the machine stops.
//
// The sum of an item must be made by many processors, each of which has other
// parts of it. It is linear: the sum over all groups of four bytes v of
// v * key, modulo 2^64, where the key depends on where the group is; parts of a
// group count as the group with zeros elsewhere. Keys are odd, so each changed
// group changes the sum; that several changes cancel out has a chance of about
// 2^-32, whatever they are (multilinear hashing). The key is the product of one
// for each block of 4 KiB and one for the place in it, of a table.
//
//===----------------------------------------------------------------------===//

#include "Formats/Checkpoint.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace zrt {

static constexpr char CheckpointMagic[8] = {'Z', 'P', 'L', 'C',
                                            'K', 'P', 'T', '\n'};
static constexpr uint32_t CheckpointVersion = 1;
static constexpr uint32_t ByteOrder = 0x01020304;

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

static constexpr int64_t GroupBytes = 4, BlockGroups = 1024;

/// Steele, Lea and Flood's splitmix64, made odd.
static constexpr uint64_t keyOf(uint64_t k) {
  uint64_t x = (k + 1) * 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return (x ^ (x >> 31)) | 1;
}

static constexpr auto PlaceKeys = [] {
  std::array<uint64_t, BlockGroups> keys{};
  for (uint64_t k = 0; k < keys.size(); ++k)
    keys[k] = keyOf(k << 32);
  return keys;
}();

/// The part of the sum that \p count groups of one block make.
static uint64_t sumOfGroups(const char *data, int64_t group, int64_t count) {
  const uint64_t *keys = PlaceKeys.data() + group % BlockGroups;
  // Two chains of additions, of two groups each.
  uint64_t sum = 0, other = 0;
  auto pair = [&](int64_t k) {
    uint64_t both;
    std::memcpy(&both, data + k * GroupBytes, sizeof both);
    return static_cast<uint32_t>(both) * keys[k] + (both >> 32) * keys[k + 1];
  };
  int64_t k = 0;
  for (; k + 4 <= count; k += 4) {
    sum += pair(k);
    other += pair(k + 2);
  }
  for (; k < count; ++k) {
    uint32_t value;
    std::memcpy(&value, data + k * GroupBytes, sizeof value);
    sum += value * keys[k];
  }
  sum += other;
  return sum * keyOf(static_cast<uint64_t>(group / BlockGroups));
}

void ImageSum::add(const char *data, size_t bytes, int64_t offset) {
  const char *end = data + bytes;
  auto addSome = [&](int64_t some) {
    char group[GroupBytes] = {};
    std::memcpy(group + offset % GroupBytes, data, static_cast<size_t>(some));
    value += sumOfGroups(group, offset / GroupBytes, 1);
    data += some;
    offset += some;
  };
  if (int64_t before = offset % GroupBytes; before != 0 && bytes != 0)
    addSome(std::min<int64_t>(GroupBytes - before, end - data));
  while (end - data >= GroupBytes) {
    int64_t group = offset / GroupBytes;
    int64_t count =
        std::min((end - data) / GroupBytes, BlockGroups - group % BlockGroups);
    value += sumOfGroups(data, group, count);
    data += count * GroupBytes;
    offset += count * GroupBytes;
  }
  if (data != end)
    addSome(end - data);
}

static uint64_t sumOf(std::string_view bytes) {
  ImageSum sum;
  sum.add(bytes.data(), bytes.size(), 0);
  return sum.value;
}

//===----------------------------------------------------------------------===//
// The directory
//===----------------------------------------------------------------------===//

const CheckpointItem *CheckpointDirectory::find(std::string_view name) const {
  for (const CheckpointItem &item : items)
    if (item.name == name)
      return &item;
  return nullptr;
}

std::string directoryText(const CheckpointDirectory &directory) {
  std::string text = "program\t" + directory.program + "\nrandom\t" +
                     std::to_string(directory.randomNumbers) + "\n";
  for (const CheckpointItem &item : directory.items) {
    char sum[17];
    std::snprintf(sum, sizeof sum, "%016" PRIx64, item.sum);
    text += "item\t" + item.name + "\t" + item.type + "\t" + item.shape + "\t" +
            std::to_string(item.element) + "\t" + std::to_string(item.offset) +
            "\t" + std::to_string(item.bytes) + "\t" + sum + "\n";
  }
  return text;
}

static std::vector<std::string_view> fieldsOf(std::string_view line) {
  std::vector<std::string_view> fields;
  for (size_t start = 0; start <= line.size();) {
    size_t stop = std::min(line.find('\t', start), line.size());
    fields.push_back(line.substr(start, stop - start));
    start = stop + 1;
  }
  return fields;
}

template <typename T>
static bool takeNumber(std::string_view text, T &number, int base = 10) {
  const char *end = text.data() + text.size();
  auto [stop, status] = std::from_chars(text.data(), end, number, base);
  return status == std::errc() && stop == end;
}

static bool takeLine(std::string_view line, CheckpointDirectory &directory) {
  std::vector<std::string_view> fields = fieldsOf(line);
  if (fields.size() == 2 && fields[0] == "program") {
    directory.program = fields[1];
    return true;
  }
  if (fields.size() == 2 && fields[0] == "random")
    return takeNumber(fields[1], directory.randomNumbers);
  if (fields.size() != 8 || fields[0] != "item")
    return false;
  CheckpointItem item;
  item.name = fields[1];
  item.type = fields[2];
  item.shape = fields[3];
  bool isRight = takeNumber(fields[4], item.element) &&
                 takeNumber(fields[5], item.offset) &&
                 takeNumber(fields[6], item.bytes) &&
                 takeNumber(fields[7], item.sum, 16);
  directory.items.push_back(std::move(item));
  return isRight;
}

std::string readDirectory(const std::string &text, const DirectoryPlace &place,
                          CheckpointDirectory &directory) {
  const std::string damaged = "is damaged: its directory is not what was "
                              "written";
  if (sumOf(text) != place.sum)
    return damaged;
  for (size_t start = 0; start < text.size();) {
    size_t stop = std::min(text.find('\n', start), text.size());
    if (!takeLine(std::string_view(text).substr(start, stop - start),
                  directory))
      return damaged;
    start = stop + 1;
  }
  return "";
}

//===----------------------------------------------------------------------===//
// The preamble
//===----------------------------------------------------------------------===//

namespace {

struct Preamble {
  char magic[8];
  uint32_t version, byteOrder;
  int64_t offset, bytes;
  uint64_t directorySum;
  char reserved[16];
  uint64_t ownSum; ///< of all before
};
static_assert(sizeof(Preamble) == CheckpointPreamble);

uint64_t ownSumOf(const Preamble &preamble) {
  return sumOf(
      {reinterpret_cast<const char *>(&preamble), offsetof(Preamble, ownSum)});
}

} // namespace

std::string preambleText(const std::string &text, int64_t offset) {
  Preamble preamble = {};
  std::memcpy(preamble.magic, CheckpointMagic, sizeof CheckpointMagic);
  preamble.version = CheckpointVersion;
  preamble.byteOrder = ByteOrder;
  preamble.offset = offset;
  preamble.bytes = static_cast<int64_t>(text.size());
  preamble.directorySum = sumOf(text);
  preamble.ownSum = ownSumOf(preamble);
  return {reinterpret_cast<const char *>(&preamble), sizeof preamble};
}

std::string readPreamble(std::string_view bytes, int64_t size,
                         DirectoryPlace &place) {
  Preamble preamble = {};
  std::memcpy(&preamble, bytes.data(), std::min(bytes.size(), sizeof preamble));
  if (std::memcmp(preamble.magic, CheckpointMagic, sizeof CheckpointMagic) != 0)
    return "is no checkpoint";
  if (bytes.size() < sizeof preamble)
    return "is damaged: it ends after " + std::to_string(bytes.size()) +
           " bytes";
  if (preamble.byteOrder != ByteOrder)
    return "was made on a machine with another order of bytes";
  if (preamble.version != CheckpointVersion)
    return "is a checkpoint of version " + std::to_string(preamble.version) +
           "; this program reads version " + std::to_string(CheckpointVersion);
  if (preamble.ownSum != ownSumOf(preamble) || preamble.offset < 0 ||
      preamble.bytes < 0 || preamble.offset > INT64_MAX - preamble.bytes)
    return "is damaged: its first bytes are not what was written";
  int64_t end = preamble.offset + preamble.bytes;
  if (size < end)
    return "is damaged: it ends after " + std::to_string(size) + " of " +
           std::to_string(end) + " bytes";
  place = {preamble.offset, preamble.bytes, preamble.directorySum};
  return "";
}

//===----------------------------------------------------------------------===//
// Sentences
//===----------------------------------------------------------------------===//

/// "double", "double over [1..8]".
static std::string described(const CheckpointItem &item) {
  return item.shape.empty() ? item.type : item.type + " over " + item.shape;
}

std::string itemMisfit(const CheckpointItem &found,
                       const CheckpointItem &wanted) {
  if (described(found) != described(wanted))
    return "has '" + found.name + "' of type " + described(found) +
           ", and this program of type " + described(wanted);
  if (found.element != wanted.element)
    return "has '" + found.name + "' of type " + described(found) + " with " +
           std::to_string(found.element) + " bytes a value, and this program " +
           "with " + std::to_string(wanted.element);
  return "";
}

std::string missingItem(const std::string &name) {
  return "has no '" + name + "', which this program declares";
}

std::string foreignItem(const std::string &name) {
  return "has '" + name + "', which this program does not declare";
}

std::string damagedItem(const std::string &name) {
  return "is damaged: the bytes of '" + name +
         "' are not those that were "
         "written";
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

std::string unfinishedName(const std::string &path) { return path + ".new"; }

/// Forces the entries of a folder to the disk; errno, or 0. Some systems of
/// files do not know that.
static int syncFolder(const std::string &path) {
  size_t slash = path.rfind('/');
  std::string folder = slash == path.npos ? "."
                       : slash == 0       ? "/"
                                          : path.substr(0, slash);
  int descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0)
    return errno == EACCES ? 0 : errno; // it may be entered, but not read
  int error = fsync(descriptor) != 0 && errno != EINVAL ? errno : 0;
  close(descriptor);
  return error;
}

int publishCheckpoint(const std::string &path) {
  if (std::rename(unfinishedName(path).c_str(), path.c_str()) != 0)
    return errno;
  return syncFolder(path);
}

} // namespace zrt
