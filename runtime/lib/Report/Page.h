//===- Page.h - A report as a page ------------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_REPORT_PAGE_H
#define ZRT_REPORT_PAGE_H

#include "Report/Facts.h"
#include "Report/Run.h"

namespace zrt::report {

/// One HTML file that needs no other: what is known of a program, and of a run
/// of it if \p run is not null. docs/Guide/Reports.md says how to read it.
std::string page(const Facts &facts, const Run *run);

} // namespace zrt::report

#endif // ZRT_REPORT_PAGE_H
