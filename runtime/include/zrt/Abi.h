//===- zrt/Abi.h - The one header that compiler and runtime share -*- C -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every function a compiled ZPL program calls, and every structure whose
// fields it reads, stands here, in plain C with fixed-width types. The compiler
// derives its LLVM declarations from these C types, so a change here is a
// change of both sides or a compile error.
//
// Conventions
//  - The prefix `zrtA_` carries the revision: programs and runtimes of
//    different revisions do not link.
//  - All calls are *collective* unless they say "local": every processor makes
//    the same calls in the same order.
//  - Index values and bounds are 64-bit here (32-bit in the language); sizes,
//    strides and counts are 64-bit.
//  - `zrt_loc` is the user's source position, for messages. Never null.
//  - No call returns after an error: the run ends with status 1.
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_ABI_H
#define ZRT_ABI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { ZRT_MAX_RANK = 6 };

/// Element and scalar types. The numbers are part of the ABI.
enum zrt_type {
  ZRT_BOOL = 0, ///< 1 byte, 0 or 1
  ZRT_I32 = 1,
  ZRT_I64 = 2,
  ZRT_F32 = 3,
  ZRT_F64 = 4,
  ZRT_STR = 5 ///< const char *, never null; scalars only
};

/// Combining operators of reductions.
enum zrt_reduction {
  ZRT_SUM = 0,
  ZRT_PRODUCT = 1,
  ZRT_MAX = 2, ///< floating: skips NaN, the identity is -inf; zero is +0
  ZRT_MIN = 3, ///< floating: skips NaN, the identity is +inf; zero is +0
  ZRT_AND = 4, ///< logical: the result is 0 or 1
  ZRT_OR = 5   ///< logical: the result is 0 or 1
};

enum zrt_stream { ZRT_OUT = 0, ZRT_ERR = 1 };

typedef struct zrt_loc {
  const char *file;
  int32_t line;
  int32_t column;
} zrt_loc;

/// The indices lo..hi; none when lo > hi.
typedef struct zrt_range {
  int64_t lo;
  int64_t hi;
} zrt_range;

/// A region: an index set of `rank` dimensions. Lives on the program's stack
/// or in its globals; the runtime copies what it keeps.
typedef struct zrt_region {
  const char *name; ///< source name or text, for messages; may be null
  int32_t rank;
  int32_t singletons; ///< bit d set: dimension d is a singleton (messages only)
  zrt_range dim[ZRT_MAX_RANK];
} zrt_region;

/// The block of indices of one rank that this processor owns. Blocks at the
/// edge of the grid reach beyond every index, so that each index has exactly
/// one owner. Constant once it was asked for.
typedef struct zrt_domain {
  zrt_range own[ZRT_MAX_RANK];
} zrt_domain;

/// A parallel array. The program reads `origin`, `pitch`; all else is for the
/// runtime.
typedef struct zrt_array {
  /// Address of the element (0,...,0), which need not exist: element i has the
  /// address origin + sum over d of i[d] * pitch[d].
  char *origin;
  /// Bytes between neighbours in dimension d. Always the element's size in the
  /// last dimension; multiples of it in the others.
  int64_t pitch[ZRT_MAX_RANK];
  zrt_range stored[ZRT_MAX_RANK]; ///< indices held here, with fluff; all empty
                                  ///< (0..-1) when nothing is held
  zrt_region region;              ///< the declared region
  const char *name;               ///< source name, for messages
  int32_t type;                   ///< enum zrt_type, not ZRT_STR
  int32_t borrowed; ///< nonzero: `storage` belongs to another array
  uint64_t id;      ///< unique per allocation, never 0 while alive
  void *storage;    ///< start of the allocation, or null
  int64_t bytes;    ///< its size
} zrt_array;

/// How far an array is read beyond a block: the greatest distance against and
/// along each dimension, never negative. The runtime clips it to the declared
/// region.
typedef struct zrt_fluff {
  int64_t below[ZRT_MAX_RANK];
  int64_t above[ZRT_MAX_RANK];
} zrt_fluff;

/// One `A@direction` of a transfer.
typedef struct zrt_shift {
  zrt_array *array;
  int64_t direction[ZRT_MAX_RANK];
} zrt_shift;

/// A transfer's place to keep its plan. A zero-initialized global per declared
/// transfer of the program.
typedef struct zrt_transfer {
  void *plan;
} zrt_transfer;

/// A config variable.
typedef struct zrt_config {
  const char *name;
  int32_t type; ///< enum zrt_type
  int32_t reserved;
  void *address;            ///< where the program keeps the value
  uint8_t *given;           ///< set to 1 if the command line gives a value
  const char *default_text; ///< source text of the default
  const char *comment;      ///< the comment that follows the declaration, or ""
} zrt_config;

/// What the compiler says about the program, for zrtA_main.
typedef struct zrt_program {
  const char *name;         ///< of the ZPL program
  const char *plugin_dir;   ///< where transports were at compile time
  const char *cpu_features; ///< "avx2,fma,...": needed at run time; "" = none
  const zrt_config *configs;
  int64_t config_count;
  void (*initialize)(void); ///< global declarations, in order
  void (*entry)(void);      ///< the procedure with the program's name
} zrt_program;

/// The program's `main`. Reads the command line, starts the processors, runs
/// initialize and entry on each, returns the exit status.
int32_t zrtA_main(int32_t argc, char **argv, const zrt_program *program);

// --- Regions and ownership --------------------------------------------------

/// Tells the runtime of a global region before the distribution of its rank is
/// fixed: blocks are cut from the bounding box of all of them.
void zrtA_region_declare(const zrt_region *region);

/// Ends the run unless every bound of `region` is an index: fits 32 bits.
void zrtA_region_check(const zrt_region *region, const zrt_loc *loc);

