//===- MatrixElements.cpp - The elements of a matrix in a file ------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The lines of a file are in any order, so who owns an element is known when it
// is read. Processor 0 takes some lines apart (MatrixReader) and sends what they
// say to all, each of which keeps its own:
//
//     file          region [0..2, 0..2]      to all
//     1 1 2.5       (0, 0)                   2 elements, 0 0 1 2, 2.5 -1
//     2 3 -1        (1, 2)
//
// Nobody holds more than some thousand of them. A file is taken apart anew each
// time it is read: for the pattern, and for each array of values.
//
// Cost: the elements times the processors in messages; one processor's work.
//
//===----------------------------------------------------------------------===//

#include "IO/Matrix/MatrixElements.h"

#include "Collective/Collective.h"
#include "IO/Slabs.h"
#include "Layout/Type.h"
#include "Support/Error.h"

namespace zrt {

static constexpr int64_t PartElements = 8192;

std::vector<int64_t> matrixShape(const Box &box) {
  return {zrt::size(box.dim[0]), box.rank == 1 ? 1 : zrt::size(box.dim[1])};
}

/// Ends the run unless elements of \p known can be those of \p box and \p type.
static void checkMatrix(const File &file, const ArrayFile &known,
                        const Box &box, const zrt_type *type) {
  auto fail = [&](const std::string &what) {
    fatal(file.loc(), ErrorScope::Replicated, "%s %s", file.name().c_str(),
          what.c_str());
  };
  if (box.rank > 2)
    fail("holds a matrix, and is read over a region of rank 1 or 2, not " +
         std::to_string(box.rank));
  std::vector<int64_t> wanted = matrixShape(box);
  if (known.array.shape != wanted)
    fail("has the shape " + numpyShape(known.array.shape) +
         ", but the region has the shape " + numpyShape(wanted));
  std::optional<Element> to = type ? elementOf(*type) : std::nullopt;
  if (type && (!to || !converts(known.matrix, *to)))
    fail(std::string("has the field ") + nameOf(known.matrix.field) +
         ", which does not become " + typeText(*type));
}

MatrixElements::MatrixElements(Transport &transport, File &file, const Box &box,
                               const zrt_type *type)
    : transport(transport), file(file), box(box) {
  ArrayFile &known = describe(transport, file);
  checkMatrix(file, known, box, type);
  if (type) {
    element = elementOf(*type);
    size = type->size;
  }
  if (transport.rank() == 0)
    restartMatrix(file, known);
}

/// On processor 0: takes one more element; false at the end.
bool MatrixElements::take(MatrixReader &reader) {
  MatrixEntry entry;
  bool isThere = reader.next(entry);
  if (isThere && element) {
    values.resize(values.size() + static_cast<size_t>(size));
    isThere = reader.store(entry, *element, values.data() + number * size);
  }
  if (!reader.error().empty())
    fatal(file.loc(), ErrorScope::Replicated, "%s %s", file.name().c_str(),
          reader.error().c_str());
  if (!isThere)
    return false;
  const Seq *dim = box.dim;
  indices.push_back(dim[0].lo + entry.row * dim[0].stride);
  if (box.rank == 2)
    indices.push_back(dim[1].lo + entry.column * dim[1].stride);
  lines.push_back(entry.line);
  ++number;
  return true;
}

void MatrixElements::fill() {
  MatrixReader &reader = *file.arrayFile().reader;
  indices.clear();
  values.clear();
  lines.clear();
  number = 0;
  while (number < PartElements && take(reader))
    ;
}

bool MatrixElements::next() {
  if (transport.rank() == 0)
    fill();
  broadcast(transport, &number, sizeof number);
  if (number == 0)
    return false;
  indices.resize(static_cast<size_t>(number * box.rank));
  values.resize(static_cast<size_t>(number * size));
  broadcast(transport, indices.data(), indices.size() * sizeof(int64_t));
  if (!values.empty())
    broadcast(transport, values.data(), values.size());
  return true;
}

void MatrixElements::fail(int64_t k, const char *what) {
  std::vector<int64_t> line = {0};
  if (transport.rank() == 0)
    line[0] = lines[static_cast<size_t>(k)];
  broadcast(transport, line.data(), sizeof(int64_t));
  std::string at;
  for (int64_t i : index(k))
    at += (at.empty() ? "(" : ", ") + std::to_string(i);
  fatal(file.loc(), ErrorScope::Replicated, "%s is wrong in line %lld: %s) %s",
        file.name().c_str(), static_cast<long long>(line[0]), at.c_str(), what);
}

} // namespace zrt
