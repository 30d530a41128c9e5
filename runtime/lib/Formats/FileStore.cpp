//===- FileStore.cpp - Files of several arrays with names -----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A store is a file that describes several arrays: HDF5, NetCDF, VTK. Its library
// is asked for the description only. The elements of an array that is written lie
// together, so the store says where, and all processors write their own parts
// there, as in a file without any format:
//
//     write(open("out.h5:/T", file_write), T)
//         1. the first processor makes the file, the groups and the data set, and
//            learns that its elements begin at byte 4096;
//         2. all write their elements there;
//         3. the first one finishes what must come after them.
//
// Reading is the same where the elements lie together uncompressed. Where not
// they come through the library, box by box (FileStore::load).
//
// The libraries are in plug-ins, which are loaded by the first use.
//
//===----------------------------------------------------------------------===//

#include "Formats/FileStore.h"

#include "Formats/Vtk/VtkImage.h"
#include "Formats/Vtk/VtkSeries.h"

#include <dlfcn.h>
#include <unistd.h>

namespace zrt {

std::string storePlugin(const std::string &ending, const std::string &folder) {
  if (ending == ".vti" || ending == ".pvd")
    return "";
  const char *format = ending == ".nc" ? "netcdf" : "hdf5";
  return folder + "/libzrt_file_" + format + ".so";
}

/// The function of a plug-in that opens files; null, with a sentence.
static StoreOpen *loadStorePlugin(const std::string &file,
                                  const std::string &ending,
                                  std::string &error) {
  std::string wanted = "files that end with " + ending + " need a plug-in, ";
  if (access(file.c_str(), F_OK) != 0) {
    error = wanted + "which is not installed: there is no " + file;
    return nullptr;
  }
  void *library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    error = wanted + "which cannot be loaded: " + dlerror();
    return nullptr;
  }
  auto *version =
      static_cast<const int32_t *>(dlsym(library, "zrt_store_version"));
  auto *open = reinterpret_cast<StoreOpen *>(dlsym(library, "zrt_store_open"));
  if (version && open && *version == StoreVersion)
    return open;
  error = wanted + "and " + file +
          (version && open ? " is of another version" : " is none");
  return nullptr;
}

std::unique_ptr<FileStore> openStore(const StoreName &name,
                                     const std::string &folder,
                                     std::string &error) {
  if (name.file.ending == ".vti")
    return openVtkImage(name);
  if (name.file.ending == ".pvd")
    return openVtkSeries(name);
  std::string file = storePlugin(name.file.ending, folder);
  StoreOpen *open = loadStorePlugin(file, name.file.ending, error);
  return std::unique_ptr<FileStore>(open ? open(name) : nullptr);
}

} // namespace zrt
