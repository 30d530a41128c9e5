//===- Graph.cpp - Which lines talk to whom -------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     line 15  New := (A@north + ...   ----- rows before   (dimension 1, -)
//                                      ----- rows behind   (dimension 1, +)
//     line 16  err := max<< ...        ----- all processors
//
// On the left the lines that communicate, in the order of the source, on the
// right those they communicate with, as far as there are any: before and behind
// in each dimension, diagonal neighbours, borders, processors along dimensions,
// all, each with each. A line is drawn thicker the more bytes a run has sent
// for it. An inline SVG of some 150 bytes an edge.
//
//===----------------------------------------------------------------------===//

#include "Report/Html.h"
#include "Report/View.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace zrt::report {

/// Lines beyond so many are left to the source view.
static constexpr size_t MostDots = 48;
static constexpr double Step = 24, Left = 430, Right = 720, Width = 1000;

namespace {
struct Edge {
  size_t line;       ///< of `lines`
  std::string to;    ///< of `partners`
  const char *style; ///< colour
  bool isOpen;       ///< known at run time only
};

struct Graph {
  std::vector<Place> lines;
  /// What the partners are, by an order of their own.
  std::map<std::string, std::string> partners;
  std::vector<Edge> edges;
};
} // namespace

static void addEdge(Graph &graph, const std::string &order,
                    const std::string &partner, const char *style,
                    bool isOpen = false) {
  graph.partners.emplace(order, partner);
  size_t line = graph.lines.size() - 1;
  for (const Edge &edge : graph.edges)
    if (edge.line == line && edge.to == order)
      return;
  graph.edges.push_back({line, order, style, isOpen});
}

static void addSides(Graph &graph, const Communication &each) {
  unsigned moved = 0;
  for (size_t dim = 0; dim < each.sides.size(); ++dim) {
    char side = each.sides[dim];
    if (side == '0')
      continue;
    ++moved;
    std::string name = "dimension " + std::to_string(dim + 1);
    for (char one : {'-', '+'})
      if (side == one || side == '?')
        addEdge(graph, "1" + std::to_string(dim) + (one == '-' ? "a" : "b"),
                (one == '-' ? "before, " : "behind, ") + name, "near",
                side == '?');
  }
  if (moved > 1)
    addEdge(graph, "2", "diagonal neighbours", "near");
}

static void addCommunication(Graph &graph, const Communication &each) {
  switch (each.partners) {
  case Partners::Neighbours:
  case Partners::Wave:
    return addSides(graph, each);
  case Partners::Border:
    return addEdge(graph, "3", "the other end", "near");
  case Partners::Lines:
    return addEdge(graph, "4", "along dimensions", "coll");
  case Partners::All:
    return addEdge(graph, "5", "all processors", "coll");
  case Partners::Pairs:
    return addEdge(graph, "6", "each with each", "move");
  }
}

static std::string text(double x, double y, const char *style,
                        const std::string &html) {
  return "<text x=" + coordinate(x) + " y=" + coordinate(y) +
         " class=" + style + ">" + html + "</text>";
}

/// At most \p most characters of \p text, cut between two.
static std::string shortened(std::string_view text, size_t most) {
  if (text.size() <= most)
    return escaped(text);
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0) == 0x80)
    --most;
  return escaped(text.substr(0, most)) + "&hellip;";
}

/// From 1.2 to 6, by the bytes that were sent for a statement.
static double thickness(const View &view, Place place) {
  if (!view.run || view.run->bytes == 0)
    return 1.2;
  std::set<uint32_t> lines = {place.line};
  for (const Communication *each : view.statements.at({place.file, place.line}))
    lines.insert(each->place.line);
  double bytes = 0;
  for (uint32_t number : lines)
    if (const LineFacts *line = view.at(place.file, number))
      bytes += double(line->bytes);
  return 1.2 + 4.8 * std::sqrt(bytes / double(view.run->bytes));
}

static std::string drawEdge(const View &view, const Graph &graph,
                            const Edge &edge, double from, double to) {
  double middle = (Left + Right) / 2;
  return std::string("<path class=\"edge ") + edge.style +
         (edge.isOpen ? " open" : "") + "\" stroke-width=" +
         coordinate(thickness(view, graph.lines[edge.line])) + " d=\"M" +
         coordinate(Left) + " " + coordinate(from) + "C" + coordinate(middle) +
         " " + coordinate(from) + " " + coordinate(middle) + " " +
         coordinate(to) + " " + coordinate(Right) + " " + coordinate(to) +
         "\"/>";
}

/// The number and text of a line; of an included file also its name.
static std::string drawStatement(const View &view, Place place, double y) {
  std::string_view name = view.facts.sources[place.file].name;
  std::string code(view.lineText(place));
  if (place.file != 0)
    code += " (" + std::string(name.substr(name.rfind('/') + 1)) + ")";
  std::string html = text(4, y + 4, "ln", std::to_string(place.line)) +
                     text(44, y + 4, "cd", shortened(code, 48));
  if (view.facts.sources[place.file].text.empty())
    return html;
  return "<a href=\"#" + anchorOf(place) + "\">" + html + "</a>";
}

static std::string draw(const View &view, const Graph &graph) {
  double rows = std::max(graph.lines.size(), graph.partners.size());
  double height = Step * (rows + 1);
  auto lineY = [&](size_t k) {
    return height * (double(k) + 0.5) / double(graph.lines.size());
  };
  std::map<std::string, double> partnerY;
  std::string html, edges;
  for (const auto &[order, name] : graph.partners) {
    double y = height * (double(partnerY.size()) + 0.5) /
               double(graph.partners.size());
    partnerY[order] = y;
    html += text(Right + 14, y + 4, "to", escaped(name));
  }
  for (const Edge &edge : graph.edges)
    edges += drawEdge(view, graph, edge, lineY(edge.line), partnerY[edge.to]);
  for (size_t k = 0; k < graph.lines.size(); ++k) {
    double y = lineY(k);
    html += drawStatement(view, graph.lines[k], y) +
            "<circle class=node cx=" + coordinate(Left) +
            " cy=" + coordinate(y) + " r=3 />";
  }
  for (const auto &[order, y] : partnerY)
    html += "<circle class=node cx=" + coordinate(Right) +
            " cy=" + coordinate(y) + " r=4 />";
  return "<svg class=graph role=img aria-label=\"lines and their partners\" "
         "viewBox=\"0 0 " +
         coordinate(Width) + " " + coordinate(height) + "\">" + edges + html +
         "</svg>";
}

std::string graphPart(const View &view) {
  Graph graph;
  size_t left = 0;
  for (const auto &[place, all] : view.statements) {
    if (graph.lines.size() == MostDots) {
      ++left;
      continue;
    }
    graph.lines.push_back({place.first, place.second});
    for (const Communication *each : all)
      addCommunication(graph, *each);
  }
  if (graph.edges.empty())
    return "";
  std::string more = left == 0 ? ""
                               : "<p class=note>" + counted(left, "statement") +
                                     " more: see the source.</p>";
  return "<section id=graph><h2>Who talks to whom</h2><p class=lead>Statements "
         "that communicate, and their partners on the processor grid" +
         std::string(view.run ? "; the thicker, the more bytes were sent. "
                              : ". ") +
         "Dashed: the direction is known at run time only.</p>"
         "<div class=scroll>" +
         draw(view, graph) + "</div>" + more + "</section>";
}

} // namespace zrt::report
