//===- FileName.cpp - What a file's name says -----------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     a.txt                  plain
//     heat.npy               NumPy's, the path heat.npy
//     heat.npy:fortran       the same path, and the part "fortran"
//     out.h5:/run 1/T@unit   a store, the path out.h5
//     5:00.txt               plain: nothing before the colon ends as it should
//
// The first colon counts that comes after an ending with parts; the path is what
// is opened, the part is for the format.
//
//===----------------------------------------------------------------------===//

#include "Formats/FileName.h"

namespace zrt {

namespace {

struct Ending {
  const char *text;
  FileKind kind;
  bool hasParts; ///< a colon after it is not part of the path
};

constexpr Ending Endings[] = {
    {".npy", FileKind::Numpy, true},  {".png", FileKind::Image, false},
    {".apng", FileKind::Image, true}, {".mtx", FileKind::Matrix, false},
    {".csv", FileKind::Table, true},  {".h5", FileKind::Store, true},
    {".hdf5", FileKind::Store, true}, {".nc", FileKind::Store, true},
    {".vti", FileKind::Store, true},  {".pvd", FileKind::Store, true}};

const Ending *endingOf(std::string_view path) {
  for (const Ending &ending : Endings)
    if (path.ends_with(ending.text))
      return &ending;
  return nullptr;
}

} // namespace

FileName parseFileName(std::string_view name) {
  for (size_t colon = name.find(':'); colon != name.npos;
       colon = name.find(':', colon + 1)) {
    std::string_view path = name.substr(0, colon);
    const Ending *ending = endingOf(path);
    if (ending && ending->hasParts)
      return {std::string(path), std::string(name.substr(colon + 1)),
              ending->text, ending->kind};
  }
  const Ending *ending = endingOf(name);
  return {std::string(name), "", ending ? ending->text : "",
          ending ? ending->kind : FileKind::Plain};
}

} // namespace zrt
