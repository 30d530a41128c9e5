//===- FileStore.h - Files of several arrays with names ---------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_FORMATS_FILESTORE_H
#define ZRT_FORMATS_FILESTORE_H

#include "Formats/FileName.h"
#include "Formats/NumpyHeader.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace zrt {

/// What the part of a store's name means: `name@attribute`,
/// `name[4](time, y, x)`.
struct StorePart {
  static constexpr int64_t All = 0, Next = -1;

  std::string name;      ///< of the array; "": the format's usual one
  std::string attribute; ///< what comes after the @; "": the array itself
  bool hasAttribute = false;
  /// Of the first dimension the index from 1; All; Next: one is added.
  int64_t record = All;
  std::vector<std::string> dimensions; ///< their names; empty: not given
};

/// Takes it apart; what is wrong, as the rest of a sentence that begins with
/// the file's name, or "".
std::string parseStorePart(std::string_view text, StorePart &part);

/// The indices of a dimension: lo, lo + stride ... so many.
struct StoredIndices {
  int64_t lo, stride, count;
};

/// An array that is to be stored, in row-major order.
struct NewArray {
  Element element;
  std::vector<StoredIndices> indices;

  std::vector<int64_t> shape() const;
  int64_t bytes() const;
};

/// Where the elements lie.
struct StoredPlace {
  int64_t offset = -1;    ///< together in the file, from here; -1: they do not
  std::string path;       ///< of the file; "": that which was opened
  bool lacksOnes = false; ///< extents of 1 at the front may be missing
};

/// A value beside the arrays: a text or some numbers.
struct StoredAttribute {
  bool isText = false;
  std::string text;
  Element element = Element::F64;
  std::string bytes; ///< of the numbers
};

/// An open store, on one processor. All functions give what is wrong, as the
/// rest of a sentence that begins with the file's name, or "".
class FileStore {
public:
  virtual ~FileStore() = default;

  /// Makes room for an array, after which its elements are to be written at
  /// \p place, and finish to be called.
  virtual std::string create(const NewArray &array, StoredPlace &place) = 0;
  virtual std::string finish() = 0;

  /// Looks for the array. Its `descr` is a word for elements that the language
  /// does not have.
  virtual std::string find(NumpyArray &found, StoredPlace &place) = 0;
  /// If they do not lie together: brings the elements of a box, counted from 0
  /// in each dimension, in row-major order and our byte order.
  virtual std::string load(const int64_t *first, const int64_t *count,
                           char *to) = 0;

  virtual std::string setAttribute(const StoredAttribute &value) = 0;
  virtual std::string getAttribute(StoredAttribute &value) = 0;
};

struct StoreName {
  FileName file;
  StorePart part;
  bool isNew = false; ///< what the file held before is forgotten
};

/// What plug-ins for files are compiled with: counts up with every change of
/// this header.
inline constexpr int32_t StoreVersion = 1;

/// A plug-in exports `zrt_store_version`, an int32_t, and this as
/// `zrt_store_open`. The caller deletes what it gets.
using StoreOpen = FileStore *(const StoreName &name);

/// The plug-in's file in \p folder for files that end with \p ending; "": there
/// is none, the format is the core's own.
std::string storePlugin(const std::string &ending, const std::string &folder);

/// The store of that name, by the plug-in in \p folder if it needs one. Null,
/// with a sentence in \p error.
std::unique_ptr<FileStore>
openStore(const StoreName &name, const std::string &folder, std::string &error);

} // namespace zrt

#endif // ZRT_FORMATS_FILESTORE_H
