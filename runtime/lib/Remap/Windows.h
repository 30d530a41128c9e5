//===- Windows.h - Windows of remapped arrays -------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_REMAP_WINDOWS_H
#define ZRT_REMAP_WINDOWS_H

#include "Memory/Array.h"
#include "Remap/MapMemory.h"
#include "Remap/WindowPlan.h"

#include <optional>

namespace zrt {

/// What a window has to do with those whose elements travel with its own.
struct WindowGroup {
  /// Plans and sizes of elements, and what brings these.
  struct Carrier {
    std::vector<std::pair<uint64_t, size_t>> key;
    std::unique_ptr<Courier> courier;
  };
  Carrier there, back;          ///< of a group that this one ends
  Courier *collected = nullptr; ///< takes what is combined to the owners, and
  size_t load = 0;              ///< which part of it
};

/// The window of one place of the program.
class Window {
public:
  /// From now on it has the elements of this plan. It is not in use.
  void follow(std::shared_ptr<WindowPlan> followed);
  /// The plan, if nobody else follows it: it may be used for other maps.
  std::shared_ptr<WindowPlan> takePlan();
  const std::shared_ptr<WindowPlan> &itsPlan() const { return plan; }

  /// Finds own elements and makes the positions of \p references, with ids from
  /// \p id + 1 on. \p window, with \p id, is made by `show`.
  void open(const std::vector<Reference> &references, zrt_array &window,
            uint64_t id);
  /// Points the window at own elements, and at those of others at \p ghosts.
  void show(char *ghosts);
  /// Puts the elements that others want side by side.
  void pack(char *outgoing);
  /// Combines own elements with what others have made of them; or, if \p store
  /// copies, stores what comes after all sources that are here.
  void combine(const Store &store, const char *arrived);
  /// Before that: finds out which these are. Collective.
  void findLast(const Reference &reference) {
    stores = &plan->stores(reference);
  }

  /// Whether \p window is what it has made last.
  bool hasMade(const zrt_array &window) const {
    return window.keeper == &keeper;
  }
  /// What it has made last has not been freed.
  bool isInUse() const { return keeper.views > 0; }
  size_t elementSize() const { return static_cast<size_t>(type->size); }

  WindowGroup group;

private:
  void point(const Reference &reference, size_t number);
  void lend(zrt_array &array, uint64_t id);

  std::shared_ptr<WindowPlan> plan;
  std::vector<Translation> positions; ///< per reference
  Translation sent, last;
  const WindowPlan::Stores *stores = nullptr; ///< of the plan
  zrt_keeper keeper;
  // Of what it is used for.
  zrt_array *made = nullptr;
  uint64_t id = 0;
  const zrt_type *type = nullptr;
  const char *name = nullptr;
  std::unique_ptr<Numbering> elements; ///< of the source
  char *own = nullptr;                 ///< where its own ones are
};

/// The program's windows. All decisions are the same on all processors.
class Windows {
public:
  /// The window at \p loc for maps that have the patterns with these numbers, 0
  /// if they are not remembered. Windows with the same maps share a plan; makes
  /// one if there is none. Collective.
  Window &find(const MapMemory &memory, const zrt_loc *loc,
               const std::vector<uint64_t> &numbers,
               const std::vector<Reference> &references);
  /// Whether there is a plan for them.
  bool knows(const std::vector<uint64_t> &numbers) const;
  /// That which has made \p window.
  Window &of(const zrt_array &window);

  // Of an open window; with `more`, another one follows, and all are there, or
  // delivered, when the last one is. Collective, all of them.
  /// Brings the elements of others.
  void fetch(Transport &transport, Window &window, bool more);
  /// Makes room for values that are to be combined with elements of others.
  void collect(Transport &transport, Window &window, const Store &store,
               bool more);
  /// Takes these to their owners.
  void deliver(Window &window, const Store &store, bool more);

  /// Before the transport ends.
  void clear() { windows.clear(); }

private:
  struct Kept {
    const zrt_loc *loc;
    std::vector<uint64_t> numbers;
    uint64_t lastUse;
    std::unique_ptr<Window> window;
  };
  struct Combined {
    Window *window;
    Store store;
  };
  static bool isOld(const Kept &kept, const MapMemory &memory);
  void dropOld(const MapMemory &memory);
  std::shared_ptr<WindowPlan>
  planOf(const std::vector<uint64_t> &numbers) const;
  Kept &vacant(const MapMemory &memory, const zrt_loc *loc);
  static Courier &courier(Transport &transport,
                          const std::vector<Window *> &group, bool isBack);

  std::vector<Kept> windows;
  std::vector<Window *> fetched; ///< groups that have no end yet
  std::vector<Combined> collected, delivered;
  uint64_t clock = 0;
  uint64_t lastPlan = 0;
};

} // namespace zrt

#endif // ZRT_REMAP_WINDOWS_H
