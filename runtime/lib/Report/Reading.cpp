//===- Reading.cpp - How to read the page ---------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the words and formulas of the page mean, at its end.
//
//===----------------------------------------------------------------------===//

#include "Report/View.h"

namespace zrt::report {

std::string readingPart(const View &view) {
  std::string html =
      "<section id=reading><h2>How to read this</h2><dl>"
      "<dt>Colours</dt><dd><b class=\"dot near\"></b>neighbours: "
      "<code>@</code>, "
      "<code>wrap</code>, wavefronts. <b class=\"dot coll\"></b>collectives: "
      "reductions, scans, floods. <b class=\"dot move\"></b>data movement: "
      "remaps and sorts, each with each.</dd>"
      "<dt>Formulas</dt><dd>p1, p2, ... are the extents of the processor grid, "
      "p is their product; n1, n2, ... those of the caller's region. What the "
      "source says is an upper bound for one processor; what is left after the "
      "passes counts all processors together, with the grid r0, r1, ...</dd>"
      "<dt>Done, missed</dt><dd>What a pass of the compiler did or refused. "
      "After a semicolon stands what to write instead.</dd>";
  if (view.run)
    html += "<dt>Time</dt><dd>Seconds are means over the processors. In a bar, "
            "<b class=\"dot comp\"></b>computing was spent in the marked lines "
            "down to this one, since the operation before; in a loop also in "
            "its end. The rest was spent in the operation itself: sending, and "
            "waiting for others.</dd>";
  return html + "</dl></section>";
}

} // namespace zrt::report
