//===- SimTest.cpp - Parts of the simulated machine -----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Times of messages follow the formulas of Network.cpp, machine files with
// mistakes are refused by name, and processors that take turns keep their
// variables and come to the same times in every run.
//
//===----------------------------------------------------------------------===//

#include "Transport/sim/Image.h"
#include "Transport/sim/Machine.h"
#include "Transport/sim/Messages.h"
#include "Transport/sim/Network.h"
#include "gtest/gtest.h"

#include <string>

using namespace zrt::sim;

namespace {

constexpr Ticks Nano = 1000;

Machine example(Topology topology, bool contention) {
  Machine machine;
  machine.latency = 1e-6;
  machine.send = 1e-7;
  machine.receive = 2e-7;
  machine.gap = 5e-8;
  machine.byte = 1e-9;
  machine.receiveByte = 5e-10;
  machine.hop = 1e-8;
  machine.contention = contention;
  machine.topology = topology;
  return machine;
}

std::string fileWith(const std::string &figures) {
  return R"({"format": "zpl-machine", "version": 1, "transports": {"t": {)" +
         figures + "}}}";
}

std::string mistakeIn(const std::string &text) {
  Machine machine;
  std::string error;
  return parseMachine(text, "", machine, error) ? "" : error;
}

const char *const Good = R"("latency": 1e-6, "send": 1e-7, "receive": 2e-7,
                            "gap": 0, "byte": 1e-9)";

} // namespace

TEST(Sim, HopsFollowTheTopology) {
  Network mesh(example(Topology::Mesh, false), 12); // 3 x 4
  EXPECT_EQ(mesh.hops(0, 11), 5);
  EXPECT_EQ(mesh.hops(1, 2), 1);
  Network torus(example(Topology::Torus, false), 12);
  EXPECT_EQ(torus.hops(0, 11), 2);
  Network tree(example(Topology::FatTree, false), 64);
  EXPECT_EQ(tree.hops(0, 3), 2);
  EXPECT_EQ(tree.hops(0, 4), 4);
  EXPECT_EQ(tree.hops(0, 63), 6);
  Network flat(example(Topology::Flat, false), 64);
  EXPECT_EQ(flat.hops(0, 63), 0);
}

TEST(Sim, AMessageTakesLatencyHopsAndBytes) {
  Network mesh(example(Topology::Mesh, false), 4);
  Port port;
  EXPECT_EQ(mesh.depart(port, 0, 1000), 0);
  EXPECT_EQ(mesh.arrive(0, 0, 3, 1000), 1000 * Nano + 20 * Nano + 1000 * Nano);
  EXPECT_EQ(mesh.receiveCost(1000), 200 * Nano + 500 * Nano);
  // The next one leaves when the first one has, a short one after the gap.
  EXPECT_EQ(mesh.depart(port, 0, 1), 1000 * Nano);
  EXPECT_EQ(mesh.depart(port, 0, 1), 1050 * Nano);
}

TEST(Sim, MessagesForOneReceiverWaitForEachOther) {
  Network busy(example(Topology::Flat, true), 8);
  Port port;
  EXPECT_EQ(busy.comeIn(port, 5000 * Nano, 1000), 5000 * Nano);
  EXPECT_EQ(busy.comeIn(port, 5000 * Nano, 1000), 6000 * Nano);
  EXPECT_EQ(busy.comeIn(port, 9000 * Nano, 1000), 9000 * Nano);
  Network idle(example(Topology::Flat, false), 8);
  EXPECT_EQ(idle.comeIn(port, 5000 * Nano, 1000), 5000 * Nano);
}

TEST(Sim, ABusCarriesOneMessageAtATime) {
  Network bus(example(Topology::Bus, false), 8);
  Port first, second;
  EXPECT_EQ(bus.depart(first, 0, 1000), 0);
  EXPECT_EQ(bus.depart(second, 0, 1000), 1000 * Nano);
}

TEST(Sim, EqualTimesGoByNumber) {
  ReadyQueue queue;
  for (int rank : {3, 1, 2})
    queue.add(10, rank);
  queue.add(5, 7);
  for (int rank : {7, 1, 2, 3})
    EXPECT_EQ(queue.take(), rank);
}

TEST(Sim, MachineFilesAreChecked) {
  EXPECT_EQ(mistakeIn(fileWith(Good)), "");
  EXPECT_EQ(mistakeIn(fileWith(R"("latency": 1e-6)")),
            "transport \"t\" has no \"send\"");
  EXPECT_EQ(mistakeIn(fileWith(std::string(Good) + R"(, "hop": -1)")),
            "\"hop\" of transport \"t\" is negative");
  EXPECT_EQ(mistakeIn(fileWith(std::string(Good) + R"(, "topology": "ring")")),
            "\"topology\" of transport \"t\" is \"ring\"; there are: flat, "
            "mesh, torus, fat-tree, bus");
  EXPECT_EQ(mistakeIn("{"), "line 1: a member's name in quotes is missing");
  EXPECT_EQ(mistakeIn(R"({"format": "zpl-machine", "version": 2})"),
            "its version is not 1, the one that is known here");
}

TEST(Sim, EachProcessorHasItsValues) {
  alignas(64) static char memory[1024];
  Image image({{memory, sizeof memory}});
  OwnValues first, second;
  image.save(first);
  second = first;
  memory[100] = 'a';
  image.save(first);
  image.load(second);
  EXPECT_EQ(memory[100], 0);
  memory[900] = 'b';
  image.save(second);
  image.load(first);
  EXPECT_EQ(memory[100], 'a');
  EXPECT_EQ(memory[900], 0);
  EXPECT_EQ(image.ownBytes(), 128u);
}
