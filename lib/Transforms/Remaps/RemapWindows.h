//===- RemapWindows.h - Remaps in loops on several processors ---*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_TRANSFORMS_REMAPS_REMAPWINDOWS_H
#define ZPL_LIB_TRANSFORMS_REMAPS_REMAPWINDOWS_H

#include "zpl/ArrayIR/Names.h"

namespace zpl::air {

/// Whether the elements that a gather reads may travel by windows.
bool mayFetch(const GatherStmt &gather);
/// Whether each processor may have all of what a gather reads; whether it may
/// combine what a scatter stores in an image first.
bool mayCopyWhole(const GatherStmt &gather);
bool mayImage(const ScatterStmt &scatter);
/// Whether a scatter without an operator may store through a window.
bool mayStore(const ScatterStmt &scatter);

/// Whether a reference is by these maps where the mask leaves them.
bool haveSameMaps(const WindowReference &reference, llvm::ArrayRef<Map> maps,
                  const Mask &mask);

/// Has elements of the windows travel together. They are of one form, and follow
/// each other in a list.
void groupWindows(llvm::ArrayRef<WindowStmt *> windows);

/// Makes the windows through which one loop reads and writes elements by maps,
/// as locals of the procedure.
class RemapWindows {
public:
  RemapWindows(Module &module, Procedure &procedure)
      : module(module), procedure(procedure), names(procedure) {}

  /// For the next loop.
  void start();
  /// Elements of all windows of the loop travel together.
  void group();
  /// The element that a gather reads at an index, which its check calls \p text;
  /// all gathers of one source over one region share a window.
  const RemapExpr *fetched(const GatherStmt &gather, llvm::StringRef text);
  /// The element that a scatter stores, which its check calls \p text.
  const RemapExpr *collected(const ScatterStmt &scatter, llvm::StringRef text);
  /// All elements of \p source, on each processor.
  Array *copied(Array *source, SourceRange range);
  /// What a scatter combines with instead of its target.
  Array *imaged(const ScatterStmt &scatter);
  /// The loop notes wrong values of maps.
  void confirm(SourceRange range);

  StmtList before; ///< the loop
  StmtList after;

private:
  Array *makeLocal(llvm::StringRef base, Type element, const Shape &shape,
                   const Domain *domain, SourceRange range);
  WindowStmt *windowOf(const GatherStmt &gather);
  void mergeInto(const ScatterStmt &scatter, Array *image);
  Array *makeWindow(Type element, SourceRange range);
  const RemapExpr *elementAt(const WindowStmt &window, Array *positions,
                             SourceRange range);
  WindowStmt *add(WindowStmt::Form form, Array *window, Array *array,
                  StmtList &list, SourceRange range);
  Array *positionsOf(llvm::ArrayRef<Map> maps, const Mask &mask,
                     WindowStmt &window, llvm::StringRef text,
                     SourceRange range);

  Module &module;
  Procedure &procedure;
  NameAllocator names;
};

} // namespace zpl::air

#endif // ZPL_LIB_TRANSFORMS_REMAPS_REMAPWINDOWS_H
