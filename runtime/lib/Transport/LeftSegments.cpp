//===- LeftSegments.cpp - Shared memory that nobody uses any more ---------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Communication libraries make files in /dev/shm, tell their names to the other
// processes of the machine, and remove them when all have mapped them:
//
//     mpich_shar_tmpW8rzjJ     MPICH, in MPI_Init and for windows
//     ucx_shm_posix_2ea3debd   UCX below it
//     vader_segment.host.1.2   Open MPI
//
// A process that dies in between leaves its file for ever. Whoever creates or
// uses such a file has it open or mapped from the first moment on. So a file
// that no living process has belongs to a dead one, and may be removed by
// anybody, at any time, as often as one likes: there is no moment to miss.
// Only processes of the same user can have it, and these can be looked at.
//
// Cost: nothing but reading /dev/shm where there is no such file; else a walk
// through the open files and mappings of all processes of the user.
//
//===----------------------------------------------------------------------===//

#include "Transport/LeftSegments.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

using namespace zrt;

namespace fs = std::filesystem;

static constexpr const char *Folder = "/dev/shm/";
static constexpr const char *Prefixes[] = {"mpich_shar_tmp", "ucx_shm_posix_",
                                           "vader_segment."};

static std::vector<std::string> candidates(time_t since) {
  std::vector<std::string> found;
  std::error_code error;
  for (const fs::directory_entry &entry :
       fs::directory_iterator(Folder, error)) {
    std::string name = entry.path().filename();
    bool isOfLibrary = std::any_of(
        std::begin(Prefixes), std::end(Prefixes),
        [&](const char *prefix) { return name.starts_with(prefix); });
    struct stat status;
    if (isOfLibrary && stat(entry.path().c_str(), &status) == 0 &&
        status.st_uid == geteuid() && status.st_ctime >= since)
      found.push_back(entry.path());
  }
  return found;
}

/// Drops from \p paths those that the process with the folder \p process in
/// /proc has open or mapped.
static void dropUsed(const fs::path &process, std::vector<std::string> &paths) {
  std::ifstream maps(process / "maps");
  for (std::string line; std::getline(maps, line);)
    if (size_t at = line.find(Folder); at != line.npos)
      std::erase(paths, line.substr(at));
  std::error_code error;
  for (const fs::directory_entry &file :
       fs::directory_iterator(process / "fd", error)) {
    fs::path target = fs::read_symlink(file.path(), error);
    if (!error)
      std::erase(paths, target.string());
  }
}

void zrt::removeLeftSegments(time_t since) {
  std::vector<std::string> left = candidates(since);
  if (left.empty())
    return;
  std::error_code error;
  for (const fs::directory_entry &process :
       fs::directory_iterator("/proc", error))
    if (std::isdigit(process.path().filename().string()[0]))
      dropUsed(process.path(), left);
  for (const std::string &path : left)
    unlink(path.c_str());
}
