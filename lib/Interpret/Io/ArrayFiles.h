//===- ArrayFiles.h - Files that hold arrays --------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_INTERPRET_IO_ARRAYFILES_H
#define ZPL_LIB_INTERPRET_IO_ARRAYFILES_H

#include "Formats/Element.h"
#include "Run.h"
#include "llvm/ADT/ArrayRef.h"

namespace zpl::interpreter {

/// The number in files that a type is; none: it is no number.
std::optional<zrt::Element> elementOf(Type type);

/// Opens a picture to be written: `picture(name, colours, ...)` with all six
/// arguments. Gives the file's number.
int64_t openPicture(Run &run, llvm::ArrayRef<Value> args, SourceRange where);

/// What is asked of a file before its array is read: `rank(f)`, `shape(f, dim)`,
/// `element_type(f)`.
int64_t fileRank(Run &run, int64_t file, SourceRange where);
int64_t fileShape(Run &run, int64_t file, int64_t dim, SourceRange where);
std::string fileElement(Run &run, int64_t file, SourceRange where);

/// The index of element \p number in row-major order, "(2, 0)".
std::string elementIndex(const std::vector<int64_t> &shape, int64_t number);

/// Notes that the one array or value in the file is written or read; ends the
/// run if it was before.
void complete(Run &run, File &file);

/// Writes an array to a file that is not plain; a picture's is kept until its
/// statement ends.
void writeWhole(Run &run, File &file, Type type,
                std::unique_ptr<ArrayStorage> values, const Region &region);
/// The same of a value, at \p address.
void writeWholeValue(Run &run, File &file, Type type, const char *address);
/// At the end of a statement that wrote to \p file: makes a picture of the
/// arrays that were kept.
void finishPicture(Run &run, File &file);

/// What is read from a file that is not plain: the images of \p region's
/// elements in row-major order, or of one value (null).
std::vector<char> readWhole(Run &run, File &file, Type type,
                            const Region *region);

} // namespace zpl::interpreter

#endif // ZPL_LIB_INTERPRET_IO_ARRAYFILES_H