/// This processor's block of the given rank. Local and cheap. The first call
/// for a rank fixes the distribution; with no region declared, from an
/// empty box (processor 0's block is everything).
const zrt_domain *zrtA_domain(int32_t rank);

// --- Arrays -----------------------------------------------------------------

/// Makes `array` an array of zeros over `region`. `fluff` may be null (none).
void zrtA_array_new(zrt_array *array, const zrt_region *region, int32_t type,
                    const zrt_fluff *fluff, const char *name,
                    const zrt_loc *loc);
void zrtA_array_free(zrt_array *array);

/// Makes `result` an array over `region` with result[i] = array[i + direction],
/// for directions that fluff does not cover. It may share the storage of
/// `array`, so it is valid until `array` or `result` is written or freed; free
/// it with zrtA_array_free.
void zrtA_array_shift(zrt_array *result, const zrt_array *array,
                      const zrt_region *region, const int64_t *direction,
                      const zrt_loc *loc);

/// Copies the elements of `source` at `region` (which lies within both arrays'
/// declared regions) to `target`; same rank and type. Local: equal indices
/// have equal owners.
void zrtA_array_copy(zrt_array *target, const zrt_array *source,
                     const zrt_region *region);

// --- Legality (language appendix B) -----------------------------------------

/// Ends the run unless every index of `region` moved by `direction` (null:
/// zero) lies in the declared region of `array`. An empty region is legal.
/// `what` is the designator as written: "A@east".
void zrtA_check_read(const zrt_array *array, const zrt_region *region,
                     const int64_t *direction, const char *what,
                     const zrt_loc *loc);
void zrtA_check_write(const zrt_array *array, const zrt_region *region,
                      const int64_t *direction, const char *what,
                      const zrt_loc *loc);

/// Ends the run unless `array`, passed as `what` to a formal over `formal`, is
/// declared over that very index set.
void zrtA_check_formal(const zrt_array *array, const zrt_region *formal,
                       const char *what, const zrt_loc *loc);

// --- Transfers (Ironman; dissertation 4.4, Choi and Snyder) -----------------

/// The four points of one transfer, in this order; other calls may stand in
/// between, but not the points of the same transfer.
/// DR: from here the fluff that this transfer fills may be overwritten. Makes
///     or re-makes the plan if region, arrays or their storage have changed
///     since the last time.
/// SR: from here this processor's elements hold the values to be sent.
/// DN: returns when the fluff holds the neighbours' values.
/// SV: returns when this processor's elements may be overwritten.
void zrtA_at_dr(zrt_transfer *transfer, const zrt_region *region,
                const zrt_shift *shifts, int64_t count, const zrt_loc *loc);
void zrtA_at_sr(zrt_transfer *transfer);
void zrtA_at_dn(zrt_transfer *transfer);
void zrtA_at_sv(zrt_transfer *transfer);

// --- Collectives ------------------------------------------------------------

/// Combines one value per processor, in place, with the same bits everywhere.
/// `type` is not ZRT_STR; `reduction` is an enum zrt_reduction.
void zrtA_reduce(void *value, int32_t type, int32_t reduction);

/// Gives every processor the value of processor 0.
void zrtA_broadcast(void *value, int64_t bytes);

// --- Output -----------------------------------------------------------------
//
// `format` is a C format with exactly one conversion and any text around it,
// or null for the default of language.md section 15. It is checked again here:
// one that does not fit the type ends the run.

void zrtA_write_text(int32_t stream, const char *text, int64_t length);
/// `bits` is 32 or 64: what %x and %u see of a negative value.
void zrtA_write_integer(int32_t stream, const char *format, int64_t value,
                        int32_t bits, const zrt_loc *loc);
void zrtA_write_float(int32_t stream, const char *format, double value,
                      const zrt_loc *loc);
void zrtA_write_boolean(int32_t stream, const char *format, int8_t value,
                        const zrt_loc *loc);
void zrtA_write_string(int32_t stream, const char *format, const char *value,
                       const zrt_loc *loc);
/// The elements of `array` at `region` in row-major order; streams through
/// bounded buffers.
void zrtA_write_array(int32_t stream, const char *format,
                      const zrt_array *array, const zrt_region *region,
                      const zrt_loc *loc);

/// Ends the whole run with status 1, after what was written is out.
void zrtA_halt(void);

/// Ends the run: function `name` ended without `return`.
void zrtA_missing_return(const char *name, const zrt_loc *loc);

// --- Scalars ----------------------------------------------------------------

/// Integer powers modulo 2^width; a negative exponent truncates the true value
/// (division by zero: 0). Local.
int32_t zrtA_power_i32(int32_t base, int32_t exponent);
int64_t zrtA_power_i64(int64_t base, int64_t exponent);
/// <0, 0, >0 as the bytes of a are before, equal to or after b's. Local.
int32_t zrtA_compare_strings(const char *a, const char *b);
/// Number of processors. Local.
int32_t zrtA_processors(void);

// --- Timers -----------------------------------------------------------------

/// A stopwatch: seconds accumulated and, while it runs, when it was started.
typedef struct zrt_timer {
  double accumulated;
  double started;
  int32_t running;
  int32_t reserved;
} zrt_timer;

void zrtA_reset_timer(void);
/// Seconds since the reset; processor 0's, the same on all.
double zrtA_check_timer(void);
void zrtA_timer_clear(zrt_timer *timer);
/// `sync` nonzero: all processors start together.
void zrtA_timer_start(zrt_timer *timer, int32_t sync);
void zrtA_timer_stop(zrt_timer *timer);
/// Local: this processor's seconds.
double zrtA_timer_read(const zrt_timer *timer);

#ifdef __cplusplus
}
#endif

#endif // ZRT_ABI_H
