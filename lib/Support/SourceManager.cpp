//===- SourceManager.cpp - Source texts and locations ---------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A source text is read once and never changes. A range is a pair of byte
// offsets; people want lines and columns. The offsets of all line beginnings
// are collected when a text is added (one pass with memchr), so that a place is
// a binary search and a diagnostic in a file of a million lines costs no more
// than one in a file of ten. Lines end with "\n", "\r\n" or the end of the
// text.
//
//===----------------------------------------------------------------------===//

#include "zpl/Support/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace zpl {

struct SourceManager::File {
  std::unique_ptr<MemoryBuffer> buffer;
  std::vector<uint32_t> lineStarts;

  explicit File(std::unique_ptr<MemoryBuffer> source)
      : buffer(std::move(source)) {
    StringRef text = buffer->getBuffer();
    lineStarts.push_back(0);
    for (size_t at = text.find('\n'); at != StringRef::npos;
         at = text.find('\n', at + 1))
      lineStarts.push_back(static_cast<uint32_t>(at + 1));
  }

  /// Index of the line in which the byte stands.
  size_t lineOf(uint32_t offset) const {
    auto after = llvm::upper_bound(lineStarts, offset);
    return static_cast<size_t>(after - lineStarts.begin()) - 1;
  }
};

SourceManager::SourceManager() = default;
SourceManager::~SourceManager() = default;

/// Texts are addressed with 32 bits, with room for one past the end.
static constexpr uint64_t sizeLimit = 1ull << 31;

ErrorOr<uint32_t> SourceManager::open(StringRef path) {
  sys::fs::file_status status;
  if (std::error_code error = sys::fs::status(path, status))
    return error;
  if (sys::fs::is_directory(status))
    return std::make_error_code(std::errc::is_a_directory);
  if (status.getSize() >= sizeLimit)
    return std::make_error_code(std::errc::file_too_large);
  ErrorOr<std::unique_ptr<MemoryBuffer>> buffer = MemoryBuffer::getFile(path);
  if (!buffer)
    return buffer.getError();
  if ((*buffer)->getBufferSize() >= sizeLimit)
    return std::make_error_code(std::errc::file_too_large);
  files.emplace_back(std::move(*buffer));
  return static_cast<uint32_t>(files.size() - 1);
}

uint32_t SourceManager::add(StringRef name, StringRef text) {
  assert(text.size() < sizeLimit && "texts are addressed with 32 bits");
  files.emplace_back(MemoryBuffer::getMemBufferCopy(text, name));
  return static_cast<uint32_t>(files.size() - 1);
}

uint32_t SourceManager::size() const {
  return static_cast<uint32_t>(files.size());
}

StringRef SourceManager::name(uint32_t file) const {
  return files[file].buffer->getBufferIdentifier();
}

StringRef SourceManager::text(uint32_t file) const {
  return files[file].buffer->getBuffer();
}

StringRef SourceManager::text(SourceRange range) const {
  if (!range.isValid())
    return "";
  return text(range.file).slice(range.begin, range.end);
}

LineColumn SourceManager::lineColumn(SourceRange range) const {
  if (!range.isValid())
    return {};
  const File &file = files[range.file];
  size_t line = file.lineOf(range.begin);
  return {static_cast<unsigned>(line + 1),
          range.begin - file.lineStarts[line] + 1};
}

StringRef SourceManager::line(uint32_t file, uint32_t offset) const {
  const File &source = files[file];
  StringRef text = source.buffer->getBuffer();
  size_t line = source.lineOf(offset);
  size_t end = line + 1 < source.lineStarts.size()
                   ? source.lineStarts[line + 1] - 1
                   : text.size();
  StringRef found = text.slice(source.lineStarts[line], end);
  found.consume_back("\r");
  return found;
}

} // namespace zpl
