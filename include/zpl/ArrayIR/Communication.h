//===- Communication.h - The array IR: array operators ----------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The statements that move elements between indices and processors, by calls
/// of the runtime: shifts, floods, reductions, scans, remaps, boundaries.
/// Included through ArrayIR.h.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_ARRAYIR_COMMUNICATION_H
#define ZPL_ARRAYIR_COMMUNICATION_H

#include "zpl/ArrayIR/Stmt.h"
#include <string>

namespace zpl::air {

/// One array that a shift makes: `%T by (e...)`, T[i] = A[i + e], or
/// `%T by (e...) wrap`, T[i] = A@^e at i.
struct ShiftView {
  Array *target; ///< has the region's shape, but floods where the source does
  llvm::SmallVector<const Expr *, 6> direction; ///< I32 or I64
  bool wraps;
};

/// `shift {%T by (e...), %U by (e...) wrap} = %A over %R`: makes arrays over R
/// of elements of A at other indices. They may share the storage of A: A is not
/// written while they are still read, nor they at all. All have one layout:
/// equal distances in memory between the elements of any two indices.
/// `shift {...} = %A over %R sends %t`: elements of other processors are still
/// on their way; this is the DR and SR of %t, a transfer without items. Before
/// its DN nothing mentions the views, before its SV A is not written.
struct ShiftStmt : Stmt {
  Array *source;
  Region *region;
  Transfer *sends = nullptr;             ///< null: all are there
  llvm::SmallVector<ShiftView, 1> views; ///< at least one
  ShiftStmt(Array *source, Region *region, llvm::ArrayRef<ShiftView> views,
            SourceRange range)
      : Stmt(StmtKind::Shift, range), source(source), region(region),
        views(views.begin(), views.end()) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::Shift; }
};

/// `flood %T = %A from %S`: makes T, which is S with its singletons flooded,
/// hold the elements of A at S on every processor of the slice. T may share the
/// storage of A: neither T nor the elements of A at S are written before T is
/// freed. `flood %T = %A from %S times %n`: T, a panel, gets the elements of A
/// at S, at the index behind in the panel's dimension, and so on, n times.
/// `flood %T = %A from %S slot %s of %n`: element s of a panel of n, the others
/// stay. With s = 0 the panel is made; the S of other elements are parts of the
/// first one's, and T never shares the storage of A.
/// `flood-begin %T = @A from %S`: the first half, see OperatorEndStmt.
struct FloodStmt : Stmt {
  Array *target;
  Array *source;
  Region *from;
  const Expr *times = nullptr; ///< an I64, at least 1; null: no panel
  const Expr *slot = nullptr;  ///< an I64 in 0 .. times - 1; null: all elements
  bool begins = false;         ///< not of a panel
  FloodStmt(Array *target, Array *source, Region *from, SourceRange range)
      : Stmt(StmtKind::Flood, range), target(target), source(source),
        from(from) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::Flood; }
};

/// The mask of a statement that the runtime executes: the indices at which
/// `array`, of Bools, is `value`. Printed `where %M` or `where not %M`.
struct Mask {
  Array *array = nullptr; ///< null: no mask
  bool value = true;
};

/// `put %A by (e...) = %T over %R ["A@east"]`, `put-wrap ...`: A[i + e] = T[i], or
/// at the wrapped index, for i in R. The text is how the source names A.
struct PutStmt : Stmt {
  Array *target;
  Array *source;
  Region *region;
  llvm::SmallVector<const Expr *, 6> direction; ///< I32 or I64
  bool wraps;
  Mask mask;
  std::string text;
  PutStmt(Array *target, Array *source, Region *region,
          llvm::ArrayRef<const Expr *> direction, bool wraps, Mask mask,
          SourceRange range)
      : Stmt(StmtKind::Put, range), target(target), source(source),
        region(region), direction(direction.begin(), direction.end()),
        wraps(wraps), mask(mask) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::Put; }
};

/// `fold %T = sum %A over %R` or `fold %x = ...`: a reproducible floating sum
/// or product. T is allocated, of R's rank, flooded where it is reduced.
struct FoldStmt : Stmt {
  Array *target;      ///< null: all of it into `variable`
  Variable *variable; ///< of the source's element type
  Reduction op;       ///< Sum or Product
  Array *source;
  Region *region;
  Mask mask;
  FoldStmt(Array *target, Variable *variable, Reduction op, Array *source,
           Region *region, Mask mask, SourceRange range)
      : Stmt(StmtKind::Fold, range), target(target), variable(variable), op(op),
        source(source), region(region), mask(mask) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::Fold; }
};

