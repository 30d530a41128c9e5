//===- VtkSeries.cpp - Image data of VTK step by step ---------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     write(open("heat.pvd:T@0.5", file_append), T)
//
// makes the next of the files heat_000000.vti, heat_000001.vti ... and then names
// it in heat.pvd, with its time; without one, with its number. An array at the
// time of the last one is added to the same file. Read is the last step, or that
// of a time:
//
//     <VTKFile type="Collection"> <Collection>
//       <DataSet timestep="0.5" file="heat_000000.vti"/>
//     </Collection> </VTKFile>
//
//===----------------------------------------------------------------------===//

#include "Formats/Vtk/VtkSeries.h"

#include "Formats/Vtk/VtkHeader.h"
#include "Formats/Vtk/VtkImage.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace zrt {

namespace {

struct TimeStep {
  std::string time, file; ///< as written
};

class VtkSeriesStore : public FileStore {
public:
  explicit VtkSeriesStore(const StoreName &name) : name(name) {}
  std::string create(const NewArray &array, StoredPlace &place) override;
  std::string finish() override;
  std::string find(NumpyArray &found, StoredPlace &place) override;
  std::string load(const int64_t *first, const int64_t *count,
                   char *to) override {
    return image->load(first, count, to);
  }
  std::string setAttribute(const StoredAttribute &) override {
    return "takes arrays at a time: what comes after the @ is the time";
  }
  std::string getAttribute(StoredAttribute &) override {
    return "has arrays at a time: what comes after the @ is the time";
  }

private:
  std::string readSteps();
  std::string fileOf(size_t step) const;
  StoreName imageName(const std::string &file) const;

  StoreName name;
  std::vector<TimeStep> steps;
  std::unique_ptr<FileStore> image;
};

std::string folderOf(const std::string &path) {
  size_t slash = path.rfind('/');
  return slash == path.npos ? "" : path.substr(0, slash + 1);
}

bool sameTime(const std::string &a, const std::string &b) {
  return a == b ||
         std::strtod(a.c_str(), nullptr) == std::strtod(b.c_str(), nullptr);
}

bool isTime(const std::string &text) {
  char *end;
  std::strtod(text.c_str(), &end);
  return !text.empty() && *end == 0;
}

} // namespace

std::string VtkSeriesStore::readSteps() {
  std::string text;
  if (!readWholeFile(name.file.path, text))
    return std::string("cannot be opened: ") + std::strerror(errno);
  XmlTag tag;
  bool isSeries = false, isWhole = false;
  for (size_t at = 0; nextXmlTag(text, at, tag); at = tag.end) {
    if (tag.name == "VTKFile")
      isSeries = tag.value("type") == "Collection";
    if (tag.name == "DataSet")
      steps.push_back({tag.value("timestep"), tag.value("file")});
    isWhole |= tag.name == "/VTKFile";
  }
  if (!isSeries)
    return "is no series of VTK";
  return isWhole ? "" : "ends within the list of its files";
}

/// `heat.pvd` has the files `heat_000000.vti` ...
std::string VtkSeriesStore::fileOf(size_t step) const {
  std::string path = name.file.path.substr(folderOf(name.file.path).size());
  char number[32];
  std::snprintf(number, sizeof number, "_%06zu.vti", step);
  return path.substr(0, path.size() - name.file.ending.size()) + number;
}

StoreName VtkSeriesStore::imageName(const std::string &file) const {
  StoreName result = name;
  result.file.path =
      (file.starts_with("/") ? "" : folderOf(name.file.path)) + file;
  result.file.ending = ".vti";
  result.part.attribute.clear();
  result.part.hasAttribute = false;
  return result;
}

std::string VtkSeriesStore::create(const NewArray &array, StoredPlace &place) {
  std::string before;
  bool isEmpty = !readWholeFile(name.file.path, before) || before.empty();
  if (!name.isNew && !isEmpty)
    if (std::string reason = readSteps(); !reason.empty())
      return reason;
  std::string time = name.part.hasAttribute ? name.part.attribute
                                            : std::to_string(steps.size());
  if (!isTime(time))
    return "has '" + time + "' after the @, which is no time";
  bool isAnother = !steps.empty() && sameTime(steps.back().time, time);
  if (!isAnother)
    steps.push_back({time, fileOf(steps.size())});
  StoreName own = imageName(steps.back().file);
  own.isNew = !isAnother;
  if (own.isNew)
    unlink(own.file.path.c_str());
  image = openVtkImage(own);
  place.path = own.file.path;
  return image->create(array, place);
}

std::string VtkSeriesStore::finish() {
  std::string reason = image->finish();
  if (!reason.empty())
    return reason;
  std::string text = "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" "
                     "version=\"0.1\">\n  <Collection>\n";
  for (const TimeStep &step : steps)
    text += "    <DataSet timestep=\"" + xmlText(step.time) + "\" file=\"" +
            xmlText(step.file) + "\"/>\n";
  text += "  </Collection>\n</VTKFile>\n";
  if (!writeWholeFile(name.file.path, text))
    return std::string("cannot be written: ") + std::strerror(errno);
  return "";
}

std::string VtkSeriesStore::find(NumpyArray &found, StoredPlace &place) {
  std::string reason = readSteps();
  if (!reason.empty())
    return reason;
  if (steps.empty())
    return "has no files";
  const TimeStep *step = &steps.back();
  if (name.part.hasAttribute) {
    step = nullptr;
    for (const TimeStep &each : steps)
      if (sameTime(each.time, name.part.attribute))
        step = &each;
    if (!step)
      return "has no file for the time " + name.part.attribute;
  }
  StoreName own = imageName(step->file);
  image = openVtkImage(own);
  place.path = own.file.path;
  reason = image->find(found, place);
  return reason.empty() ? ""
                        : "has the file '" + step->file + "', which " + reason;
}

std::unique_ptr<FileStore> openVtkSeries(const StoreName &name) {
  return std::make_unique<VtkSeriesStore>(name);
}

} // namespace zrt
