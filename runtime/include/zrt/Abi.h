//===- zrt/Abi.h - The one header that compiler and runtime share -*- C -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every function a compiled ZPL program calls, and every structure whose
// fields it reads, stands here, in AbiArrays.h and in AbiTypes.h, in plain C
// with fixed-width types. The compiler derives its LLVM declarations from these C types, so a
// change here is a change of both sides or a compile error.
//
// Conventions
//  - The prefix `zrtA_` carries the revision: programs and runtimes of
//    different revisions do not link.
//  - All calls are *collective* unless they say "local": every processor makes
//    the same calls in the same order.
//  - Index values and bounds are 64-bit here (32-bit in the language); sizes,
//    strides and counts are 64-bit.
//  - `zrt_loc` is the user's source position, for messages and profiles. Never
//    null, and constant for the whole run: the runtime keeps the pointer.
//  - No call returns after an error: the run ends with status 1.
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_ABI_H
#define ZRT_ABI_H

#include "zrt/AbiArrays.h"
#include "zrt/AbiTypes.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Whether the command line gives all of config variable `number` (its place in
/// zrt_program::configs); if so stores the value at `address`. Called where
/// the variable is declared, in order. Local.
int32_t zrtA_config_given(int64_t number, void *address);
/// Stores the fields and elements that the command line gives at `address`,
/// after the default was set. Local.
void zrtA_config_parts(int64_t number, void *address);

/// The program's `main`. Reads the command line, starts the processors, runs
/// initialize and entry on each, returns the exit status.
int32_t zrtA_main(int32_t argc, char **argv, const zrt_program *program);

// --- Flood, reductions and scans (language 8.2, 8.4; appendix B) -------------

/// `>>[from] source`: makes `result` an array over `from` with its singleton
/// dimensions flooded, which holds the elements of `source` at `from`, on all
/// processors of the grid slice. It may share the storage of `source`, so it
/// is valid until `source` is written or freed; free it with zrtA_array_free.
void zrtA_array_flood(zrt_array *result, const zrt_array *source,
                      const zrt_region *from, const zrt_loc *loc);

/// The same at `count` indices, at least one, of dimension `dim`, from the one
/// of `from` on, with one message: element k of them, as often as `dim` floods,
/// is the pitch of `dim` after element k - 1. In `dim` the source is not
/// flooded and has all these indices.
void zrtA_array_flood_panel(zrt_array *result, const zrt_array *source,
                            const zrt_region *from, int32_t dim, int64_t count,
                            const zrt_loc *loc);

/// Element `slot` of such a panel of `count` elements alone, from the index of
/// `from`: `slot` 0 makes the panel, with room for all; later ones are of parts
/// of that `from`. It does not share the storage of `source`. Elements of one
/// slot lie side by side in memory.
void zrtA_array_flood_slot(zrt_array *result, const zrt_array *source,
                           const zrt_region *from, int32_t dim, int64_t slot,
                           int64_t count, const zrt_loc *loc);

/// Combines, element by element, the arrays of all processors that differ only
/// in their places along the grid dimensions `dims` (bit d: dimension d), in
/// which the array is flooded; all get the same bits. Elements are scalars or
/// complex.
void zrtA_array_combine(zrt_array *array, int32_t dims, int32_t reduction,
                        const zrt_loc *loc);

/// What -freproducible makes of a floating sum or product (docs/Rounding.md):
/// the elements of `source` at `from` that the mask leaves, folded
/// by a tree over positions. `result` has the rank of `from`; its flooded
/// dimensions are those that are reduced.
void zrtA_array_fold(zrt_array *result, const zrt_array *source,
                     const zrt_region *from, int32_t reduction,
                     const zrt_mask *mask, const zrt_loc *loc);
/// The same of all elements, into one value of the element's type.
void zrtA_fold(void *result, const zrt_array *source, const zrt_region *from,
               int32_t reduction, const zrt_mask *mask, const zrt_loc *loc);

/// How a scan goes.
typedef struct zrt_scan {
  int32_t reduction;
  int32_t count;              ///< of dimensions
  int32_t dims[ZRT_MAX_RANK]; ///< from the fastest, from 1; negative: downward
  int32_t inclusive;
  int32_t reproducible;
} zrt_scan;

/// Stores the prefixes of `source` over `region` into `result`, another array,
/// at the indices that the mask leaves; the others do not contribute. The scan
/// starts anew where `segment` (null: nowhere) is true.
void zrtA_array_scan(zrt_array *result, const zrt_array *source,
                     const zrt_region *region, const zrt_scan *scan,
                     const zrt_array *segment, const zrt_mask *mask,
                     const zrt_loc *loc);