/// `combine-array sum %T dims (0, 1)`, `combine-array with @f %T ...`: combines
/// T, which is flooded in these dimensions, with those of the other processors
/// along them. `combine-array sum %T, max %U dims (0)`: several arrays of one
/// shape, in one message if their regions turn out to be equal.
/// `carry %C over @R [restarts %F]`: C, carries, has what this processor's part
/// of each line along the first dimension of C's scan comes to, and gets what
/// precedes that part in the scan over R. F, of C's shape and Bools, is true
/// where the scan starts anew in the part.
struct CombineArrayStmt : Stmt {
  Reduction op;
  Region *carriesOver = nullptr; ///< `carry`; then no `with`, no dims
  Array *restarts = nullptr;     ///< null: nowhere
  Procedure *with = nullptr;     ///< instead of op: see CombineStmt
  Array *array;
  llvm::SmallVector<unsigned, 6> dims;
  struct Value {
    Reduction op;
    Procedure *with;
    Array *array;
  };
  llvm::SmallVector<Value, 1> others; ///< beside the first; not of `carry`
  CombineArrayStmt(Reduction op, Array *array, llvm::ArrayRef<unsigned> dims,
                   SourceRange range)
      : Stmt(StmtKind::CombineArray, range), op(op), array(array),
        dims(dims.begin(), dims.end()) {}
  /// The first one and the others.
  llvm::SmallVector<Value, 4> values() const {
    llvm::SmallVector<Value, 4> all = {{op, with, array}};
    all.append(others.begin(), others.end());
    return all;
  }
  static bool classof(const Stmt *s) {
    return s->kind == StmtKind::CombineArray;
  }
};

/// `scan %T = sum %A over %R dims (2, -1) [inclusive] [segment %S]`, `scan %T =
/// with @f from @g %A ...`: stores the prefixes into T, which is not A.
/// `scan-begin %T = ...`: the first half, see OperatorEndStmt.
struct ScanStmt : Stmt {
  Array *target;
  Array *source; ///< of the target's element type
  Reduction op;
  Procedure *with = nullptr;     ///< instead of op: see CombineStmt
  Procedure *identity = nullptr; ///< `with`: scalar, one parameter by reference
  Region *region;
  llvm::SmallVector<int, 6> dims; ///< from the fastest, from 1; negative: down
  bool inclusive = false;
  bool reproducible = false;
  bool begins = false;      ///< not `with`
  Array *segment = nullptr; ///< of Bools, or null
  Mask mask;
  ScanStmt(Array *target, Array *source, Reduction op, Region *region,
           llvm::ArrayRef<int> dims, SourceRange range)
      : Stmt(StmtKind::Scan, range), target(target), source(source), op(op),
        region(region), dims(dims.begin(), dims.end()) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::Scan; }
};

/// `flood-end %T`, `scan-end %T`: the second half of a flood or scan, after
/// its begin in the same list. Between them T is not mentioned, the arrays that
/// the operator reads are not written, and mayStandInSplit (Walk.h) says what
/// else may be there.
struct OperatorEndStmt : Stmt {
  Array *target;
  bool ofScan; ///< else of a flood
  OperatorEndStmt(Array *target, bool ofScan, SourceRange range)
      : Stmt(StmtKind::OperatorEnd, range), target(target), ofScan(ofScan) {}
  static bool classof(const Stmt *s) {
    return s->kind == StmtKind::OperatorEnd;
  }
};

/// One map of a remap: an array of I32 or I64 over the statement's region, a
/// scalar (I32 or I64), the index of dimension `dim` of the region, or an
/// expression of these, element code without calls. Block form until
/// store-maps: those are in arrays then, but what the runtime computes itself
/// (linearMap).
struct Map {
  Array *array = nullptr;
  const Expr *scalar = nullptr;
  const Expr *value = nullptr;
  unsigned dim = 0; ///< where both are null
};

/// `gather %T = %A at (%I, index(1), i32 3) over %R`: T[i] = A[maps at i]. The
/// target is not the source.
struct GatherStmt : Stmt {
  Array *target;
  Array *source;
  llvm::SmallVector<Map, 6> maps; ///< one per dimension of the source
  Region *region;
  Mask mask;
  GatherStmt(Array *target, Array *source, llvm::ArrayRef<Map> maps,
             Region *region, Mask mask, SourceRange range)
      : Stmt(StmtKind::Gather, range), target(target), source(source),
        maps(maps.begin(), maps.end()), region(region), mask(mask) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::Gather; }
};

/// `scatter %A at (maps) = %T over %R [with @f [ordered]]`: A[maps at i] = T[i]
/// for the indices in row-major order; with a procedure, `call @f(ref the
/// element, ref T's element)` instead, and unless `ordered` sums and products
/// may be made in another order.
struct ScatterStmt : Stmt {
  Array *target;
  Array *source;
  llvm::SmallVector<Map, 6> maps; ///< one per dimension of the target
  Region *region;
  Procedure *combine; ///< scalar, two parameters by reference; null: stores
  bool ordered = false;
  Mask mask;
  ScatterStmt(Array *target, Array *source, llvm::ArrayRef<Map> maps,
              Region *region, Procedure *combine, Mask mask, SourceRange range)
      : Stmt(StmtKind::Scatter, range), target(target), source(source),
        maps(maps.begin(), maps.end()), region(region), combine(combine),
        mask(mask) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::Scatter; }
};

