//===- zrt/AbiTypes.h - Structures of the C interface -------------*- C -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The first part of Abi.h, which says more: types of values, regions, arrays,
// transfers, programs.
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_ABITYPES_H
#define ZRT_ABITYPES_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { ZRT_MAX_RANK = 6 };

/// Counts up with every change of Abi.h or of this file that objects compiled
/// before it would not survive. An object may be linked long after zplc has
/// compiled it, by another zplc; its `main` says for which revision it is.
enum { ZRT_ABI_REVISION = 22 };

/// Kinds of types. The numbers are part of the ABI.
enum zrt_kind {
  ZRT_BOOL = 0, ///< 1 byte, 0 or 1
  ZRT_CHAR = 1, ///< 1 byte, a code 0..255
  ZRT_I8 = 2,
  ZRT_U8 = 3,
  ZRT_I16 = 4,
  ZRT_U16 = 5,
  ZRT_I32 = 6,
  ZRT_U32 = 7,
  ZRT_I64 = 8,
  ZRT_U64 = 9,
  ZRT_F32 = 10,
  ZRT_F64 = 11,
  ZRT_F80 = 12, ///< long double: 16 bytes, of which 10 count
  ZRT_C32 = 13, ///< complex types: real, then imaginary part
  ZRT_C64 = 14,
  ZRT_C80 = 15,
  ZRT_STR = 16,  ///< const char *, see "Strings"
  ZRT_FILE = 17, ///< zrt_file
  ZRT_ENUM = 18, ///< an int32_t
  ZRT_RECORD = 19,
  ZRT_UNION = 20,
  ZRT_ARRAY = 21, ///< an indexed array, row-major
  ZRT_OPAQUE = 22 ///< bytes; stored and passed only
};

typedef struct zrt_type zrt_type;

/// The indices lo..hi; none when lo > hi.
typedef struct zrt_range {
  int64_t lo;
  int64_t hi;
} zrt_range;

typedef struct zrt_field {
  const char *name;
  int64_t offset; ///< bytes from the record's start
  const zrt_type *type;
} zrt_field;

typedef struct zrt_enumerator {
  const char *name;
  int64_t value;
} zrt_enumerator;

/// A type. Made by the compiler, constant but for the size, offsets and bounds
/// of types with config-dependent bounds, which the program fills in before it
/// uses them, at the latest when it comes to the first variable of the type.
/// Until then the size of such an array type is 0.
struct zrt_type {
  int32_t kind;     ///< enum zrt_kind
  int32_t count;    ///< of fields, enumerators or dimensions
  int64_t size;     ///< bytes from one element to the next
  const char *name; ///< as in the language: "double", "point"; "" for a record,
                    ///< union or enumeration that has none
  const zrt_field *fields;           ///< RECORD, UNION
  const zrt_enumerator *enumerators; ///< ENUM
  const zrt_type *element;           ///< ARRAY
  const zrt_range *bounds;           ///< ARRAY: `count` of them
  /// ARRAY: per dimension the enumeration that its bounds are of, or null. Null
  /// when there is none at all.
  const zrt_type *const *index;
};

/// Combining operators of reductions and scans.
enum zrt_reduction {
  ZRT_SUM = 0,
  ZRT_PRODUCT = 1,
  ZRT_MAX = 2,  ///< floating: skips NaN, the identity is -inf; zero is +0
  ZRT_MIN = 3,  ///< floating: skips NaN, the identity is +inf; zero is +0
  ZRT_AND = 4,  ///< logical: the result is 0 or 1
  ZRT_OR = 5,   ///< logical: the result is 0 or 1
  ZRT_BAND = 6, ///< bitwise, on integers: the identity is -1
  ZRT_BOR = 7,
  ZRT_BXOR = 8,
  ZRT_MAXNAN = 9, ///< floating: a NaN if one is NaN, else as ZRT_MAX
  ZRT_MINNAN = 10 ///< floating: a NaN if one is NaN, else as ZRT_MIN
};

/// The least of no strings, which counts as after all others.
#define ZRT_LAST_STRING "\377\377\377\377\377\377\377\377"

/// Functions of complex numbers.
enum zrt_complex_function {
  ZRT_COMPLEX_SQRT = 0,
  ZRT_COMPLEX_EXP = 1,
  ZRT_COMPLEX_LOG = 2,
  ZRT_COMPLEX_SIN = 3,
  ZRT_COMPLEX_COS = 4
};

