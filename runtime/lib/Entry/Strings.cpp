//===- Strings.cpp - Strings that the program makes -----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     [R] A := "row " + to_string(Index1);      on processors 0 and 1
//
// Each processor makes its own strings in its own heap, at once and without
// asking anybody. After the M-loop they are shared: each tells the others the
// texts that it has made, all put those that are new into the arena in the
// order of the processors, and each puts the addresses that they have there,
// which are the same on all, into its elements. From then on they travel as
// pointers.
//
//     own heap of 0    "row 1" "row 2"            arena of both
//     own heap of 1    "row 3" "row 4"     ->     "row 1" "row 2" "row 3" "row 4"
//
// The own heap is collected by each processor when it is due. Pointers are
// looked for in the stack and registers, in the work stack, in the global
// variables that the program names, in variables with memory of their own, in
// arrays with strings in their elements and in the rows of contracted arrays.
// Any word that could
// be a pointer counts as one (Boehm and Weiser, Software: Practice and
// Experience 18, 1988): the heaps lie where no other memory does, and the
// numbers with these bits are rare. Optimized code may keep a pointer anywhere,
// but it is somewhere.
//
// The arena is collected by all, as part of a sharing: what any of them still
// reaches is kept on all, so it stays the same on all. What is on its way from
// one to another is in no memory that is looked through; while a transfer or
// collective is underway the arena waits.
//
// Cost: of a sharing one look at the elements and, where there is nothing new,
// one collective; of a collection what is looked through. A collection is put
// off until as many bytes have been used, so both together are linear.
//
//===----------------------------------------------------------------------===//

#include "Entry/Strings.h"

#include "Collective/Collective.h"
#include "Entry/Process.h"
#include "IO/Text/ValueReader.h"
#include "IO/Text/ValueText.h"
#include "Sparse/SparseArray.h"

#include <cstring>

namespace zrt {

namespace {

using Word = uintptr_t;

/// What looks for pointers: each heap marks its own.
struct Search {
  StringHeap &heap;
  size_t bytes = 0;
};

/// Stack frames hold what sanitizers do not want to be read.
__attribute__((no_sanitize("address"))) void
lookThrough(Search &search, const void *begin, size_t bytes) {
  Word first =
      (reinterpret_cast<Word>(begin) + sizeof(Word) - 1) & ~(sizeof(Word) - 1);
  Word end = reinterpret_cast<Word>(begin) + bytes;
  search.bytes += bytes;
  for (Word at = first; at + sizeof(Word) <= end; at += sizeof(Word))
    search.heap.mark(*reinterpret_cast<const Word *>(at));
}

/// From this frame to the base; registers have been put into a frame above.
[[gnu::noinline]] void lookThroughStack(Search &search) {
  auto here = reinterpret_cast<Word>(__builtin_frame_address(0));
  Word base = process().strings.stackBase;
  if (here < base)
    lookThrough(search, reinterpret_cast<const void *>(here), base - here);
}

[[gnu::noinline]] void lookEverywhere(Search &search) {
  __builtin_unwind_init(); // registers that callees keep go to this frame
  const Process &p = process();
  lookThroughStack(search);
  for (int64_t k = 0; k < p.program.string_variable_count; ++k) {
    const zrt_string_variable &variable = p.program.string_variables[k];
    lookThrough(search, variable.address, static_cast<size_t>(variable.bytes));
  }
  for (auto [memory, bytes] : p.strings.variables)
    lookThrough(search, memory, bytes);
  p.workStack.forEachUsed([&](const void *memory, size_t bytes) {
    lookThrough(search, memory, bytes);
  });
  for (const zrt_array *array : p.strings.arrays)
    if (array->storage && !array->borrowed)
      lookThrough(search, array->storage, static_cast<size_t>(array->bytes));
  if (p.scratch)
    lookThrough(search, p.scratch, p.scratchBytes);
}

[[gnu::noinline]] void collectOwn() {
  StringHeap &heap = process().strings.own;
  heap.startMarks();
  Search search{heap};
  lookEverywhere(search);
  heap.sweep(search.bytes);
}

/// Keeps in the arena what any processor reaches, unless something is underway
/// anywhere.
void collectShared() {
  Process &p = process();
  int64_t underway = p.strings.underway;
  reduce(*p.transport, &underway, ZRT_I64, ZRT_SUM);
  if (underway != 0)
    return;
  StringHeap &heap = p.strings.shared.heap;
  heap.startMarks();
  Search search{heap};
  lookEverywhere(search);
  // Patience is to be the same on all, as are the addresses.
  int64_t looked = static_cast<int64_t>(search.bytes);
  reduce(*p.transport, &looked, ZRT_I64, ZRT_MAX);
  reduce(*p.transport, p.slices.all(*p.transport), heap.marks().data(),
         static_cast<int64_t>(heap.marks().size()), ZRT_U64, ZRT_BOR);
  heap.sweep(static_cast<size_t>(looked));
  p.strings.shared.forgetSwept();
}

/// The offsets of the strings in a value of \p type at \p base.
void addOffsets(const zrt_type &type, int64_t base,
                std::vector<int64_t> &offsets) {
  if (type.kind == ZRT_STR)
    offsets.push_back(base);
  else if (type.kind == ZRT_RECORD || type.kind == ZRT_UNION)
    for (int32_t k = 0; k < type.count; ++k)
      addOffsets(*type.fields[k].type, base + type.fields[k].offset, offsets);
  else if (type.kind == ZRT_ARRAY && hasStrings(type))
    for (int64_t k = 0; k < elementCount(type); ++k)
      addOffsets(*type.element, base + k * type.element->size, offsets);
}

/// Of a sparse array: also in its implicitly replicated value.
template <typename Visit>
void forEachSparseString(const zrt_array &array, Visit visit) {
  std::vector<int64_t> offsets;
  addOffsets(*array.type, 0, offsets);
  const zrt_pattern *pattern = array.region.pattern;
  int64_t count = pattern ? pattern->count : 0;
  for (int64_t k = -1; k < count; ++k)
    for (int64_t offset : offsets)
      visit(array.origin + k * stepOf(array) + offset);
}

/// Calls \p visit with the address of each string that \p array holds here.
template <typename Visit>
void forEachString(const zrt_array &array, Visit visit) {
  int last = array.region.rank - 1;
  if (array.region.is_sparse)
    return forEachSparseString(array, visit);
  for (int d = 0; d <= last; ++d)
    if (array.stored[d].lo > array.stored[d].hi)
      return;
  std::vector<int64_t> offsets;
  addOffsets(*array.type, 0, offsets);
  int64_t at[ZRT_MAX_RANK];
  for (int d = 0; d <= last; ++d)
    at[d] = array.stored[d].lo;
  for (int d = last; d >= 0;) {
    char *element = array.origin;
    for (int k = 0; k <= last; ++k)
      element += at[k] * array.pitch[k];
    for (int64_t offset : offsets)
      visit(element + offset);
    for (d = last; d >= 0 && ++at[d] > array.stored[d].hi; --d)
      at[d] = array.stored[d].lo;
  }
}

const char *loadString(const char *place) {
  const char *text;
  std::memcpy(&text, place, sizeof text);
  return text;
}

/// The strings of the own heap that are to be shared, each once.
struct Sharing {
  std::unordered_map<const char *, const char *> addresses;
  std::vector<const char *> order;
  std::string texts; ///< of these, in their order, each with its 0