/// Where in a window the elements are that a remap names: `%P at (maps) where
/// %M "A#[I]"`. P has I32 over the statement's region, and is made by it.
struct WindowReference {
  Array *positions;
  llvm::SmallVector<Map, 2> maps; ///< one per dimension of the array
  Mask mask;
  llvm::StringRef text; ///< as written, in the arena
  SourceRange range;
};

/// Elements of an array that loops reach by maps, though other processors own
/// some of them:
///
/// `window fetch %W = %A over %R {references}`: checks the maps and makes W, of
/// two dimensions. The element of A that P names at an index is W[0, p] or, if
/// p is negative, W[1, p]. W may have the storage of A, which is not written
/// before W is freed.
/// `window copy %W = %A`: W has all elements of A, at their indices.
/// `window image %W = %A with @f`: W has for each element of A a value that f
/// combines with any without a change.
/// `window image %W = %A with @f over %R {references}`: W is as for a fetch, but
/// has such values in place of elements of other processors; without f room for
/// values that are stored, of which the last one in row-major order counts.
/// `window merge %A = %W with @f`: combines each element of A with the values
/// for it in all processors' images. Also what `window confirm` does.
/// `window confirm`: ends the run if a loop has noted values of maps
/// (RemapExpr).
///
/// What is made needs no `alloc`, but is freed. f is a `scatter`'s, a sum,
/// product or the like of numbers.
///
/// A fetch, an image with references, or its merge, `with next` is executed
/// together with the next ones of its form in the list: elements travel in one
/// message. The last one says `and @B, ...`: what the others make, which is not
/// there before. Images are merged in the same groups.
struct WindowStmt : Stmt {
  enum Form : uint8_t { Fetch, Copy, Image, Merge, Confirm };
  Form form;
  Array *window = nullptr; ///< Confirm: null, as all else
  Array *array = nullptr;
  Region *region = nullptr;     ///< of the references
  Procedure *combine = nullptr; ///< Image and Merge
  bool withNext = false;
  llvm::SmallVector<Array *, 2> others;             ///< the last of a group
  llvm::SmallVector<WindowReference, 2> references; ///< of a Fetch at least one
  WindowStmt(Form form, Array *window, Array *array, SourceRange range)
      : Stmt(StmtKind::Window, range), form(form), window(window),
        array(array) {}
  /// What it writes.
  Array *result() const { return form == Merge ? array : window; }
  /// What it makes shares the storage of the array.
  bool lends() const { return !references.empty(); }
  static bool classof(const Stmt *s) { return s->kind == StmtKind::Window; }
};

/// A gather whose elements are read where they arrive:
///
/// `boxes %B of %R with %W = %A at (index(1), i32 3) "A#[Index2, 3]" { body }`:
/// checks the maps, then executes the body, of array statements or M-loops over
/// B, for boxes that make up this processor's part of R, in any order. In it W
/// has the elements of A that the maps name at the indices of B, at their
/// indices in A. Each map is an index or a scalar, and the body does not write
/// A. R and A have ranges only. Processors execute the body a different number
/// of times, so nothing communicates in it.
struct BoxesStmt : Stmt {
  Region *box; ///< of the shape of `region`, a local; set by this statement
  Region *region;
  Array *window; ///< of the shape of `array`, as a WindowStmt's
  Array *array;
  llvm::SmallVector<Map, 6> maps; ///< one per dimension of the array
  llvm::StringRef text;           ///< as written, in the arena
  StmtList body;
  BoxesStmt(Region *box, Region *region, Array *window, Array *array,
            llvm::ArrayRef<Map> maps, llvm::StringRef text, SourceRange range)
      : Stmt(StmtKind::Boxes, range), box(box), region(region), window(window),
        array(array), maps(maps.begin(), maps.end()), text(text) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::Boxes; }
};

/// `wrap %A by (e...) of %R`, `reflect ...`: fills that boundary of A from
/// inside R (language 8.7).
struct BoundaryStmt : Stmt {
  Array *array;
  Region *base;
  llvm::SmallVector<const Expr *, 6> direction; ///< I32 or I64
  bool reflects;
  BoundaryStmt(Array *array, Region *base,
               llvm::ArrayRef<const Expr *> direction, bool reflects,
               SourceRange range)
      : Stmt(StmtKind::Boundary, range), array(array), base(base),
        direction(direction.begin(), direction.end()), reflects(reflects) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::Boundary; }
};

} // namespace zpl::air

#endif // ZPL_ARRAYIR_COMMUNICATION_H