/// A file variable's value: a number, the same on all processors. The standard
/// files are always open. A failed open gives a value that compares equal to
/// ZRT_ZNULL and remembers why.
typedef int64_t zrt_file;
enum { ZRT_ZNULL = 0, ZRT_ZIN = 1, ZRT_ZOUT = 2, ZRT_ZERR = 3 };
enum zrt_open_mode {
  ZRT_FILE_READ = 0,
  ZRT_FILE_WRITE = 1,
  ZRT_FILE_APPEND = 2
};

typedef struct zrt_loc {
  const char *file;
  int32_t line;
  int32_t column;
} zrt_loc;

/// One dimension of a region: the indices x with lo <= x <= hi and
/// x = align (mod stride) (language 6). `stride` is at least 1, `align` is
/// 0..stride-1; `lo` and `hi` need not be indices themselves. The *position* of
/// an index x is (x - align) / stride: x itself when the stride is 1.
/// A flooded dimension is {0, 0, 1, 0}. So is a grid dimension (`::`): both
/// have one index on every processor, and all that is said of flooded
/// dimensions holds for grid dimensions as well, but that the processors'
/// values may differ there.
typedef struct zrt_dim {
  int64_t lo;
  int64_t hi;
  int64_t stride;
  int64_t align;
} zrt_dim;

/// The indices of a sparse region that this processor owns, in row-major order:
/// the one at *position* k, from 0. A *row* are those that differ in the last
/// dimension only. Made by the runtime; never changes.
typedef struct zrt_pattern {
  int64_t count; ///< of indices
  int64_t rows;  ///< that have one at least; of rank 1: 0 or 1
  /// rows + 1 of them: row r has the positions starts[r] .. starts[r + 1] - 1.
  const int32_t *starts;
  /// [d][r]: the index of row r in dimension d, which is not the last one.
  const int32_t *row[ZRT_MAX_RANK];
  const int32_t *column; ///< [k]: the last dimension's index at position k
  /// The same as places, in a scattered domain; else the same pointers.
  const int32_t *row_place[ZRT_MAX_RANK];
  const int32_t *column_place;
  /// Of rank 2, in domains that are not scattered: where rows of one shape
  /// begin. Band b are the rows band[b] .. band[b + 1] - 1, whose indices follow
  /// each other in dimension 0, and whose columns are those of its first row
  /// moved along. 0 bands: there are too many, or the pattern has no rows.
  int64_t bands;
  const int32_t *band; ///< bands + 1 of them
} zrt_pattern;

/// A range of indices of one dimension; empty if `to` is less than `from`.
typedef struct zrt_piece {
  int64_t from, to;
} zrt_piece;

/// The indices x from `from` to `to` with base + k * period <= x < base + k *
/// period + width for an integer k. `period` is positive.
typedef struct zrt_windows {
  int64_t from, to, base, period, width;
} zrt_windows;

/// Indices of a dense region that this processor owns: all combinations of some
/// in each dimension. For `where`, zrtA_select_next.
enum { ZRT_BOX_PIECES = 8, ZRT_ROW_PIECES = 16, ZRT_ROW_WINDOWS = 8 };
typedef struct zrt_box {
  int64_t lo[ZRT_MAX_RANK]; ///< the least index
  int64_t hi[ZRT_MAX_RANK]; ///< the greatest one
  /// With ZRT_SELECT_SOME: outside of so many ranges of the last dimension's
  /// indices, in any order and perhaps empty, the condition is true nowhere. 0:
  /// that is not known. With ZRT_SELECT_PIECES: so many of each row.
  int64_t pieces;
  zrt_piece piece[ZRT_BOX_PIECES];
  /// With ZRT_SELECT_SOME: 1 if ZRT_SELECT_ROWS may be asked of parts of the
  /// box, else 0.
  int64_t solves;
  // ZRT_SELECT_EACH, ZRT_SELECT_ROWS, ZRT_SELECT_RUNS:
  int64_t count;                      ///< how many indices, or rows
  const int32_t *index[ZRT_MAX_RANK]; ///< of each, row-major
  uint8_t *flags;                     ///< room for one byte for each index
  // ZRT_SELECT_PIECES, row by row; outside of them the condition is true
  // nowhere.
  zrt_piece *row_piece;     ///< room for ZRT_ROW_PIECES of each
  zrt_windows *row_windows; ///< room for ZRT_ROW_WINDOWS of each
  int64_t windows;          ///< so many of each row
  int64_t exact;            ///< 1: in all of them it is true; else 0
  /// 1 before the first question if nothing is known of boxes: all questions are
  /// ZRT_SELECT_RUNS then; else 0.
  int64_t is_open;
  // ZRT_SELECT_RUNS: the last dimension's indices in each of the rows, so many,
  // from the first one.
  int64_t run_columns, run_first, run_step;
} zrt_box;