/// For scans that loops of the program go through. `carries`, over `region` but
/// flooded in the first dimension of the scan, has what this processor's part of
/// each line along that comes to; it becomes what precedes that part in the order
/// of the scan. `restarts` (null: nowhere), of the same shape, is true where the
/// scan starts anew in that part. `scan` is not reproducible.
void zrtA_array_carries(zrt_array *carries, const zrt_array *restarts,
                        const zrt_region *region, const zrt_scan *scan,
                        const zrt_loc *loc);

/// User-defined operators (language 8.3) work on states of any size. Makes
/// `state` the combination of both, of which `before` comes first in order;
/// what it leaves in `before` does not matter.
typedef void (*zrt_state_combine)(void *before, void *state);
typedef void (*zrt_state_identity)(void *state);

/// zrtA_reduce, zrtA_array_combine and zrtA_array_scan by a user-defined
/// operator; `bytes` is the size of a state. In a scan the elements of `source`
/// are states, and the fields `reduction` and `reproducible` of `scan` do not
/// matter.
void zrtA_reduce_states(void *state, int64_t bytes, zrt_state_combine combine,
                        const zrt_region *over, const zrt_loc *loc);
void zrtA_array_combine_states(zrt_array *array, int32_t dims,
                               zrt_state_combine combine, const zrt_loc *loc);
void zrtA_array_scan_states(zrt_array *result, const zrt_array *source,
                            const zrt_region *region, const zrt_scan *scan,
                            zrt_state_combine combine,
                            zrt_state_identity identity,
                            const zrt_array *segment, const zrt_mask *mask,
                            const zrt_loc *loc);

// --- Remap (language 8.5) ----------------------------------------------------

/// One map, for one dimension of the remapped array.
typedef struct zrt_map {
  int32_t form; ///< enum zrt_map_form
  int32_t dim;  ///< of the region, from 0: INDEX, LINEAR, MODULAR
  int64_t value;
  const zrt_array *array; ///< of I32 or I64 elements
  int64_t scale;          ///< LINEAR, MODULAR
  int64_t modulus, shift; ///< MODULAR
} zrt_map;
/// What x is: the index of dimension `dim` of the region. LINEAR and MODULAR are
/// computed as the program does, in 32 bits: sums and products wrap around, a
/// remainder has the sign of what is divided.
enum zrt_map_form {
  ZRT_MAP_ARRAY = 0,
  ZRT_MAP_SCALAR = 1, ///< `value`
  ZRT_MAP_INDEX = 2,  ///< x
  ZRT_MAP_LINEAR = 3, ///< scale * x + value
  ZRT_MAP_MODULAR = 4 ///< (scale * x + value) % modulus + shift
};

/// Ends the run, naming the first index in row-major order, if a map has a
/// value at an index of `region` that the mask leaves which is no index of
/// `array`. `what` is the designator as written. Flooded dimensions of the
/// array take any value.
///
/// The runtime remembers maps that did not change from one check to the next,
/// and how their elements travel; so the gather or scatter that follows a check
/// has the same maps, region and mask, and nothing is written in between. One
/// that no check precedes looks at its maps itself. `sets`, here and below:
/// bits for those that zrtA_maps_written is told of when the maps and the mask
/// are written; 0: it is not told of all.
void zrtA_check_maps(const zrt_array *array, const zrt_region *region,
                     const zrt_map *maps, const zrt_mask *mask, int64_t sets,
                     const char *what, const zrt_loc *loc);

/// Arrays of these sets may have been written since the last call: maps of
/// theirs have to be compared before they are taken for what they were. The
/// program numbers the sets of arrays that may be one, if remaps name one of
/// them, and calls on all processors.
void zrtA_maps_written(int64_t sets);

/// result[i] = source[maps at i] over `region`, where the mask leaves it. The
/// maps have been checked. `source` may be sparse: what it does not store is its
/// implicitly replicated value.
void zrtA_array_gather(zrt_array *result, const zrt_array *source,
                       const zrt_region *region, const zrt_map *maps,
                       const zrt_mask *mask, const zrt_loc *loc);

/// Where the elements are that one remap names.
typedef struct zrt_reference {
  zrt_array *positions; ///< becomes an array of I32 over the region
  const zrt_map *maps;
  const zrt_mask *mask; ///< may be null
  int64_t sets;
  const char *what; ///< the designator as written
  const zrt_loc *loc;
} zrt_reference;

/// Checks the maps of the references as zrtA_check_maps does, and makes
/// `window` an array of two dimensions without bounds: the element of `source`
/// that a reference names at an index is at (0, p) or, if p is negative, at
/// (1, p), where p is the element of `positions` at that index. Positions that
/// the mask excludes are of some element. All that is made is freed before the
/// next call with this `loc`. With `more`, elements travel together with those
/// of the next call, which makes both windows.
void zrtA_window_fetch(zrt_array *window, const zrt_array *source,
                       const zrt_region *region,
                       const zrt_reference *references, int64_t count,
                       int32_t more, const zrt_loc *loc);

