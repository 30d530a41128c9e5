//===- zrt/Library.h - The runtime of a library of ZPL ------------*- C -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the C code that `zplc --library` makes calls (lib/Driver/Library), and
// nobody else. docs/Calling.md describes what users see.
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_LIBRARY_H
#define ZRT_LIBRARY_H

#include "zrt/Block.h"

#ifdef __cplusplus
extern "C" {
#endif

enum zrtL_kind { ZRTL_SCALAR = 0, ZRTL_STRING = 1, ZRTL_ARRAY = 2 };
enum zrtL_mode { ZRTL_IN = 1, ZRTL_OUT = 2 };

/// A parameter of an exported procedure, and where its value passes.
typedef struct zrtL_parameter {
  const char *name;
  int32_t kind;  ///< enum zrtL_kind
  int32_t mode;  ///< of enum zrtL_mode
  int32_t array; ///< ARRAY: its number in the library
  int32_t type;  ///< of the value, or of elements: enum zpl_type
  int32_t rank;  ///< ARRAY
  int64_t bytes; ///< SCALAR
  /// SCALAR: the value; STRING: a `const char *` to it; ARRAY: a `zpl_view *`
  /// to the caller's.
  void *place;
} zrtL_parameter;

typedef struct zrtL_procedure {
  const char *name;
  const zrtL_parameter *params;
  int64_t count;
  const zrtL_parameter *result; ///< a scalar or a string; null: none
} zrtL_procedure;

typedef struct zrtL_library {
  const char *name;
  int (*main)(int, char **); ///< the program's
  const zrtL_procedure *procedures;
  int64_t procedure_count;
  const char *const *names; ///< of the arrays
  zpl_array **arrays;       ///< filled by the first zrtL_next
  int64_t array_count;
  int *status; ///< of the last call, for callers to look at
} zrtL_library;

/// What calls return.
enum zrtL_status {
  ZRTL_OK = 0,
  ZRTL_FAILED = 1,   ///< a run-time error: the library is of no use any more
  ZRTL_MISUSED = 2,  ///< an argument is wrong, nothing was done
  ZRTL_NOT_READY = 3 ///< it was not initialized, or has failed or finished
};

/// Starts the program with the options of a command line, without its name; for
/// the processors of \p communicator (a Fortran handle of MPI) if that is not
/// null. All return an enum zrtL_status.
int32_t zrtL_init(const zrtL_library *library, int32_t count,
                  const char *const *options, const int *communicator);
/// Before arguments are put at their places: takes the turn, if no other thread
/// is in a call and the library runs. What began is over with zrtL_end.
int32_t zrtL_begin(void);
/// For an argument that the glue refuses: keeps \p why for zrtL_error.
int32_t zrtL_misuse(const char *why);
/// Runs procedure \p number, whose arguments are at their places.
int32_t zrtL_call(int32_t number);
/// After the results were taken.
void zrtL_end(void);
/// This process's block of an array; all of it on one processor.
int32_t zrtL_view(int32_t array, zpl_view *view);
/// Copies the whole array out or in, in row-major order without gaps;
/// \p bytes is the size of that memory. Over a communicator collective.
int32_t zrtL_get(int32_t array, void *to, int64_t bytes);
int32_t zrtL_set(int32_t array, const void *from, int64_t bytes);
int32_t zrtL_finish(void);
/// The last message, "" if there was none; of a call that came while another
/// thread was in one, in that thread.
const char *zrtL_error(void);
/// In how many processors it runs; 0 if it does not.
int32_t zrtL_processors(void);

/// For the module of Python, which calls it with the GIL held: a tuple of
/// functions, one for each procedure, that take what is in order and else call
/// those of the tuple \p others, which have the same parameters. \p raise makes
/// an exception of a status, \p ndarray is the type of arrays. All are objects of
/// Python.
void *zrtL_python(const zrtL_library *library, void *others, void *raise,
                  void *ndarray);

/// For the program: gives the results of the last procedure and waits for the
/// next call. Returns its number + 1; 0: the end.
int32_t zrtL_next(void);

#ifdef __cplusplus
}
#endif

#endif // ZRT_LIBRARY_H
