//===- zrt/AbiArrays.h - Regions and arrays of the C interface ----*- C -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The second part of Abi.h, which says more: functions that tell of regions and
// domains, make arrays, and change sparse regions.
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_ABIARRAYS_H
#define ZRT_ABIARRAYS_H

#include "zrt/AbiTypes.h"

#ifdef __cplusplus
extern "C" {
#endif

// --- Regions and ownership --------------------------------------------------

/// Tells the runtime of a global region before the distribution of its rank is
/// fixed: blocks are cut from the bounding box of all of them.
void zrtA_region_declare(const zrt_region *region);

/// Ends the run unless every bound of `region` is an index: fits 32 bits.
void zrtA_region_check(const zrt_region *region, const zrt_loc *loc);

/// Changes `region` to `region by direction`, by the formulas of language 6;
/// singletons and flooded dimensions are kept. Local.
void zrtA_region_by(zrt_region *region, const int64_t *direction);

/// This processor's block of the given rank. Local and cheap. The first call
/// for a rank fixes the distribution; with no region declared, from an
/// empty box (processor 0's block is everything).
const zrt_domain *zrtA_domain(int32_t rank);
/// Between how many processors the indices of `region` are divided in dimension
/// `dim` (from 0). The same on all processors, until it is distributed anew. Local
/// and cheap; fixes the distribution as zrtA_domain does.
int64_t zrtA_region_parts(const zrt_region *region, int32_t dim);
/// The same of a domain with a number that is not scattered.
const zrt_domain *zrtA_domain_of(int32_t number);
/// Writes the places that the indices of `region`, of a scattered domain, have
/// on this processor: its strided dimensions as if they had stride 1, flooded
/// ones 0..0. Local.
void zrtA_places(const zrt_region *region, zrt_domain *places);
/// Where the index of place p of this processor is, in a dimension of a
/// scattered domain: at [p] of the result, for `places` as zrtA_places gave
/// them, until this is asked for another dimension or region. Null if there are
/// none. Local and cheap.
const int64_t *zrtA_place_indices(int32_t number, int32_t dim,
                                  const zrt_domain *places);

/// Gives grid `number` its extents; 0: to be chosen. Once, before what is over
/// it. Ends the run if there is no such grid of PROCESSORS.
void zrtA_grid_set(int32_t number, const int64_t *extents, const zrt_loc *loc);
/// Gives distribution `number` its rules, one per dimension; likewise. What
/// they point to is not kept, but for `owner`.
void zrtA_distribution_set(int32_t number, const zrt_rule *rules,
                           const zrt_loc *loc);
/// Make it another one. Arrays over it are distributed anew, with their
/// elements if `keeps`, else zeros.
void zrtA_grid_assign(int32_t number, int32_t value, int32_t keeps,
                      const zrt_loc *loc);
void zrtA_distribution_assign(int32_t number, int32_t value, int32_t keeps,
                              const zrt_loc *loc);
/// Cuts it where each part has about the same of the weights of its dimension:
/// the sums of the doubles of `weights` at the indices of `region`, where the
/// mask leaves them, finite and not negative; the arrays keep their elements.
void zrtA_distribution_balance(int32_t number, const zrt_array *weights,
                               const zrt_region *region, const zrt_mask *mask,
                               const zrt_loc *loc);
/// The extent of grid `number` in dimension `dim` from 1; this processor's
/// place in it, from 0. Local.
int32_t zrtA_grid_extent(int32_t number, int32_t dim);
int32_t zrtA_grid_place(int32_t number, int32_t dim);

/// An M-loop that stores at least so many bytes on this processor had better
/// not keep them in the caches; INT64_MAX where that never pays. The same
/// during the whole run. Local and cheap.
int64_t zrtA_stream_bytes(void);

/// How many iterations, from 1 to `most`, one sweep of a loop over `region` had
/// better execute: all processors get the same number. A row takes `row_bytes`
/// in all arrays of the loop together. `touched`: the `count` arrays, in turn,
/// with the offsets at which it touches them.
///
/// Where other processors have parts of the region, an iteration c of k computes
/// as well the indices of the region that lie, in each dimension, up to
/// (k - 1 - c) times `below` or `above` beside the own block. The arrays have
/// room for that when this returns, and there the elements that their owners
/// have; so their storage may move. Collective.
///
/// In dimensions of `wraps` it also computes beyond the region, where the arrays
/// have then the elements of the other end. The number is 0 instead of 1.
int64_t zrtA_time_steps(zrt_transfer *place, const zrt_region *region,
                        const zrt_time_loop *loop, const zrt_shift *touched,
                        int64_t count, int64_t row_bytes, int64_t most,
                        const zrt_loc *loc);

/// How many rows strips of several loops had better have that share arrays
/// (docs/ArrayIR.md, `strips`): of `rows` rows with `row_bytes` each in all of
/// their arrays together, of which the last loop stays `behind` rows behind the
/// first, in so many iterations. `forced`, if that is not 0. 0: the loops run one
/// after the other, as between processors, unless there are several iterations.
/// Local and cheap.
int64_t zrtA_strip_rows(int64_t row_bytes, int64_t rows, int64_t behind,
                        int64_t iterations, int64_t forced);

/// The same as zrtA_time_steps for loops in strips (docs/ArrayIR.md, `strips`),
/// over regions that lie in `region`. `sweeps`: so many of them go through more
/// than a row or a column. `touched` has how far beside the index each loop
/// touches elements in the last iteration. Collective.
int64_t zrtA_strip_steps(zrt_transfer *place, const zrt_region *region,
                         const zrt_time_loop *loop, const zrt_shift *touched,
                         int64_t count, int64_t row_bytes, int64_t most,
                         int32_t sweeps, const zrt_loc *loc);

/// Which way an execution of the loop takes that has `1 << size` indices here,
/// or more but not twice as many, where zrt_ways::settled has ZRT_WAY_ASKED.
/// zrtA_way_taken follows, and no other execution of the loop in between. Local.
int32_t zrtA_way(zrt_ways *ways, int32_t size);
/// That execution is over, in which the loop's body was executed for so many
/// indices, at least one. Local.
void zrtA_way_taken(zrt_ways *ways, int64_t indices);

// --- Arrays -----------------------------------------------------------------

/// Makes `array` an array of zeros over `region` and the `borderCount` regions
/// `borders` beside it (null if none; each of the region's strides). `fluff`
/// may be null (none). An array is stored once per processor in its flooded
/// dimensions.
void zrtA_array_new(zrt_array *array, const zrt_region *region,
                    const zrt_type *type, const zrt_fluff *fluff,
                    const zrt_region *borders, int64_t borderCount,
                    const char *name, const zrt_loc *loc);
/// Frees the array and forgets what it followed.
/// The same with the borders of `like`, an array over the same region of the
/// same type, and its elements there.
void zrtA_array_new_like(zrt_array *array, const zrt_region *region,
                         const zrt_type *type, const zrt_fluff *fluff,
                         const zrt_array *like, const char *name,
                         const zrt_loc *loc);
void zrtA_array_free(zrt_array *array, const zrt_loc *loc);

/// Makes `array` as zrtA_array_new does, of one that follows the region
/// variable at `key`, and over whose value `region` it is. The variable is rows
/// of four integers, one per dimension and one more, whose second is not 0 if
/// it has a value. Until it has one the array holds nothing; using it ends the
/// run. The descriptor stays where it is until the array is freed.
void zrtA_array_follow(zrt_array *array, int64_t *key, const zrt_region *region,
                       const zrt_type *type, const zrt_fluff *fluff,
                       const zrt_region *borders, int64_t borderCount,
                       const char *name, const zrt_loc *loc);
/// The region variable at `key` has got the value `region`: each array that
/// follows it gets new storage over that region, with its fluff and borders of
/// the same directions. It holds the elements that were stored at the indices
/// where it is stored now if `preserve`, else zeros. Before the distribution of
/// the rank is fixed, the region is declared first.
void zrtA_arrays_resize(int64_t *key, const zrt_region *region,
                        int32_t preserve, const zrt_loc *loc);

/// Makes `result` the array of the parts of the elements of `array` that have
/// the type `type`, with its region, borders and storage. `origin`: where the
/// part of the element at the positions (0,...,0) is. Free it with
/// zrtA_array_free, before `array`. Local.
void zrtA_array_part(zrt_array *result, const zrt_array *array, void *origin,
                     const zrt_type *type);

/// One `A@direction`, or `A@^direction` (language 8.1): in each dimension the
/// index whose position is the shifted one modulo the declared extent.
typedef struct zrt_view {
  zrt_array *result;
  const int64_t *direction; ///< per dimension of the region
  int64_t wraps;            ///< 0 or 1
} zrt_view;

/// Makes each result an array over `region` with result[i] = source[i +
/// direction], or the wrapped element. They may share the storage of `source`,
/// then all of them do and have the same pitches; so they are valid until
/// `source` or one of them is written or freed; free them with
/// zrtA_array_free. The storage of `source` may move: it gets more room beside
/// the elements if directions ask for that.
void zrtA_array_shift(zrt_array *source, const zrt_region *region,
                      const zrt_view *views, int64_t count, const zrt_loc *loc);

/// The same, but the elements of other processors are still on their way: this
/// is DR and SR of `transfer`, of which zrtA_at_dn or zrtA_at_piece and
/// zrtA_at_sv follow. Until DN no result is read beyond this processor's
/// indices, where `source` has them, by as much as the directions say; until SV
/// `source` is not written.
void zrtA_array_shift_begin(zrt_transfer *transfer, zrt_array *source,
                            const zrt_region *region, const zrt_view *views,
                            int64_t count, const zrt_loc *loc);

/// target[i + direction] = source[i] for the indices i of `region` that the
/// mask leaves: `@`, or with `wraps` `@^`, on the left side.
void zrtA_array_put(zrt_array *target, const zrt_array *source,
                    const zrt_region *region, const int64_t *direction,
                    int32_t wraps, const zrt_mask *mask, const zrt_loc *loc);

/// Whether the element at `a` goes before the one at `b`, which it changes
/// neither of: stores 0 or 1.
typedef void (*zrt_before)(void *a, void *b, uint8_t *first);
/// Puts the elements of arrays[0] at the indices of `region`, of rank 1, into
/// ascending or descending order, and those of the other arrays as they go.
/// What is equal stays in its order. `before` null: numbers, characters,
/// booleans, enumerations and strings by their values; -0 comes before 0, and
/// NaNs after all numbers. Else `descending` does not matter.
void zrtA_array_sort(zrt_array *const *arrays, int64_t count,
                     const zrt_region *region, int32_t descending,
                     zrt_before before, const zrt_loc *loc);

// --- Sparse regions (language 10) --------------------------------------------
//
// The program keeps the pattern of a sparse region at a place `at` (a global,
// on the stack, in a region variable), 0 before; it copies the pointer into the
// descriptors zrt_region that it passes. The runtime owns patterns: one lives
// until another one is stored at its `at` or zrtA_pattern_drop is called, and
// as long as an array has it. Patterns that a program wants to have elsewhere,
// as in a parameter, it takes. Dimensions of sparse regions are not flooded.
// That a region was never set is an error for all but `result` of the
// functions that set one, where it has no index then.

enum zrt_pattern_operator {
  ZRT_PATTERN_SET = 0,    ///< value
  ZRT_PATTERN_OR = 1,     ///< what was in `result`, or is in `value`
  ZRT_PATTERN_AND = 2,    ///< what was in `result`, and is in `value`
  ZRT_PATTERN_AND_NOT = 3 ///< what was in `result`, and is not in `value`
};

/// Sets the sparse region whose pattern is at `at`. `result` has its new bounds,
/// and unless it is SET the old pattern. The value are the indices of `value`,
/// dense or sparse and of any domain, that the mask leaves; the mask's
/// array (null: none) is dense, or sparse over any region, and then has its
/// implicitly replicated value where that has no index. SET and OR end the run
/// if an index lies outside of the bounds of `result`. Arrays that follow `at`
/// are made anew: elements whose indices stay keep their values, new ones are
/// the implicitly replicated value.
void zrtA_pattern_set(const zrt_pattern **at, const zrt_region *result,
                      int32_t operation, const zrt_region *value,
                      const zrt_mask *mask, const zrt_loc *loc);
/// What zrtA_select_next asks for.
enum zrt_select_question {
  ZRT_SELECT_DONE = 0, ///< nothing: zrtA_pattern_select comes next
  ZRT_SELECT_BOX = 1,  ///< an answer about all of the box
  ZRT_SELECT_EACH = 2, ///< flags: 1 where the condition is true, else 0
  ZRT_SELECT_ROWS = 3, ///< the last dimension's pieces of some rows
  ZRT_SELECT_RUNS = 4  ///< flags of indices side by side in some rows
};
/// What is known of a condition in a box.
enum zrt_select_answer {
  ZRT_SELECT_NONE = 0,  ///< it is true nowhere
  ZRT_SELECT_ALL = 1,   ///< it is true everywhere
  ZRT_SELECT_SOME = 2,  ///< neither of both is known
  ZRT_SELECT_FLAGS = 3, ///< the flags say it
  ZRT_SELECT_PIECES = 4 ///< the pieces of rows say it
};

/// Begins to select the indices of the dense region `value` where a condition
/// is true, for `result` and `operation` as in zrtA_pattern_set. The box belongs
/// to the runtime, until zrtA_pattern_select. Local, but of AND between domains
/// collective.
zrt_box *zrtA_select_begin(const zrt_region *result, int32_t operation,
                           const zrt_region *value, const zrt_loc *loc);
/// Takes the answer to what was asked for last, anything at first, and asks
/// again. Boxes of which too little is known are cut until they are small, or
/// their rows are asked for, if the program can solve those.
/// Local and cheap: the number of calls goes with the indices that are
/// selected, or of AND with those of the old pattern, not with those of the
/// region.
int32_t zrtA_select_next(zrt_box *box, int32_t answer);
/// zrtA_pattern_set with the indices of `value` that were selected. The box is
/// gone afterwards.
void zrtA_pattern_select(const zrt_pattern **at, const zrt_region *result,
                         int32_t operation, const zrt_region *value,
                         zrt_box *box, const zrt_loc *loc);
/// Sets it to the indices of the sparse `source`, each moved by `direction`
/// (null: zero), that lie in the bounds (and strides) of `result`: `in`, `at`,
/// `by`, inherited dimensions, copies, regions of another domain. Without a
/// move and with equal bounds both share the pattern, at no cost.
void zrtA_pattern_take(const zrt_pattern **at, const zrt_region *result,
                       const zrt_region *source, const int64_t *direction,
                       const zrt_loc *loc);
/// Sets it to the indices that the matrix in `file` (*.mtx) lists, which has the
/// extents of `result`.
void zrtA_pattern_read(const zrt_pattern **at, const zrt_region *result,
                       zrt_file file, const zrt_loc *loc);
/// `where ?` when control comes to the declaration again; and for places on
/// the stack that are left. Arrays that follow `at` have no index then. Local.
void zrtA_pattern_drop(const zrt_pattern **at);

/// Begins to add indices to the region at `at`, whose bounds and old pattern
/// `region` has. Ends the run if that was begun already.
void zrtA_modify_begin(const zrt_pattern **at, const zrt_region *region,
                       const zrt_loc *loc);
/// Adds one, of `rank` numbers. `replicated` nonzero: all processors add this
/// one; else each may add what it likes, also the same. Ends the run, naming the
/// index, if it is none of the region's bounds and strides. Local and cheap.
void zrtA_modify_add(const zrt_pattern **at, const int64_t *index,
                     int32_t replicated, const zrt_loc *loc);
/// Sets the region to what it had and what was added on any processor.
void zrtA_modify_end(const zrt_pattern **at, const zrt_loc *loc);

/// The number of indices, on all processors together.
int64_t zrtA_pattern_size(const zrt_region *region, const zrt_loc *loc);
/// Whether `index`, the same on all processors, is one: 1 or 0.
int32_t zrtA_pattern_inside(const zrt_region *region, const int64_t *index,
                            const zrt_loc *loc);
/// The same of an index that this processor owns; of others 0. Local.
int32_t zrtA_pattern_inside_here(const zrt_region *region,
                                 const int64_t *index);

/// Makes `array` a sparse array of zeros over `region`, whose implicitly
/// replicated value is zero, too. It follows the region at `at` (null: none),
/// as long as it lives; if that was never set it has no index yet. Free it with
/// zrtA_array_free.
void zrtA_sparse_new(zrt_array *array, const zrt_pattern **at,
                     const zrt_region *region, const zrt_type *type,
                     const char *name, const zrt_loc *loc);

/// target[i] = source[i + direction] for i in `region`. The source is sparse;
/// where it has no element this is its implicitly replicated value. The target
/// is dense, and `region` dense or sparse, or it is sparse and has the pattern
/// of `region`. `wraps`: as for zrt_view, by the source's bounds. Domains may
/// differ. The target is not the source.
void zrtA_fetch(zrt_array *target, const zrt_array *source,
                const zrt_region *region, const int64_t *direction,
                int32_t wraps, const zrt_loc *loc);

/// Writes a part of a row as a dense array would have it: the elements of the
/// sparse `array`, of rank 2 at least, at `index` in the dimensions before the
/// last one and lo .. hi in that, which is not empty and this processor's, in a
/// domain that is not scattered. `row` is where index 0 would be; elements are
/// side by side. No strings. Local. Cost: hi - lo, and a search among the rows.
void zrtA_fetch_row(const zrt_array *array, const int64_t *index, int64_t lo,
                    int64_t hi, void *row);

/// The number of the first row from `from` on, where there is one, that is not
/// before `index` in the dimensions before the last one, if it is there; else
/// ~ that number, of `rows` if all are before. For patterns of rank 2 at least,
/// of which the row before `from` is before the index. Local. Cost: logarithmic
/// in the rows that are passed.
int64_t zrtA_seek_row(const zrt_pattern *pattern, int64_t from,
                      const int64_t *index);
/// The first position from `from` to `to`, exclusive, whose column is not less
/// than `column`, or `to`: the positions are of one row. Local. Cost:
/// logarithmic in the positions that are passed.
int64_t zrtA_seek_column(const zrt_pattern *pattern, int64_t from, int64_t to,
                         int64_t column);

/// target[i + direction] = source[i] for the indices i of `region` that the mask
/// leaves. The target is sparse; source and mask are dense, or sparse with the
/// pattern of `region`. Ends the run before anything is changed if the target
/// has no element for one of them, and names the first such index. `what`: the
/// target as written.
void zrtA_store(zrt_array *target, const int64_t *direction, int32_t wraps,
                const zrt_array *source, const zrt_region *region,
                const zrt_mask *mask, const char *what, const zrt_loc *loc);

// Other functions and sparse regions: zrtA_array_free, zrtA_array_part,
// zrtA_strings_share (with the implicitly replicated value) and the functions
// for files take sparse arrays, these with the pattern of `region`: what it has
// in row-major order of the whole. zrtA_check_maps, zrtA_array_gather and
// zrtA_array_scatter take a sparse `region`: arrays of maps, the mask and the
// array over `region` have its pattern then; the remapped array may be sparse.
// zrtA_check_read and zrtA_check_write ask whether the indices of a sparse
// `region`, not its bounds, lie within the bounds of the array; they, and
// zrtA_at_dr, are collective then. zrtA_check_formal compares patterns.
// zrtA_array_move moves sparse arrays of one region, of any two domains.
// All others judge sparse regions by their bounds, and take dense arrays only.

#ifdef __cplusplus
} // extern "C"
#endif

#endif // ZRT_ABIARRAYS_H