/// Begins a gather of which a loop reads the elements where they arrive: checks
/// the maps, scalars and indices, as zrtA_check_maps does. `source`, which is not
/// strided and of ranges, as `region` is, is not written before the end.
void zrtA_boxes_begin(const zrt_array *source, const zrt_region *region,
                      const zrt_map *maps, const char *what,
                      const zrt_loc *loc);
/// Makes `box` the next one of the boxes that make up this processor's part of
/// the region, and `window` an array with the elements of the source that the
/// maps name there, at their indices; nothing of it is freed. 0 if there is none,
/// and the gather is over. Local, but for what waits.
int32_t zrtA_boxes_next(zrt_region *box, zrt_array *window);

/// Makes `copy` an array over the region of `source` of which each processor
/// has all elements; no dimension is flooded or strided.
void zrtA_window_copy(zrt_array *copy, const zrt_array *source,
                      const zrt_loc *loc);

/// The same, but of values that change no value that they are combined with by
/// `reduction`, an enum zrt_reduction.
void zrtA_window_image(zrt_array *image, const zrt_array *array,
                       int32_t reduction, const zrt_loc *loc);

/// The same as zrtA_window_fetch, but with values as those of an image in place
/// of elements of other processors. zrtA_window_merge with the same array comes
/// before the window and the positions are freed. With a `reduction` of -1 values
/// are stored, and the last one in row-major order counts; with `more`, the next call
/// makes both windows, and they are merged together.
void zrtA_window_collect(zrt_array *window, const zrt_array *array,
                         const zrt_region *region,
                         const zrt_reference *references, int64_t count,
                         int32_t reduction, int32_t more, const zrt_loc *loc);

/// Combines each element of `array` with the values for it in all processors'
/// images. Ends the run like zrtA_window_confirm. With `more`, of windows that
/// were made together, the values go with those of the next call.
void zrtA_window_merge(zrt_array *array, const zrt_array *image,
                       int32_t reduction, int32_t more, const zrt_loc *loc);

/// Ends the run if zrtA_note_map has been called on any processor, with the
/// message about the index that comes first in row-major order.
void zrtA_window_confirm(const zrt_loc *loc);

/// target[i] = source[i] for i in `region`, whose domain is the target's; the
/// source's may be another one. They have no storage in common.
void zrtA_array_move(zrt_array *target, const zrt_array *source,
                     const zrt_region *region, const zrt_loc *loc);

/// Combines `value` with the element at `target`, in place.
typedef void (*zrt_combine)(void *target, const void *value);

/// target[maps at i] = source[i] for the indices of `region` in row-major
/// order, where the mask leaves them; with `combine` (null: none) that is
/// called instead of storing. `reduction`, not negative, is the enum
/// zrt_reduction that `combine` computes, exactly: both arrays have elements of
/// one boolean, integer or real type, and the runtime may do without calls and,
/// where no order can be seen, combine values before they travel. The maps have
/// been checked. `target` may be sparse: if the maps name an index that it does
/// not store the run ends, before anything is changed, and names the first one;
/// `what`: the target as written.
void zrtA_array_scatter(zrt_array *target, const zrt_array *source,
                        const zrt_region *region, const zrt_map *maps,
                        zrt_combine combine, int32_t reduction,
                        const zrt_mask *mask, const char *what,
                        const zrt_loc *loc);

/// Between zrtA_modify_begin and zrtA_modify_end: adds the index that `maps`, one
/// for each dimension, name at each index of `region` that the mask leaves. Ends
/// the run, naming the first one, if an index is not within the bounds; before
/// it adds any. Collective.
void zrtA_modify_add_maps(const zrt_pattern **at, const zrt_region *region,
                          const zrt_map *maps, const zrt_mask *mask,
                          const zrt_loc *loc);

// --- Boundary conditions (language 8.7) --------------------------------------

/// `wrap` and `reflect` of `array` in the scope `direction of base`.
void zrtA_wrap(zrt_array *array, const zrt_region *base,
               const int64_t *direction, const zrt_loc *loc);
void zrtA_reflect(zrt_array *array, const zrt_region *base,
                  const int64_t *direction, const zrt_loc *loc);

// --- Legality (language appendix B) -----------------------------------------

/// Ends the run unless every index of `region` moved by `direction` (null:
/// zero) lies in the declared region of `array` or its borders. An empty region
/// is legal. In dimensions that the array floods every index is legal for
/// reading. `what` is the designator as written: "A@east".
void zrtA_check_read(const zrt_array *array, const zrt_region *region,
                     const int64_t *direction, const char *what,
                     const zrt_loc *loc);
