//===- Type.h - Types as written --------------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_AST_TYPE_H
#define ZPL_AST_TYPE_H

#include "zpl/AST/Expr.h"

namespace zpl::ast {

enum class TypeKind : uint8_t {
  Named,
  Enum,
  Record,
  IndexedArray,
  Region,
  Direction,
  Grid,
  Distribution,
  Parallel,
  Procedure
};

/// A type as written. Names declared together (`a, b: T`) share one node.
struct TypeExpr {
  TypeKind kind;
  SourceRange range;

protected:
  TypeExpr(TypeKind kind, SourceRange range) : kind(kind), range(range) {}
};

template <TypeKind K> struct TypeNode : TypeExpr {
  explicit TypeNode(SourceRange range) : TypeExpr(K, range) {}
  static bool classof(const TypeExpr *t) { return t->kind == K; }
};

/// `double`, `opaque`, `generic`, `timer`, `particle`: a keyword or a name.
/// After a syntax error the text may be empty.
struct NamedType : TypeNode<TypeKind::Named> {
  Name name;
  NamedType(Name name, SourceRange range) : TypeNode(range), name(name) {}
};

/// `(S, W = 3, A)`.
struct EnumType : TypeNode<TypeKind::Enum> {
  struct Value {
    Name name;
    Expr *value = nullptr; ///< null: one above the last
  };
  llvm::ArrayRef<Value> values;
  EnumType(llvm::ArrayRef<Value> values, SourceRange range)
      : TypeNode(range), values(values) {}
};

/// `record f, g: T; h: U; end`, `union ... end`.
struct RecordType : TypeNode<TypeKind::Record> {
  struct Field {
    Name name;
    TypeExpr *type = nullptr;
  };
  bool isUnion;
  llvm::ArrayRef<Field> fields;
  RecordType(bool isUnion, llvm::ArrayRef<Field> fields, SourceRange range)
      : TypeNode(range), isUnion(isUnion), fields(fields) {}
};

/// `array [lo..hi, n, ] of T`.
struct IndexedArrayType : TypeNode<TypeKind::IndexedArray> {
  struct Bound {
    Expr *lo = nullptr; ///< null: 1, if there is a hi
    Expr *hi = nullptr; ///< null: blank
    SourceRange range;  ///< of a blank one: where it would stand, empty
  };
  llvm::ArrayRef<Bound> bounds;
  TypeExpr *element;
  IndexedArrayType(llvm::ArrayRef<Bound> bounds, TypeExpr *element,
                   SourceRange range)
      : TypeNode(range), bounds(bounds), element(element) {}
};

/// What is statically known of a dimension.
enum class RegionComponent : uint8_t { Unknown, Range, Single, Flood, Grid };
llvm::StringRef text(RegionComponent component); ///< "..", ".", "*", "::", ""

/// `region`, `region<..,*>`.
struct RegionType : TypeNode<TypeKind::Region> {
  llvm::ArrayRef<RegionComponent> components; ///< empty: without `<>`
  RegionType(llvm::ArrayRef<RegionComponent> components, SourceRange range)
      : TypeNode(range), components(components) {}
};

struct DirectionComponent {
  enum Kind : uint8_t { Unknown, Plus, Minus, Value } kind = Unknown;
  int64_t value = 0; ///< Value
};

/// `direction`, `direction<+,0,-2>`.
struct DirectionType : TypeNode<TypeKind::Direction> {
  llvm::ArrayRef<DirectionComponent> components; ///< empty: without `<>`
  DirectionType(llvm::ArrayRef<DirectionComponent> components,
                SourceRange range)
      : TypeNode(range), components(components) {}
};

/// `grid`, `grid<..,.>`.
struct GridType : TypeNode<TypeKind::Grid> {
  llvm::ArrayRef<RegionComponent> components; ///< empty: without `<>`
  GridType(llvm::ArrayRef<RegionComponent> components, SourceRange range)
      : TypeNode(range), components(components) {}
};

/// `distribution`, `distribution<block, cyclic>`.
struct DistributionType : TypeNode<TypeKind::Distribution> {
  llvm::ArrayRef<Name> components; ///< empty: without `<>`
  DistributionType(llvm::ArrayRef<Name> components, SourceRange range)
      : TypeNode(range), components(components) {}
};

/// `[dims] T`: a parallel array. Any region expression may stand in the
/// brackets; it is then one Single dimension (`[R] T`, `[Level[i]] T`, `[R{}]
/// T`, `[north of R] T`).
struct ParallelType : TypeNode<TypeKind::Parallel> {
  RegionLit *dims;
  TypeExpr *element;
  ParallelType(RegionLit *dims, TypeExpr *element, SourceRange range)
      : TypeNode(range), dims(dims), element(element) {}
};

/// A parameter in a heading.
struct Formal {
  enum Mode : uint8_t {
    Const, ///< by value, read-only: `const` or no keyword
    In,    ///< by value, a private copy
    InOut, ///< by reference: `inout`
    Var,   ///< the same, spelt `var`
    Out    ///< by reference, zero at entry
  } mode = Const;
  bool isFree = false;
  Name name;
  TypeExpr *type = nullptr;
  Expr *init = nullptr; ///< `eps: double = 1e-6`; null: an argument is needed
};

/// `procedure f(x: double): double` as a parameter: what the argument's heading
/// must be. The name is the parameter's.
struct ProcedureType : TypeNode<TypeKind::Procedure> {
  llvm::ArrayRef<Formal> formals;
  TypeExpr *result; ///< null: none
  ProcedureType(llvm::ArrayRef<Formal> formals, TypeExpr *result,
                SourceRange range)
      : TypeNode(range), formals(formals), result(result) {}
};

} // namespace zpl::ast

#endif // ZPL_AST_TYPE_H
