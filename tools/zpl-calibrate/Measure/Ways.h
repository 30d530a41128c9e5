//===- Ways.h - Everything that has a model of its cost ---------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A way to do something has a model, and can be measured at any point of its
/// inputs. Ways whose names begin alike, up to '/', are alternatives:
/// `fill/ordinary` and `fill/streamed` belong to the choice `fill`.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_CALIBRATE_WAYS_H
#define ZPL_CALIBRATE_WAYS_H

#include "Session.h"
#include "llvm/ADT/ArrayRef.h"
#include <functional>
#include <string>
#include <vector>

namespace calibrate {

/// Values for the inputs of a model, in its order.
using Point = std::vector<double>;

/// The values that an input takes: a list, or whole numbers of an interval.
struct Domain {
  std::vector<double> list = {}; ///< if not empty, these alone
  double least = 0, most = 0;    ///< else these and what lies between
  double multiple = 1;           ///< that values are of
};

/// See \file.
struct Way {
  std::string group; ///< that it is measured with
  zpl::Model model;  ///< with terms, without coefficients
  std::vector<Domain> domains;
  unsigned points = 36; ///< for training, of each interval
  unsigned checks = 20; ///< for verification
  /// The same points are measured several times, since there are few.
  bool isRepeated = false;
  /// Places where the last input changes the cost are looked for, alone and
  /// times these; empty: they are not.
  std::vector<std::string> breaks = {"1"};
  /// Completes the model before it is used; may be empty.
  std::function<void(Session &, Way &)> prepare = {};
  /// The time of each point; negative: it cannot be done there. Empty if
  /// nothing could be measured.
  std::function<std::vector<zpl::Measurement>(Session &, llvm::ArrayRef<Point>)>
      measure;

  /// "fill" of "fill/streamed"; all of a name without '/'.
  llvm::StringRef choice() const {
    return llvm::StringRef(model.name).split('/').first;
  }
};

/// A model with these terms; \p derived are names and their formulas. The
/// texts are ours: a mistake in one ends the program.
zpl::Model
modelOf(llvm::StringRef name, std::vector<std::string> inputs,
        llvm::ArrayRef<std::string> terms,
        llvm::ArrayRef<std::pair<std::string, std::string>> derived = {});

/// A grid of \p count points of each interval, at equal ratios.
std::vector<Point> gridOf(llvm::ArrayRef<Domain> domains, unsigned count);

/// A point of the domains by chance, uniform in the logarithm.
Point randomPoint(Session &session, llvm::ArrayRef<Domain> domains);

/// Measures the way at training and verification points, fits its model and
/// adds it to the machine. \p done and \p all count ways, for the bar. What
/// cannot be measured or fitted, and errors above a tenth, become notes.
void calibrateWay(Session &session, Way &way, size_t done, size_t all);

/// All ways of this program, in the order of their groups.
std::vector<Way> allWays(Session &session);

// Its parts.
std::vector<Way> memoryWays(Session &session);
std::vector<Way> gatherWays(Session &session);
std::vector<Way> transportWays(Session &session);

/// Sizes of the caches, the first level's first; what a machine of our days has
/// where the system does not tell.
std::vector<double> cacheSizes(const Session &session);

} // namespace calibrate

#endif // ZPL_CALIBRATE_WAYS_H
