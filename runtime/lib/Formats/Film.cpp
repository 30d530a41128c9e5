//===- Film.cpp - Pictures that move --------------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An animated PNG is the picture of its first frame with three more kinds of
// chunks, which other programs pass over:
//
//     IHDR PLTE acTL   fcTL IDAT   fcTL fdAT   fcTL fdAT   IEND
//               how many  the first   the second
//
// A frame is written over the end of the film, with a new end; then the number of
// frames is raised. So after every frame the file is a whole film. What is there is
// found by going from chunk to chunk.
//
//===----------------------------------------------------------------------===//

#include "Formats/Film.h"

#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <unistd.h>

namespace zrt {

static constexpr size_t SignatureBytes = 8, ChunkFrame = 12;
static constexpr int UsualRate = 10, MostRate = 1000;

int filmRate(std::string_view part) {
  if (part.empty())
    return UsualRate;
  int rate = 0;
  auto [end, error] =
      std::from_chars(part.data(), part.data() + part.size(), rate);
  bool isGood = error == std::errc() && end == part.data() + part.size() &&
                rate >= 1 && rate <= MostRate;
  return isGood ? rate : -1;
}

namespace {

/// A chunk: four letters and what is in it.
struct Chunk {
  std::string kind;
  std::string_view data;
};

/// What is known of a film in a file.
struct FilmState {
  std::string start;     ///< all before acTL
  uint32_t frames = 0;   ///< so far
  uint32_t sequence = 0; ///< number of the next chunk of frames
  int64_t end = 0;       ///< where IEND begins
};

} // namespace

/// The check sum of PNG's chunks.
static uint32_t checkSum(std::string_view bytes) {
  static const std::array<uint32_t, 256> Table = [] {
    std::array<uint32_t, 256> table{};
    for (uint32_t k = 0; k < 256; ++k) {
      uint32_t c = k;
      for (int bit = 0; bit < 8; ++bit)
        c = c & 1 ? 0xedb88320u ^ (c >> 1) : c >> 1;
      table[k] = c;
    }
    return table;
  }();
  uint32_t sum = 0xffffffffu;
  for (char byte : bytes)
    sum = Table[(sum ^ static_cast<uint8_t>(byte)) & 255] ^ (sum >> 8);
  return ~sum;
}

static void appendNumber(std::string &bytes, uint32_t number, int count = 4) {
  for (int k = count - 1; k >= 0; --k)
    bytes += static_cast<char>(number >> (8 * k));
}

static uint32_t numberAt(std::string_view bytes) {
  uint32_t number = 0;
  for (size_t k = 0; k < 4; ++k)
    number = number << 8 | static_cast<uint8_t>(bytes[k]);
  return number;
}

static void appendChunk(std::string &bytes, const char *kind,
                        std::string_view data) {
  appendNumber(bytes, static_cast<uint32_t>(data.size()));
  std::string all = kind + std::string(data);
  bytes += all;
  appendNumber(bytes, checkSum(all));
}

/// The next chunk of a whole picture; false at the end.
static bool nextChunk(std::string_view &png, Chunk &chunk) {
  if (png.size() < ChunkFrame)
    return false;
  size_t length = numberAt(png);
  if (png.size() - ChunkFrame < length)
    return false;
  chunk = {std::string(png.substr(4, 4)), png.substr(8, length)};
  png.remove_prefix(length + ChunkFrame);
  return true;
}

/// A picture's start, up to the palette, and its compressed rows.
static void takeApart(std::string_view png, std::string &start,
                      std::string &rows) {
  start = png.substr(0, SignatureBytes);
  png.remove_prefix(SignatureBytes);
  Chunk chunk;
  while (nextChunk(png, chunk)) {
    if (chunk.kind == "IDAT")
      rows += chunk.data;
    else if (chunk.kind == "IHDR" || chunk.kind == "PLTE")
      appendChunk(start, chunk.kind.c_str(), chunk.data);
  }
}

static std::string readAt(int descriptor, int64_t at, size_t count) {
  std::string bytes(count, '\0');
  size_t done = 0;
  while (done < count) {
    ssize_t n = pread(descriptor, bytes.data() + done, count - done,
                      at + static_cast<int64_t>(done));
    if (n == 0 || (n < 0 && errno != EINTR))
      break;
    done += static_cast<size_t>(n < 0 ? 0 : n);
  }
  bytes.resize(done);
  return bytes;
}

static bool writeAt(int descriptor, int64_t at, std::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t n = pwrite(descriptor, bytes.data(), bytes.size(), at);
    if (n < 0 && errno != EINTR)
      return false;
    bytes.remove_prefix(static_cast<size_t>(n < 0 ? 0 : n));
    at += n < 0 ? 0 : n;
  }
  return true;
}

/// Goes through the chunks of a film; false if it is none that begins with \p
/// start.
static bool findFilm(int descriptor, const std::string &start,
                     FilmState &film) {
  film.start = start;
  auto at = static_cast<int64_t>(start.size());
  if (readAt(descriptor, 0, start.size()) != start)
    return false;
  while (true) {
    std::string head = readAt(descriptor, at, 12);
    if (head.size() < 12)
      return false;
    std::string kind = head.substr(4, 4);
    film.frames += kind == "fcTL";
    film.sequence += kind == "fcTL" || kind == "fdAT";
    film.end = at;
    if (kind == "IEND")
      return film.frames > 0;
    at += static_cast<int64_t>(numberAt(head) + ChunkFrame);
  }
}

static std::string controlOf(uint32_t frames) {
  std::string data, bytes;
  appendNumber(data, frames);
  appendNumber(data, 0); // again and again
  appendChunk(bytes, "acTL", data);
  return bytes;
}

/// The chunks of a frame, with the end of the film.
static std::string frameOf(FilmState &film, std::string_view rows, int rate) {
  std::string data, bytes;
  appendNumber(data, film.sequence++);
  // Width and height, behind the signature and the head of IHDR.
  data += film.start.substr(SignatureBytes + 8, 8);
  appendNumber(data, 0);
  appendNumber(data, 0);
  appendNumber(data, 1, 2); // one of `rate` parts of a second
  appendNumber(data, static_cast<uint32_t>(rate), 2);
  data += std::string(2, '\0'); // what it leaves, and how it is laid on
  appendChunk(bytes, "fcTL", data);
  if (film.frames == 0) {
    appendChunk(bytes, "IDAT", rows);
  } else {
    std::string numbered;
    appendNumber(numbered, film.sequence++);
    numbered += rows;
    appendChunk(bytes, "fdAT", numbered);
  }
  ++film.frames;
  appendChunk(bytes, "IEND", "");
  return bytes;
}

std::string addToFilm(int descriptor, std::string_view png, int rate) {
  std::string start, rows;
  takeApart(png, start, rows);
  FilmState film;
  bool isEmpty = readAt(descriptor, 0, 1).empty();
  film.start = start;
  if (!isEmpty && !findFilm(descriptor, start, film))
    return "is no film of pictures of this size and these colours";
  auto startBytes = static_cast<int64_t>(start.size());
  std::string control = controlOf(film.frames + 1);
  if (isEmpty)
    film.end = startBytes + static_cast<int64_t>(control.size());
  std::string frame = frameOf(film, rows, rate);
  // The number of pictures last: until then it is the film as it was.
  if (!writeAt(descriptor, film.end, frame) ||
      (isEmpty && !writeAt(descriptor, 0, start)) ||
      !writeAt(descriptor, startBytes, control))
    return std::string("cannot be written: ") + std::strerror(errno);
  return "";
}

} // namespace zrt
