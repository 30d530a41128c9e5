//===- Processor.cpp - Vectors, operations and library calls --------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For each width of vectors: a loop that only computes, a stencil in the first
// cache, one in the second, and a copy in memory, per element. The best width
// is the one with the least product of the four (a geometric mean). Operations
// are measured as chains of dependent ones (latency) and as eight chains side by
// side (throughput).
//
//===----------------------------------------------------------------------===//

#include "Kernels/Kernels.h"
#include "Measure/Groups.h"
#include "Measure/Repeat.h"
#include "Measure/Room.h"
#include "Measure/Ways.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace llvm;

namespace calibrate {

/// Records the time of work that is done \p units times at once.
static double recordPer(Session &session, const std::string &name,
                        const char *unit, double units,
                        function_ref<void(int64_t)> work) {
  zpl::Measurement measured = repeatMany(session, unit, work);
  measured.value /= units;
  record(session, name, measured);
  return measured.value;
}

/// The product of the times of four loops at one width, per element.
static double timesOfWidth(Session &session, const Kernels &k, double *room) {
  std::string name = "vectors." + std::to_string(k.bits);
  constexpr size_t Few = 1024;
  k.fill(room, Few);
  double product = recordPer(session, name + ".compute", "s/element", Few,
                             [&](int64_t n) { k.polynomial(room, Few, n); });
  for (size_t rows : {16, 256}) {
    constexpr size_t Columns = 128;
    double *to = room + (rows + 1) * Columns;
    product *= recordPer(
        session, name + ".stencil." + std::to_string(rows * Columns * 16),
        "s/element", double(rows * Columns), [&](int64_t n) {
          for (int64_t t = 0; t < n; ++t)
            k.stencil(to, room, rows, Columns);
        });
  }
  size_t many = session.quick(size_t(1) << 16, size_t(1) << 22);
  product *= recordPer(session, name + ".copy", "s/element", double(many),
                       [&](int64_t n) {
                         for (int64_t t = 0; t < n; ++t)
                           k.copy(room, room + many, many);
                       });
  return product;
}

void measureVectors(Session &session) {
  Room room(size_t(80) << 20);
  if (!room.data())
    return;
  double best = INFINITY;
  int bits = 0;
  for (const Kernels &kernels : availableKernels()) {
    double product = timesOfWidth(session, kernels, room.data());
    if (product < best) {
      best = product;
      bits = kernels.bits;
    }
  }
  record(session, "vectors.best", {double(bits), 0, "bits", 1});
  const auto &compute =
      session.machine
          .measurements["vectors." + std::to_string(bits) + ".compute"];
  session.machine.processor["flop"] = compute.value / 32;
}

void measureOperations(Session &session) {
  struct {
    const char *name;
    double (*Kernels::*chain)(int64_t, int);
  } const operations[] = {{"add", &Kernels::add},
                          {"multiply", &Kernels::multiply},
                          {"divide", &Kernels::divide},
                          {"root", &Kernels::squareRoot}};
  for (const Kernels &kernels : availableKernels())
    for (const auto &operation : operations) {
      std::string name = std::string("operation.") + operation.name + "." +
                         std::to_string(kernels.bits);
      auto chain = kernels.*operation.chain;
      recordPer(session, name + ".latency", "s/operation", 1,
                [&](int64_t n) { keep(chain(n, 1)); });
      recordPer(session, name + ".throughput", "s/operation", 8,
                [&](int64_t n) { keep(chain(n, 8)); });
    }
  // One cycle on every processor of our days.
  recordPer(session, "operation.integer-add.latency", "s/operation", 8,
            [&](int64_t n) {
              int64_t x = 1;
              for (int64_t t = 0; t < n; ++t)
                for (int k = 0; k < 8; ++k)
                  asm volatile("" : "+r"(x += t));
              keep(double(x));
            });
  volatile int64_t divisor = 12345677;
  recordPer(session, "operation.integer-divide.latency", "s/operation", 1,
            [&](int64_t n) {
              int64_t x = INT64_MAX, d = divisor;
              for (int64_t t = 0; t < n; ++t)
                x = INT64_MAX - x / d;
              keep(double(x));
            });
}

void measureLibrary(Session &session) {
  struct {
    const char *name;
    double (*function)(double);
  } const functions[] = {
      {"exp", std::exp},
      {"log", std::log},
      {"sin", std::sin},
      {"cos", std::cos},
      {"tan", std::tan},
      {"atan", std::atan},
      {"sinh", std::sinh},
      {"cbrt", std::cbrt},
      {"pow", [](double x) { return std::pow(x, 1.7); }},
      {"atan2", [](double x) { return std::atan2(x, 1.7); }}};
  std::vector<double> arguments(1024);
  for (double &x : arguments)
    x = std::uniform_real_distribution<>(0.1, 10)(session.random);
  for (const auto &entry : functions) {
    auto *volatile function = entry.function;
    recordPer(session, std::string("library.") + entry.name, "s/call",
              double(arguments.size()), [&](int64_t n) {
                double sum = 0;
                auto *f = function;
                for (int64_t t = 0; t < n; ++t)
                  for (double x : arguments)
                    sum += f(x);
                keep(sum);
              });
  }
}

} // namespace calibrate