/// A region: an index set of `rank` dimensions. Lives on the program's stack
/// or in its globals; the runtime copies what it keeps. A sparse one has some
/// of the indices that `dim` says, those of its pattern on all processors.
typedef struct zrt_region {
  const char *name; ///< source name or text, for messages; may be null
  int16_t rank;
  int16_t domain;     ///< from 1, of zrt_program's; 0: the default of the rank
  int32_t singletons; ///< bit d set: dimension d is a singleton
  int32_t floods; ///< bit d set: dimension d is flooded, or a grid dimension
  int32_t grids;  ///< bit d set: dimension d is a grid dimension
  int64_t
      level; ///< which of a multi-region it is (language 9); INT64_MIN: none
  int64_t is_sparse;          ///< 0 or 1
  const zrt_pattern *pattern; ///< of a sparse one; null: it was never set
  zrt_dim dim[ZRT_MAX_RANK];
} zrt_region;

/// The block of indices of one domain that this processor owns. Blocks at the
/// edge of the grid reach beyond every index, so that each index has exactly
/// one owner. Constant once it was asked for, if the domain's distribution is.
typedef struct zrt_domain {
  zrt_range own[ZRT_MAX_RANK];
} zrt_domain;

/// A parallel array. The program reads `origin`, `pitch` and the `stride` and
/// `align` of `region`; all else is for the runtime.
///
/// Of a sparse one `region` is sparse, and has the pattern that the array has.
/// Its element at position k of that is at origin + k * pitch[rank - 1], and
/// what it has at all other indices, its implicitly replicated value, at
/// position -1, always. The other pitches are 0, and `stored` is empty.
typedef struct zrt_array {
  /// Address of the element at the positions (0,...,0), which need not exist:
  /// the element at the positions p has the address
  /// origin + sum over d of p[d] * pitch[d].
  char *origin;
  /// Bytes between neighbouring positions in dimension d. In the last dimension
  /// the element's size, in the others multiples of it; 0 in flooded
  /// dimensions, where every index finds the one element. Dimensions of
  /// borrowed storage that the program takes for strided ones, also the last,
  /// may have any pitch.
  int64_t pitch[ZRT_MAX_RANK];
  zrt_range stored[ZRT_MAX_RANK]; ///< positions held here, with fluff; all
                                  ///< empty (0..-1) when nothing is held;
                                  ///< flooded dimensions: 0..0
  zrt_region region;              ///< the declared region
  /// What implicit storage adds (language 8.7): regions beside the declared
  /// one over which the array is stored as well. Owned by the array.
  const zrt_region *borders;
  int64_t border_count;
  const char *name;          ///< source name, for messages
  const zrt_type *type;      ///< of an element
  int32_t borrowed;          ///< nonzero: `storage` belongs to another array
  int32_t planned;           ///< nonzero: there may be plans with `id`
  uint64_t id;               ///< unique per array, never 0 while alive
  void *storage;             ///< start of the allocation, or null
  int64_t bytes;             ///< its size
  struct zrt_keeper *keeper; ///< what it shares with the views of its storage
} zrt_array;

/// A mask of a statement that the runtime executes: indices at which `array`
/// (of booleans) is `value` (0 or 1) take part. Array null: all do.
typedef struct zrt_mask {
  const zrt_array *array;
  int32_t value;
} zrt_mask;

/// How far an array is read beyond a block: the greatest distance, in indices,
/// against and along each dimension, never negative. The runtime clips it to
/// the declared region, but in dimensions in which wrapped elements are read.
typedef struct zrt_fluff {
  int64_t below[ZRT_MAX_RANK];
  int64_t above[ZRT_MAX_RANK];
  int32_t steps; ///< bit d set: at least one position both ways in dimension d
  int32_t wraps; ///< bit d set: beyond the declared region as well
} zrt_fluff;