void zrtA_check_write(const zrt_array *array, const zrt_region *region,
                      const int64_t *direction, const char *what,
                      const zrt_loc *loc);

/// Ends the run unless, in every dimension that is strided in `array`, the
/// indices of `region` moved by `direction` have the array's alignment, and the
/// array is not empty: what `@^` demands.
void zrtA_check_wrap(const zrt_array *array, const zrt_region *region,
                     const int64_t *direction, const char *what,
                     const zrt_loc *loc);

/// Ends the run unless `array` has the border that zrtA_wrap, or with
/// `reflects` zrtA_reflect, would fill, and what it would be filled from.
void zrtA_check_border(const zrt_array *array, const zrt_region *base,
                       const int64_t *direction, int32_t reflects,
                       const zrt_loc *loc);

/// Ends the run unless `from` and `over` have the same indices in each
/// dimension in which both are ranges: of a flood or partial reduction `what`.
void zrtA_check_conform(const zrt_region *from, const zrt_region *over,
                        const char *what, const zrt_loc *loc);

/// Ends the run unless `mask` is declared over every index of `region`.
/// (The same as reading; the message speaks of the mask.)
void zrtA_check_mask(const zrt_array *mask, const zrt_region *region,
                     const char *what, const zrt_loc *loc);

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

/// DN of `count` transfers, for a loop over a region of the default domain of
/// `rank`, or if that is negative of domain number -rank, that can be executed
/// box by box. Called with `number` 0, 1, 2, ... until it returns
/// null; the results are boxes that make up this processor's block, and by the
/// time a box is returned the fluff holds what its indices need. Those that
/// need nothing of the neighbours come first where it pays to compute them
/// while data travel; else the block is returned as a whole.
const zrt_domain *zrtA_at_piece(zrt_transfer *const *transfers, int64_t count,
                                int32_t rank, int32_t number);

// --- Wavefronts (language 8.6) -----------------------------------------------

/// In which order a wave goes through a region (docs/ArrayIR.md, section 1).
typedef struct zrt_wave {
  /// All dimensions, from 1, the slowest first; negative: downward.
  int32_t order[ZRT_MAX_RANK];
  int32_t steps; ///< so many of them are taken index by index
  int32_t cost;  ///< of an element, in additions, about
  /// The dimension, from 1, of the program's innermost loop, if there each
  /// element waits for the one before it; else 0.
  int32_t chain;
  /// That of the loop around it, if `chain` is not 0 or the program works on
  /// several rows at a time: so many. Else 0 and 1.
  int32_t rows;
  int32_t group;
} zrt_wave;

/// Begins a wave over `region`, whose tiles store what other tiles read at the
/// `count` offsets `primed`.
void zrtA_wave_begin(const zrt_region *region, const zrt_shift *primed,
                     int64_t count, const zrt_wave *wave, const zrt_loc *loc);
/// Ends the tile at hand, if there is one, and makes `tile`, of the region's
/// shape, the next one in which this processor owns something; 0 if there is
/// none, and the wave is over. What the tile reads at the offsets has arrived.
int32_t zrtA_wave_next(zrt_region *tile);

/// Begins a wave over the sparse `region`, of which all arrays are. The program
/// itself takes what it stores to the `readers` of each visit.
void zrtA_pattern_wave_begin(const zrt_region *region, const zrt_push *pushes,
                             int64_t count, const zrt_wave *wave,
                             const zrt_loc *loc);
/// Ends the visits at hand, if there are any. The next ones, which have got all
/// that other processors push; null if there are none, and the wave is over.
const zrt_visits *zrtA_pattern_wave_next(void);

// --- Loops in turn ----------------------------------------------------------

/// For loops over the `count` regions, of one rank and without flooded
/// dimensions, that go through the same arrays: begins their tiles, boxes of
/// which each loop executes its part before the next one comes. They hold so
/// few indices, of `bytes` each, that their elements stay in the cache; no more
/// than a few rows if `isApart`: no loop reads at other indices what one of
/// them stores. Local.
void zrtA_tiles_begin(const zrt_region *const *regions, int64_t count,
                      int64_t bytes, int32_t isApart);
/// The next tile; null after the last one. It changes with the next call.
const zrt_domain *zrtA_tiles_next(void);
/// Whether no index is in two of the `count` regions, of one rank and without
/// flooded dimensions: 1 or 0. Local.
int32_t zrtA_regions_disjoint(const zrt_region *const *regions, int64_t count);

// --- Collectives ------------------------------------------------------------

