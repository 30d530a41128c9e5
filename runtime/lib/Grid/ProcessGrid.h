//===- ProcessGrid.h - Processors arranged in dimensions --------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_GRID_PROCESSGRID_H
#define ZRT_GRID_PROCESSGRID_H

#include "zrt/Abi.h"

#include <map>
#include <string>
#include <vector>

namespace zrt {

/// What the command line says about the processor grids (language section 11),
/// and the program. Zero and empty mean "not said"; all numbers given are
/// positive.
struct GridRequest {
  int processors = 0;        ///< -p
  int levels[3] = {0, 0, 0}; ///< -r, -c, -l: extents of dimensions 1, 2, 3
  /// -gAxBxC: the extents of the grid of that many dimensions.
  std::vector<int> extents[ZRT_MAX_RANK + 1];
  /// -gNAME=AxBxC: those of the program's grid of that name, or of the
  /// distribution or domain if it has no grid of its own.
  std::map<std::string, std::vector<int>> named;
  /// For each rank: bit d is set if the program's waves travel along dimension
  /// d.
  int waves[ZRT_MAX_RANK + 1] = {};
};

/// A grid of processors in \c rank dimensions, numbered in row-major order.
struct ProcessGrid {
  int rank = 1;
  int extent[ZRT_MAX_RANK] = {1, 1, 1, 1, 1, 1};

  int size() const;
  /// Writes the grid coordinates of \p processor.
  void coordinates(int processor, int *coordinate) const;
  int processor(const int *coordinate) const;
};

/// The number of processors that \p request asks for: -p, else the product of
/// the extents of -r -c -l, else that of a -g; 0 if it says nothing.
int requestedProcessors(const GridRequest &request);

/// Makes the grid of \p rank dimensions for \p processors. -g fixes a grid of
/// its own rank; else -r -c -l fix the dimensions that the rank has, where a
/// rank with fewer dimensions than were named takes all that remains in its
/// last one (so a one-dimensional grid is always all processors); the
/// dimensions left over are made as even as possible, larger extents first, but
/// where waves travel last, and there from the last dimension.
/// False if that is impossible, with the reason in \p error.
bool makeGrid(const GridRequest &request, int rank, int processors,
              ProcessGrid &grid, std::string &error);

/// Completes \p fixed, an extent per dimension, 0 where it is open: as even as
/// possible, larger extents first. False if \p processors make no such grid.
bool completeGrid(const std::vector<int> &fixed, int processors,
                  ProcessGrid &grid);

/// "2 x ?".
std::string toString(const std::vector<int> &extents);

/// Checks that grids of all ranks are possible; as makeGrid.
bool checkGrids(const GridRequest &request, int processors, std::string &error);

} // namespace zrt

#endif // ZRT_GRID_PROCESSGRID_H