/// One `A@direction` of a transfer.
typedef struct zrt_shift {
  zrt_array *array;
  int64_t direction[ZRT_MAX_RANK];
} zrt_shift;

/// What a wave over a sparse region brings to the indices that read it: `to` at i
/// gets what `from` has at i + direction, where the region has both.
typedef struct zrt_push {
  zrt_array *from;
  zrt_array *to;
  int64_t direction[ZRT_MAX_RANK];
} zrt_push;

/// Some indices of a sparse region in the order of a wave: the visits from
/// `first` up to `end`.
typedef struct zrt_visits {
  int64_t first;
  int64_t end;
  const int32_t *order; ///< by visit: the position in the pattern
  /// By push and visit: the position that reads what is there, of this
  /// processor; the same position if there is none.
  const int32_t *const *readers;
} zrt_visits;

/// A loop nest that executes several iterations of the loop around it in one
/// sweep (zrtA_time_steps).
typedef struct zrt_time_loop {
  /// How far from its index an iteration reads what the one before has stored;
  /// by dimension.
  int64_t below[ZRT_MAX_RANK];
  int64_t above[ZRT_MAX_RANK];
  int64_t in_flight; ///< rows that an iteration has at hand
  int64_t lag;       ///< rows that the next one stays behind it
  int64_t forced;    ///< not 0: so many iterations are to be executed
  int64_t reads; ///< so many of its shifts, the first ones, it reads at; at the
                 ///< others it stores only
  int32_t rows;  ///< the dimension of its rows
  int32_t swaps; ///< not 0: arrays and rows take turns
  int32_t alone; ///< not 0: what it computes at other processors' indices is
                 ///< not what they do
  int32_t wraps; ///< bit d: beyond the region's ends in dimension d its other
                 ///< ends come
} zrt_time_loop;

/// A transfer's place to keep its plan. A zero-initialized global per declared
/// transfer of the program.
typedef struct zrt_transfer {
  void *plan;
} zrt_transfer;

/// A collective operation between its begin and its end: zero before and after.
typedef struct zrt_split {
  void *state;
} zrt_split;

/// A config variable. The command line is checked against all of them at start
/// (names, paths such as `origin.x` and `size[W]`, values), but for indices
/// of arrays whose bounds are not known then.
typedef struct zrt_config {
  const char *name;
  const zrt_type *type;
  const char *default_text; ///< source text of the default
  const char *comment;      ///< the comment that follows the declaration, or ""
} zrt_config;

/// A global variable that is to be equal on all processors; not one that is
/// `free` or C's.
typedef struct zrt_replicated {
  const char *name;
  const zrt_type *type;
  const zrt_loc *loc; ///< of its declaration
} zrt_replicated;

/// A global variable in which there may be strings.
typedef struct zrt_string_variable {
  const void *address;
  int64_t bytes;
} zrt_string_variable;

/// Where the code of a procedure begins, and where it stands in the source. The
/// compiler leaves one for each procedure of an object in the section
/// `zpl_procedures`, and their code in the section `zpl_text`, between whose
/// ends the runtime finds the procedure of an address.
typedef struct zrt_procedure {
  const void *code;
  zrt_loc loc;
  const char *name;
} zrt_procedure;

/// What the compiler says of grids, distributions and domains beyond the
/// default ones. They are numbered from 1; 0 is the default of a rank.
typedef struct zrt_grid_info {
  const char *name;
  int32_t rank;
  int32_t is_variable; ///< may be assigned to
} zrt_grid_info;
typedef struct zrt_distribution_info {
  const char *name;
  int32_t rank;
  int32_t grid; ///< a number
} zrt_distribution_info;
typedef struct zrt_domain_info {
  const char *name;
  int32_t distribution; ///< a number, never 0
  /// Nonzero: positions of arrays are places (docs/Runtime.md), whatever the
  /// distribution is.
  int32_t is_scattered;
} zrt_domain_info;