/// Combines one value per processor, in place, with the same bits everywhere.
/// `kind` is an enum zrt_kind, boolean, char, integer, enumeration, real or
/// complex; `reduction` is an enum zrt_reduction. `over` is the region whose
/// elements were combined, null for one value per processor: of processors that
/// differ only in places along dimensions flooded in it, one contributes.
void zrtA_reduce(void *value, int32_t kind, int32_t reduction,
                 const zrt_region *over, const zrt_loc *loc);

/// One of several values that travel together.
typedef struct zrt_combined {
  void *value;
  zrt_state_combine combine; ///< of a state; null: `kind` and `reduction` count
  int64_t bytes;             ///< of the value or state
  int32_t kind;              ///< as for zrtA_reduce
  int32_t reduction;
} zrt_combined;

/// What zrtA_reduce or zrtA_reduce_states would make of each of the `count`
/// values, with the same bits, by the messages of one. At each step of the
/// tree the values are combined in their order.
void zrtA_reduce_several(const zrt_combined *values, int64_t count,
                         const zrt_region *over, const zrt_loc *loc);

/// What zrtA_array_combine or zrtA_array_combine_states would make of each of the
/// `count` arrays, whose descriptors are the `value`s, of elements of `bytes`
/// bytes: if all are over equal regions and have few elements on a processor,
/// by the messages of one, else in turn.
void zrtA_array_combine_several(const zrt_combined *arrays, int64_t count,
                                int32_t dims, const zrt_loc *loc);

/// zrtA_reduce and zrtA_reduce_states in two steps. The begin takes the value
/// and returns without waiting for the other processors; the end gives the
/// result, with the same bits. Anything may stand between them, also begins and
/// ends of others and whole collectives, in any order that is the same on all
/// processors. `value` may be another place at the end.
void zrtA_reduce_begin(zrt_split *split, const void *value, int32_t kind,
                       int32_t reduction, const zrt_region *over,
                       const zrt_loc *loc);
void zrtA_reduce_states_begin(zrt_split *split, const void *state,
                              int64_t bytes, zrt_state_combine combine,
                              const zrt_region *over, const zrt_loc *loc);
void zrtA_reduce_end(zrt_split *split, void *value, const zrt_loc *loc);
/// The same of zrtA_reduce_several. At the end only the places of the values
/// count, which may be other ones, in the same order.
void zrtA_reduce_several_begin(zrt_split *split, const zrt_combined *values,
                               int64_t count, const zrt_region *over,
                               const zrt_loc *loc);
void zrtA_reduce_several_end(zrt_split *split, const zrt_combined *values,
                             int64_t count, const zrt_loc *loc);

/// zrtA_array_flood and zrtA_array_scan in two steps. Until the end the
/// elements of `result` are not there, and arrays that are read must not
/// change; descriptors stay where they are.
void zrtA_array_flood_begin(zrt_split *split, zrt_array *result,
                            const zrt_array *source, const zrt_region *from,
                            const zrt_loc *loc);
void zrtA_array_flood_end(zrt_split *split, const zrt_loc *loc);
void zrtA_array_scan_begin(zrt_split *split, zrt_array *result,
                           const zrt_array *source, const zrt_region *region,
                           const zrt_scan *scan, const zrt_array *segment,
                           const zrt_mask *mask, const zrt_loc *loc);
void zrtA_array_scan_end(zrt_split *split, const zrt_loc *loc);

/// Gives every processor the value of processor 0.
void zrtA_broadcast(void *value, int64_t bytes, const zrt_loc *loc);

// --- Files, input and output (language 14, 15) ------------------------------
//
// `format` is a C format with exactly one conversion (two for complex types)
// and any text around it, or null for the default of language.md section 15. It
// is checked again here: one that does not fit the type ends the run. Length
// modifiers are ignored. A file named *.npy, *.png or *.mtx is read or written
// as that (NumPy's format: one array or scalar; PNG: a heat map, or the colours
// of three arrays or one of records; Matrix Market's exchange format: one array
// of rank 1 or 2, dense or sparse).

zrt_file zrtA_open(const char *name, int32_t mode, const zrt_loc *loc);
void zrtA_close(zrt_file file, const zrt_loc *loc);
/// zrtA_open of a picture to be written, whatever its name ends with, in the
/// colours of the map `colours` ("": the default), from `low` to `high` if
/// `isFixed`, each element `scale` times `scale` pixels.
zrt_file zrtA_open_picture(const char *name, const char *colours,
                           int32_t isFixed, double low, double high,
                           int32_t scale, const zrt_loc *loc);
