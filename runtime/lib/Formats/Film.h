//===- Film.h - Pictures that move ------------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_FORMATS_FILM_H
#define ZRT_FORMATS_FILM_H

#include <cstdint>
#include <string>
#include <string_view>

namespace zrt {

/// Pictures of a second that a name like `film.apng:25` asks for, of which \p
/// part is 25; "" is 10. -1: it is no number from 1 to 1000.
int filmRate(std::string_view part);

/// Adds a picture at the end of the film in a file that is open for reading and
/// writing, or begins one if the file is empty. \p png: the whole picture,
/// with the size and colours of those before. What is wrong, as the rest of a
/// sentence that begins with the file's name, or "".
std::string addToFilm(int descriptor, std::string_view png, int rate);

} // namespace zrt

#endif // ZRT_FORMATS_FILM_H
