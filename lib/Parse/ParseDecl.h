//===- ParseDecl.h - Declarations -------------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The heading of a program and its declarations. Functions that parse add what
/// they read to a list, take the `;` of each definition with it, and report
/// what they do not find.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_PARSE_PARSEDECL_H
#define ZPL_LIB_PARSE_PARSEDECL_H

#include "Parsing.h"

namespace zpl {

/// 'program' NAME ';' at the beginning of a program; sets the module's name. A
/// program without a heading is reported and read on.
void parseHeading(Parsing &p, ast::Module &module);

/// One declaration outside procedures, or a `;`: 'var' and its definitions,
/// 'procedure', `extern header "m.h";` ... Anything else is reported and
/// skipped, up to what begins a declaration.
void parseGlobal(Parsing &p, Decls &decls);

/// [ 'static' | 'free' ] and the definitions of variables, constants, types,
/// regions or directions in front of a body. False, with nothing read or
/// reported, at anything else.
bool parseLocal(Parsing &p, Decls &decls);

/// Does a definition of the keyword before follow? The first one may bear the
/// name of a keyword, which parseName() reports; the later ones must not look
/// like a statement after declarations.
bool atDefinition(Parsing &p, bool first);

/// Is it `regionop` in front of a name? It is a keyword only here.
bool atRegionOpDecl(const Parsing &p);

/// The `=` or `:=` of a definition. Reports \p what ("'=' and a grid") if
/// neither is there; says nothing in panic.
void expectInitializer(Parsing &p, llvm::StringRef what);

/// NAME where one is declared. A keyword in its place is reported and taken for
/// one (allowAsName); anything else is reported as not being \p what ("a grid's
/// name"), gives an empty name and starts a panic.
ast::Name parseName(Parsing &p, llvm::StringRef what);

/// [ ':' NAME ]; none without the colon or in panic. \p what is expected after
/// it.
std::optional<ast::Name> parseOptionalName(Parsing &p, llvm::StringRef what);

} // namespace zpl

#endif // ZPL_LIB_PARSE_PARSEDECL_H