/// What the array in a file *.npy, *.png or *.mtx that is open for reading is
/// like:
/// its number of dimensions, its extent in dimension `dim` (from 1), and the
/// language's name of its elements' type, a constant. In a picture dimension 3
/// are the colours, 1 or 3.
int32_t zrtA_file_rank(zrt_file file, const zrt_loc *loc);
int32_t zrtA_file_shape(zrt_file file, int32_t dim, const zrt_loc *loc);
const char *zrtA_file_element(zrt_file file, const zrt_loc *loc);
/// Nonzero when nothing but blanks is left.
int32_t zrtA_eof(zrt_file file, const zrt_loc *loc);
/// 1 if a and b are the same file; all failed ones are znull. Local.
int32_t zrtA_same_file(zrt_file a, zrt_file b);

void zrtA_write_text(zrt_file file, const char *text, int64_t length,
                     const zrt_loc *loc);
/// One value of a scalar, record, union or indexed array type.
void zrtA_write(zrt_file file, const char *format, const void *value,
                const zrt_type *type, const zrt_loc *loc);
/// The elements of `array` at `region` in row-major order; streams through
/// bounded buffers.
void zrtA_write_array(zrt_file file, const char *format, const zrt_array *array,
                      const zrt_region *region, const zrt_loc *loc);
/// A statement that wrote to `file` has ended: all of that is handed to the
/// system, so that it outlives whatever happens to the run. The arrays of a
/// picture, which must be there until then, become one.
void zrtA_written(zrt_file file);
/// Reads one value; the same on all processors afterwards.
void zrtA_read(zrt_file file, const char *format, void *value,
               const zrt_type *type, const zrt_loc *loc);
void zrtA_read_array(zrt_file file, const char *format, zrt_array *array,
                     const zrt_region *region, const zrt_loc *loc);
/// Memory images, native byte order, no header.
void zrtA_bwrite(zrt_file file, const void *value, const zrt_type *type,
                 const zrt_loc *loc);
void zrtA_bwrite_array(zrt_file file, const zrt_array *array,
                       const zrt_region *region, const zrt_loc *loc);
void zrtA_bread(zrt_file file, void *value, const zrt_type *type,
                const zrt_loc *loc);
void zrtA_bread_array(zrt_file file, zrt_array *array, const zrt_region *region,
                      const zrt_loc *loc);

/// Sets (null: removes) the procedure that writes or reads each element of
/// `array` in text I/O. Called on all processors for one element after the
/// other, in row-major order.
typedef void (*zrt_element_io)(zrt_file *file, void *element);
void zrtA_bind_write(zrt_array *array, zrt_element_io procedure);
void zrtA_bind_read(zrt_array *array, zrt_element_io procedure);
/// Sets the procedures that `like` has, for a copy of it that is written or
/// read in its place.
void zrtA_bind_like(zrt_array *array, const zrt_array *like);

/// Ends the whole run with a status of 1 to 255, after what was written is
/// out; another one is an error. The same on all processors.
void zrtA_halt(int32_t status, const zrt_loc *loc);

/// Ends the run: function `name` ended without `return`.
void zrtA_missing_return(const char *name, const zrt_loc *loc);

// --- Checkpoints ------------------------------------------------------------
//
// `checkpoint(name)` and `restart()` are procedures of the program (lib/Sema).
// Between the opening and zrtA_close they call zrtA_checkpoint_item, then
// zrtA_bwrite, zrtA_bread, their like for arrays and zrtA_pattern_read, for each
// variable, array and sparse region. Arrays are written with their borders.

/// A new checkpoint, which has its name when it is closed.
zrt_file zrtA_open_checkpoint(const char *name, const zrt_loc *loc);
/// The one that the program goes on from; ZRT_ZNULL if it was not started so, or
/// this was asked before.
zrt_file zrtA_open_restart(const zrt_loc *loc);
/// Whether zrtA_open_restart has given one: 1 or 0. Local.
int32_t zrtA_restarted(void);
/// What is written or read from here on is that of `name`; of the array number
/// `member`, from 0, of a family (-1: of none).
void zrtA_checkpoint_item(zrt_file file, const char *name, int32_t member,
                          const zrt_loc *loc);

// --- Scalars ----------------------------------------------------------------

/// Integer powers modulo 2^width; a negative exponent truncates the true value
/// (division by zero: 0). Local.
int32_t zrtA_power_i32(int32_t base, int32_t exponent);
int64_t zrtA_power_i64(int64_t base, int64_t exponent);
/// Whether the power is a signed integer of `width` bits, 32 or 64.
int32_t zrtA_power_fits(int64_t base, int64_t exponent, int32_t width);
int64_t zrtA_power_u64(uint64_t base, int64_t exponent);
/// base^exponent of complex numbers; two values each, result last. Local.
void zrtA_power_c64(const double *base, const double *exponent, double *result);
void zrtA_power_c80(const long double *base, const long double *exponent,
                    long double *result);
