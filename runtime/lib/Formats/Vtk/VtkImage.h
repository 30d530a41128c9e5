//===- VtkImage.h - Image data of VTK ---------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_FORMATS_VTK_VTKIMAGE_H
#define ZRT_FORMATS_VTK_VTKIMAGE_H

#include "Formats/FileStore.h"

namespace zrt {

/// The array of a *.vti file.
std::unique_ptr<FileStore> openVtkImage(const StoreName &name);

/// All bytes of the file; false with errno.
bool readWholeFile(const std::string &path, std::string &bytes);
/// Makes the file anew, with these bytes; false with errno.
bool writeWholeFile(const std::string &path, std::string_view bytes);

} // namespace zrt

#endif // ZRT_FORMATS_VTK_VTKIMAGE_H