/// How one dimension is distributed.
enum zrt_rule_kind {
  ZRT_BLOCK = 0,        ///< over the box of the regions
  ZRT_BOUNDED = 1,      ///< blocks of lo..hi
  ZRT_CYCLIC = 2,       ///<
  ZRT_BLOCK_CYCLIC = 3, ///< blocks of `lo` indices
  ZRT_CUT = 4,          ///< at `points`, an array of `type`
  ZRT_NONE = 5,         ///< one processor has all
  ZRT_OWNER = 6         ///< as `owner` says
};
/// The processor, from 0, of `count` that owns index `i` of lo..hi.
typedef int32_t (*zrt_owner)(int32_t i, int32_t lo, int32_t hi, int32_t count);
typedef struct zrt_rule {
  int64_t kind; ///< enum zrt_rule_kind
  int64_t lo, hi;
  const int32_t *points;
  const zrt_type *type;
  zrt_owner owner;
} zrt_rule;

/// An M-loop that the program can execute in several ways, which all give the
/// same bytes: way 0 is the one that models choose.
enum { ZRT_SIZE_CLASSES = 64, ZRT_WAY_ASKED = 255 };
typedef struct zrt_ways {
  const zrt_loc *loc;
  const char *names; ///< of the others, from way 1: "ahead afresh"
  int64_t count;     ///< of ways, at least 2
  /// By the logarithm, rounded down, of how many indices this processor has in
  /// the loop: the way to take, or ZRT_WAY_ASKED: zrtA_way says.
  uint8_t settled[ZRT_SIZE_CLASSES];
} zrt_ways;

/// What a program does about its ways, unless the command line says.
enum zrt_tuning {
  ZRT_TUNING_NONE = 0, ///< there are none
  ZRT_TUNING_OFF = 1,
  ZRT_TUNING_MODELS = 2,
  ZRT_TUNING_RUN = 3
};

/// What a run without the work on elements (--sim=skeleton) does with a
/// statement of the program.
enum zrt_leaving {
  ZRT_LOOP_LEFT_OUT,  ///< an M-loop is not executed
  ZRT_LOOP_COMPUTED,  ///< one is: the way of control depends on it
  ZRT_OUTPUT_LEFT_OUT ///< nothing is written
};

typedef struct zrt_left_out {
  const zrt_loc *loc;
  const zrt_loc *needed_by; ///< ZRT_LOOP_COMPUTED: a statement that needs it
  int64_t leaving;          ///< enum zrt_leaving
} zrt_left_out;

/// What the compiler says about the program, for zrtA_main.
typedef struct zrt_program {
  int64_t revision;         ///< ZRT_ABI_REVISION; first in every revision
  const char *name;         ///< of the ZPL program
  const char *plugin_dir;   ///< where transports were at compile time
  const char *cpu_features; ///< "avx2,fma,...": needed at run time; "" = none
  /// Of the machine that it was compiled for, where they are not the usual ones
  /// (RunFigures.def): "name=value name=value ..."; "" = none.
  const char *figures;
  const zrt_config *configs;
  int64_t config_count;
  void (*initialize)(void); ///< global declarations, in order
  void (*entry)(void);      ///< the procedure with the program's name
  const zrt_replicated *replicated;
  int64_t replicated_count;
  /// Returns where the value of variable `number` of them is: its own memory
  /// if that was made at run time (null before), else `copy`, to which it
  /// copies the value. So the program need not give away addresses of
  /// variables.
  const void *(*replicated_value)(int64_t number, void *copy);
  /// For rank r at r - 1: bit d is set if waves travel along dimension d.
  int32_t wave_dims[ZRT_MAX_RANK];
  const zrt_string_variable *string_variables;
  int64_t string_variable_count;
  const zrt_grid_info *grids;
  const zrt_distribution_info *distributions;
  const zrt_domain_info *domains;
  int32_t grid_count;
  int32_t distribution_count;
  int32_t domain_count;
  int32_t tuning; ///< enum zrt_tuning
  zrt_ways *const *ways;
  int64_t way_count;
  const char *identity; ///< of the program's loops: "3f9a..."; "" without ways
  int32_t can_restart;  ///< 1 if it calls restart(), else 0
  int32_t counts_work;  ///< 1 with -fcount-work, else 0
  const zrt_left_out *left_out; ///< with counts_work: loops, and output
  int64_t left_out_count;
} zrt_program;

#ifdef __cplusplus
}
#endif

#endif // ZRT_ABITYPES_H