/// A zrt_complex_function of an operand, two values each, result last: that of
/// the C library. Local.
void zrtA_function_c64(int32_t function, const double *operand, double *result);
void zrtA_function_c80(int32_t function, const long double *operand,
                       long double *result);
/// (p*c + q*d) / (c*c + d*d): for p = a, q = b the real part of
/// (a + bi) / (c + di), for p = b, q = -a the imaginary one. Right for all
/// exponents; multiply and add are one operation if `fused`. Local.
double zrtA_quotient_part(double p, double q, double c, double d,
                          int32_t fused);
/// dividend / divisor, two values each, result last. Local.
void zrtA_quotient_c80(const long double *dividend, const long double *divisor,
                       int32_t fused, long double *result);
/// language 3: `random()`, the next of a sequence that all processors step
/// through together, and `ran(k)`, a fixed function of k; both in [0,1). Local.
double zrtA_random(void);
double zrtA_ran(int64_t k);
/// The date and time of day as "2026-11-26 14:05:09"; the value of a variable
/// of the environment, "" if there is none; the number of arguments that the
/// program was started with, and one of them, from 1 (0: its name; else ""):
/// all as processor 0 has them.
const char *zrtA_date(const zrt_loc *loc);
const char *zrtA_environment(const char *name, const zrt_loc *loc);
int32_t zrtA_arguments(const zrt_loc *loc);
const char *zrtA_argument(int32_t k, const zrt_loc *loc);
/// Number of processors; this processor's number. Local.
int32_t zrtA_processors(void);
int32_t zrtA_locale(void);

// --- Strings ----------------------------------------------------------------
//
// A string is a pointer to bytes that never change and end in 0. In variables,
// fields and elements a null pointer stands for "", so that zeroed memory is
// right; arguments and results that are strings are never null.
//
// What a processor makes is its own, at an address of its own, and lives as
// long as a pointer to it is on the stack, in a variable of the table
// zrt_program::string_variables, in memory named to zrtA_memory_strings, or in
// an array. Strings that are elements of parallel arrays travel as pointers,
// so all processors hold them at equal addresses: literals because programs
// are linked at a fixed address, others because zrtA_strings_share makes them
// on all alike, in a part of the address space fixed for that.

/// <0, 0, >0 as the bytes of a are before, equal to or after b's. Local.
int32_t zrtA_compare_strings(const char *a, const char *b);
/// The runtime's copy of `text` (from C, may be null: ""). Local.
const char *zrtA_string(const char *text);
/// The `count` parts, one behind the other. Local, as all that follow but
/// zrtA_strings_share.
const char *zrtA_concat(const char *const *parts, int64_t count,
                        const zrt_loc *loc);
/// The number of bytes; of more than fit, INT32_MAX.
int32_t zrtA_string_length(const char *text);
/// `count` bytes from position `first` on, counted from 1. Ends the run if
/// there are not so many or `count` is negative.
const char *zrtA_substring(const char *text, int64_t first, int64_t count,
                           const zrt_loc *loc);
/// The first position at which `what` stands in `text`; 0 if it does not.
int32_t zrtA_find(const char *text, const char *what);
/// With the letters a to z as A to Z, and the other way round.
const char *zrtA_upper(const char *text);
const char *zrtA_lower(const char *text);
/// Without the blanks, tabs and line ends around it.
const char *zrtA_trim(const char *text);
/// What zrtA_write writes for a scalar; without `format`, without blanks around
/// it, and real numbers by as few digits as give them back.
const char *zrtA_format(const char *format, const void *value,
                        const zrt_type *type, const zrt_loc *loc);
/// The number of type `type` (I32, I64 or F64) that `text` is, but for blanks
/// around it. Ends the run if it is none, or one that does not fit.
void zrtA_parse(const char *text, void *value, const zrt_type *type,
                const zrt_loc *loc);
/// Whether zrtA_parse would give a value: 1 or 0.
int32_t zrtA_parses(const char *text, const zrt_type *type);
/// Stores the pieces of `text` between the separators `by` into the elements of
/// the indexed array of type `type` at `pieces`, and "" in the rest of these.
/// Returns how many there are. Ends the run if they are more than the elements,
/// or `by` is "".
int32_t zrtA_split(const char *text, const char *by, void *pieces,
                   const zrt_type *type, const zrt_loc *loc);
/// The lesser and the greater one.
const char *zrtA_least_string(const char *a, const char *b);
const char *zrtA_greatest_string(const char *a, const char *b);

/// Gives the strings in the elements of `array` that this processor stores
/// addresses that are the same on all. Collective.
void zrtA_strings_share(zrt_array *array, const zrt_loc *loc);
/// The same of the strings in the value of type `type` at `value`. Collective.
void zrtA_value_share(void *value, const zrt_type *type, const zrt_loc *loc);

