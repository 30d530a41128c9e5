//===- Machine.h - What is known of a machine -------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A machine file: JSON with costs of transports, of the processor, models and
/// constants, for one machine or a family of them. zpl-calibrate writes it;
/// zplc, the runtime and predictions read it. docs/Models.md has an example.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_COST_MACHINE_H
#define ZPL_COST_MACHINE_H

#include "zpl/Cost/Fingerprint.h"
#include "zpl/Cost/Model.h"
#include <map>
#include <optional>
#include <string>

namespace llvm {
class raw_ostream;
}

namespace zpl {

/// Where figures come from that were not measured: their names to sources.
using Sources = std::map<std::string, std::string>;

/// What messages cost, after LogGP; seconds and seconds per byte.
struct TransportCosts {
  double latency = 0;              ///< L: from one processor to the other
  double send = 0;                 ///< o_s: the sender's work for a message
  double receive = 0;              ///< o_r: the receiver's
  double gap = 0;                  ///< g: between two messages of one processor
  double byte = 0;                 ///< G: for each byte of a long message
  double receiveByte = 0;          ///< the receiver's work for each byte
  double hop = 0;                  ///< for each switch on the way
  std::string contention = "none"; ///< or "receiver": messages wait there
  /// "flat", "mesh", "torus", "fat-tree" or "bus".
  std::string topology = "flat";
  Sources sources;
};

/// A figure as it was measured.
struct Measurement {
  double value = 0;  ///< the one that counts: a low quantile or the median
  double spread = 0; ///< of the repeats, as a share of the value
  std::string unit;  ///< "s", "B/s", "s/call" ...
  int64_t repeats = 0;
};

/// See \file.
struct Machine {
  std::string name;
  std::string source; ///< "measured by zpl-calibrate", or a document
  std::optional<Fingerprint> fingerprint; ///< of measured ones
  std::map<std::string, TransportCosts> transports;
  std::map<std::string, double> processor; ///< "flop", "byte": seconds
  Sources processorSources;
  ModelSet models;
  std::map<std::string, double> constants; ///< what passes and runtime ask for
  Sources constantSources;
  std::map<std::string, Measurement> measurements;
};

/// Reads a machine from the \p text of \p file. Nothing if it is none, or of
/// another version, or a figure is missing, negative or no number; then
/// \p error says what and where, with the file:
///
///     m.json: transports.shm.latency: is missing
///     m.json:3:7: Expected , or ] after array element
std::optional<Machine> parseMachine(llvm::StringRef text, llvm::StringRef file,
                                    std::string &error);

/// The same of a file, which is read.
std::optional<Machine> readMachine(llvm::StringRef file, std::string &error);

/// Writes it so that parseMachine reads the same, with six digits for each
/// figure.
void printMachine(const Machine &machine, llvm::raw_ostream &os);

/// Writes a file, completely or not at all, and the folders to it. False, with
/// a message in \p error, if that is impossible.
bool writeMachine(const Machine &machine, llvm::StringRef file,
                  std::string &error);

} // namespace zpl

#endif // ZPL_COST_MACHINE_H
