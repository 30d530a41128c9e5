//===- Model.h - A program's model, read from its file ----------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_PREDICT_MODEL_H
#define ZPL_PREDICT_MODEL_H

#include "zpl/Cost/Expression.h"
#include "llvm/ADT/StringRef.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace predict {

/// A dimension of a region; what is flooded has no bounds.
struct DimFormula {
  bool isFlooded = false;
  std::optional<zpl::Expression> lo, hi, stride, align;
};

/// An array that is read at an offset, or an offset of a shift.
struct ItemFormula {
  std::string array;
  std::optional<zpl::Expression> bytes; ///< of an element
  std::vector<zpl::Expression> offset;
  std::vector<DimFormula> declared;
  bool wraps = false;
};

/// What is executed: an operation, or a loop, branch or call with a body.
struct Entry {
  std::string kind;  ///< "for", "repeat", "if", "call", "m-loop" ...
  std::string place; ///< "jacobi.z:41"
  unsigned rank = 0;
  std::map<std::string, zpl::Expression> formulas; ///< by member
  std::map<std::string, int64_t> numbers;
  std::vector<int> dims;
  std::vector<DimFormula> region;
  std::vector<ItemFormula> items;
  int index = -1; ///< "for": the number of its name
  std::vector<Entry> body;

  bool has(const std::string &flag) const { return numbers.count(flag); }
  int64_t number(const std::string &name) const {
    auto found = numbers.find(name);
    return found == numbers.end() ? 0 : found->second;
  }
};

/// A config variable or an input, with what it is if nobody says otherwise.
struct NamedFormula {
  std::string name, about;
  zpl::Expression value;
  std::map<std::string, double> words; ///< of an enumeration
};

/// A rank of regions: in which dimensions waves travel, bit by bit.
struct RankInfo {
  unsigned rank = 0;
  int waves = 0;
};

/// See the file.
struct Model {
  std::string file, program;
  /// All names that formulas may use: p, r0 ... r5, r0.1 ..., configs, inputs,
  /// what is derived, indices of loops.
  std::vector<std::string> names;
  std::vector<NamedFormula> configs, inputs, derived;
  std::vector<RankInfo> ranks;
  std::vector<std::string> notes;
  std::vector<Entry> body;

  int numberOf(llvm::StringRef name) const; ///< -1: there is none
};

/// Reads the \p text of a model. Nothing if it is none, or of another version,
/// or something is missing or no formula; then \p error says what, by its
/// place: "p.cost: body[2].region[0]: column 3: there is no input 'm'".
std::optional<Model> parseModel(llvm::StringRef text, llvm::StringRef file,
                                std::string &error);

/// The same of a file.
std::optional<Model> readModel(llvm::StringRef file, std::string &error);

} // namespace predict

#endif // ZPL_PREDICT_MODEL_H
