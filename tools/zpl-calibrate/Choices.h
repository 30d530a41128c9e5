//===- Choices.h - Alternatives among models --------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_CALIBRATE_CHOICES_H
#define ZPL_CALIBRATE_CHOICES_H

#include "zpl/Cost/Machine.h"
#include "zpl/Cost/Select.h"
#include "llvm/ADT/ArrayRef.h"
#include <map>

namespace calibrate {

/// Models whose names begin alike, up to '/', by that beginning; only where
/// there are two or more, with the same inputs and ranges.
std::map<std::string, std::vector<const zpl::Model *>>
choicesOf(const zpl::Machine &machine);

/// What the models of a choice say at a point.
zpl::Choice choiceAt(const zpl::Machine &machine,
                     llvm::ArrayRef<const zpl::Model *> ways,
                     const std::vector<double> &point);

/// The values of an input that some model of a choice was fitted for.
zpl::InputRange commonRange(llvm::ArrayRef<const zpl::Model *> ways,
                            unsigned input);

} // namespace calibrate

#endif // ZPL_CALIBRATE_CHOICES_H