// --- Memory of large variables ----------------------------------------------

/// Zeroed memory, aligned to 64 bytes, for a variable whose size is large or
/// known at run time only. `bytes` INT64_MAX: or more. Local.
void *zrtA_memory_new(int64_t bytes, const char *name, const zrt_loc *loc);
/// The same for a local, which is freed before those that were made before it;
/// `raw`: with any values. Local and cheap.
void *zrtA_work_new(int64_t bytes, int32_t raw, const char *name,
                    const zrt_loc *loc);
/// Frees what any of these functions has made; null: nothing. Local.
void zrtA_memory_free(void *memory, const zrt_loc *loc);
/// `memory` holds from[0] * from[1] * ... elements of `element` bytes, row by
/// row; gives memory, perhaps the same, for to[0] * to[1] * ..., in which those
/// at positions that were there before have their values; others are zeroed.
/// Ends the run if a length of `to` is negative. Local.
void *zrtA_memory_resize(void *memory, int64_t element, int32_t rank,
                         const int64_t *from, const int64_t *to,
                         const char *name, const zrt_loc *loc);
/// The variable at `memory`, of any of these functions, may hold strings. Local.
void zrtA_memory_strings(void *memory);

/// `bytes` bytes, aligned to 64, with any values, for the rows of contracted
/// arrays in one M-loop. The next call gives the same ones. Local and cheap.
void *zrtA_scratch(int64_t bytes, const zrt_loc *loc);

// --- Failed checks (-fcheck); none returns. Local ----------------------------

/// Subscript number `dim` (from 0) of `what`, an array indexed lo..hi.
void zrtA_fail_subscript(const char *what, int32_t dim, int64_t index,
                         int64_t lo, int64_t hi, const zrt_loc *loc);
/// At the index `at` of `region` map number `map` (from 0) of `what` is
/// `value`, which is no index of `array`.
void zrtA_fail_map(const zrt_array *array, const zrt_region *region,
                   const int64_t *at, int32_t map, int64_t value,
                   const char *what, const zrt_loc *loc);
/// The same, kept for zrtA_window_confirm: of several on one processor the
/// first. It returns.
void zrtA_note_map(const zrt_array *array, const zrt_region *region,
                   const int64_t *at, int32_t map, int64_t value,
                   const char *what, const zrt_loc *loc);
void zrtA_fail_division(const zrt_loc *loc);
/// Dimension number `dim` (from 0) of `what` has bounds lo..hi, hi < lo - 1.
void zrtA_fail_bounds(const char *what, int32_t dim, int64_t lo, int64_t hi,
                      const zrt_loc *loc);
/// `left op right`, of the signed integer type called `type`, wraps around.
void zrtA_fail_overflow(int64_t left, const char *op, int64_t right,
                        const char *type, const zrt_loc *loc);
/// `value` does not fit the integer type called `type`.
void zrtA_fail_conversion(double value, const char *type, const zrt_loc *loc);
/// Two blank references of one statement have these different extents in
/// dimension `dim`. Not only under -fcheck.
/// A `check-that` of the array IR failed, on all processors (`replicated`) or
/// on this one: the text, with `a` for the first `{}` in it and `b` for the
/// second.
void zrtA_fail_that(const char *text, int64_t a, int64_t b, int32_t replicated,
                    const zrt_loc *loc);
void zrtA_fail_shape(const char *a, int64_t extentA, const char *b,
                     int64_t extentB, int32_t dim, const zrt_loc *loc);

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
double zrtA_check_timer(const zrt_loc *loc);
void zrtA_timer_clear(zrt_timer *timer);
/// `sync` nonzero: all processors start together.
void zrtA_timer_start(zrt_timer *timer, int32_t sync, const zrt_loc *loc);
void zrtA_timer_stop(zrt_timer *timer);
/// Local: this processor's seconds.
double zrtA_timer_read(const zrt_timer *timer);

// --- Work (-fcount-work) ----------------------------------------------------

/// What M-loops of this processor have computed: operations, of which an
/// addition is one, and bytes of elements that were read or written.
typedef struct zrt_work {
  int64_t operations;
  int64_t bytes;
  /// All bits, if M-loops that may be left out are (--sim=skeleton), else 0: set
  /// by the runtime before the program starts.
  int64_t leaves_out;
  /// Not 0 while an array is made whose elements do not matter: the program puts
  /// `leaves_out` here before, and 0 behind.
  int64_t without_elements;
} zrt_work;

/// Compiled code adds to it before each M-loop.
extern zrt_work zrt_work_done;

#ifdef __cplusplus
}
#endif

#endif // ZRT_ABI_H
