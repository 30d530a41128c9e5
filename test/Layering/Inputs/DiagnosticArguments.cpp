//===- DiagnosticArguments.cpp - Right and wrong reports ------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiled by diagnostic-arguments.test, without WRONG and with it.
//
//===----------------------------------------------------------------------===//

#include "zpl/Support/Diagnostic.h"

using namespace zpl;

void right(DiagnosticEngine &diags, SourceRange range, bool isIndex,
           const std::string &name, llvm::StringRef what, size_t rank,
           DiagWith<Diag::Text> handedOn) {
  diags.report(range, Diag::AssignedRank, 1u, name, rank)
      .note(range, Diag::DeclaredHere, "A")
      .note(range, isIndex ? Diag::AssignedHere : Diag::DeclaredHere, what);
  diags.report(range, isIndex ? Diag::IndexRank : Diag::NeedsRank, 1, rank)
      .note(range, handedOn, name + "B");
  diags.report(range, Diag::NotARegion).done();
}

#ifdef WRONG
void wrongCounts(DiagnosticEngine &diags, SourceRange range) {
  // CHECK: Arguments.cpp:[[#@LINE+1]]:{{.*}} error: no matching
  diags.report(range, Diag::AssignedRank, 1, "A").done();
  // CHECK: Arguments.cpp:[[#@LINE+1]]:{{.*}} error: no matching
  diags.report(range, Diag::AssignedRank, 1, "A", 2, 3).done();
  // CHECK: Arguments.cpp:[[#@LINE+1]]:{{.*}} error: no matching
  diags.report(range, Diag::NotARegion, "A").done();
  // CHECK: Arguments.cpp:[[#@LINE+1]]:{{.*}} error: no matching
  diags.report(range, Diag::NotARegion).note(range, Diag::DeclaredHere);
}

void wrongKinds(DiagnosticEngine &diags, SourceRange range, size_t rank) {
  // CHECK: Arguments.cpp:[[#@LINE+1]]:{{.*}} error: {{no matching|cannot|invalid}}
  diags.report(range, Diag::AssignedRank, "A", "A", 2).done();
  // CHECK: Arguments.cpp:[[#@LINE+1]]:{{.*}} error: {{no matching|cannot|invalid}}
  diags.report(range, Diag::AssignedRank, 1, rank, 2).done();
  // CHECK: Arguments.cpp:[[#@LINE+1]]:{{.*}} error: {{no matching|cannot|invalid}}
  diags.report(range, Diag::AssignedRank, true, "A", 2).done();
  // CHECK: Arguments.cpp:[[#@LINE+1]]:{{.*}} error: {{no matching|cannot|invalid}}
  diags.report(range, Diag::AssignedRank, 'x', "A", 2).done();
  // CHECK: Arguments.cpp:[[#@LINE+1]]:{{.*}} error: {{no matching|cannot|invalid}}
  diags.report(range, Diag::NotARegion).note(range, Diag::DeclaredHere, 1);
  // CHECK: Arguments.cpp:[[#@LINE+1]]:{{.*}} error:
  diags.report(range, Diag::NotARegion).note(range, Diag::DeclaredHere, 0);
}

void wrongIds(DiagnosticEngine &diags, SourceRange range, bool isIndex) {
  // CHECK: Arguments.cpp:[[#@LINE+1]]:{{.*}} error: {{operands|incompatible}}
  diags.report(range, isIndex ? Diag::AssignedRank : Diag::IndexRank, 1, 2);
  // CHECK: Arguments.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}conversion from
  DiagWith<Diag::Text> handedOn = Diag::IndexRank;
  // CHECK: Arguments.cpp:[[#@LINE+1]]:{{.*}} error: no matching
  diags.report(range, DiagId::IndexRank, 1, 2).done();
  diags.report(range, handedOn, "A").done();
}
#endif