  void add(const char *text) {
    if (!process().strings.own.owns(reinterpret_cast<Word>(text)) ||
        !addresses.try_emplace(text, nullptr).second)
      return;
    order.push_back(text);
    texts.append(text, std::strlen(text) + 1);
  }
  const char *find(const char *text) const {
    auto found = addresses.find(text);
    return found == addresses.end() ? text : found->second;
  }
};

/// Puts the texts of all processors into the arena, \p all, where this one's
/// begin at \p own; notes the addresses.
void internAll(Sharing &sharing, const std::string &all, size_t own) {
  StringArena &arena = process().strings.shared;
  size_t mine = 0;
  for (size_t at = 0; at < all.size();) {
    std::string_view text = all.c_str() + at;
    const char *address = arena.intern(text);
    if (at >= own && mine < sharing.order.size())
      sharing.addresses[sharing.order[mine++]] = address;
    at += text.size() + 1;
  }
}

/// Tells all processors the texts. The arena may be collected before.
void share(Sharing &sharing) {
  Process &p = process();
  const Slice &all = p.slices.all(*p.transport);
  std::vector<int64_t> counts =
      allNumbers(*p.transport, all, static_cast<int64_t>(sharing.texts.size()));
  std::vector<size_t> offsets = {0};
  for (int64_t count : counts)
    offsets.push_back(offsets.back() + static_cast<size_t>(count));
  if (offsets.back() == 0)
    return;
  if (p.strings.shared.heap.isDue(offsets.back()))
    collectShared();
  std::string texts(offsets.back(), 0);
  size_t own = offsets[static_cast<size_t>(p.transport->rank())];
  sharing.texts.copy(texts.data() + own, sharing.texts.size());
  allgather(*p.transport, all, texts.data(), offsets);
  internAll(sharing, texts, own);
}

} // namespace

char *newString(size_t bytes) {
  StringHeap &heap = process().strings.own;
  if (heap.isDue(bytes)) [[unlikely]]
    collectOwn();
  return heap.make(bytes);
}

const char *newString(std::string_view text) {
  char *made = newString(text.size() + 1);
  *std::copy(text.begin(), text.end(), made) = 0;
  return made;
}

void shareStrings(zrt_array &array) {
  Sharing sharing;
  forEachString(array, [&](char *place) { sharing.add(loadString(place)); });
  share(sharing);
  if (sharing.order.empty())
    return;
  forEachString(array, [&](char *place) {
    const char *text = sharing.find(loadString(place));
    std::memcpy(place, &text, sizeof text);
  });
}

void shareValue(const zrt_type &type, void *value) {
  std::vector<int64_t> offsets;
  addOffsets(type, 0, offsets);
  auto placeAt = [&](int64_t offset) {
    return static_cast<char *>(value) + offset;
  };
  Sharing sharing;
  for (int64_t offset : offsets)
    sharing.add(loadString(placeAt(offset)));
  share(sharing);
  for (int64_t offset : offsets) {
    const char *text = sharing.find(loadString(placeAt(offset)));
    std::memcpy(placeAt(offset), &text, sizeof text);
  }
}

void shareString(const char *&value) {
  Sharing sharing;
  sharing.add(value);
  share(sharing);
  value = sharing.find(value);
}

void shareAlike(const zrt_type &type, void *value) {
  if (!hasStrings(type))
    return;
  std::vector<int64_t> offsets;
  addOffsets(type, 0, offsets);
  for (int64_t offset : offsets) {
    char *place = static_cast<char *>(value) + offset;
    const char *text = loadString(place);
    if (text)
      text = process().strings.shared.intern(text);
    std::memcpy(place, &text, sizeof text);
  }
}

void collectSharedIfDue() {
  if (process().strings.shared.heap.isDue(SIZE_MAX))
    collectShared();
}

} // namespace zrt
