//===- Messages.cpp - What is under way between processors ----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A message lies in one piece of memory, which is used again for the next one
// of about its size: an exchange of halos makes and drops thousands of them a
// millisecond. It is in two lists, in the order in which it was sent in its
// channel and in the order in which it arrives in the inbox of its receiver,
// where messages of all senders are.
//
// Both queues are binary heaps: 1024 processors make ten steps.
//
//===----------------------------------------------------------------------===//

#include "Transport/sim/Messages.h"

#include <algorithm>
#include <bit>
#include <new>

using namespace zrt::sim;

MessagePool::~MessagePool() {
  for (Message *list : kept)
    while (list)
      ::operator delete(std::exchange(list, list->next));
}

/// The class of messages of \p bytes bytes.
static int classOf(size_t bytes, int smallest) {
  return std::max(
      0, static_cast<int>(std::bit_width(std::max<size_t>(1, bytes) - 1)) -
             smallest);
}

Message *MessagePool::take(size_t bytes) {
  int number = classOf(bytes, Smallest);
  bool isKept = number < Classes;
  size_t room = isKept ? size_t(1) << (number + Smallest) : bytes;
  void *memory = nullptr;
  if (isKept && kept[number]) {
    memory = kept[number];
    kept[number] = kept[number]->next;
  } else {
    memory = ::operator new(sizeof(Message) + room);
  }
  auto *message = new (memory) Message;
  message->bytes = bytes;
  message->room = room;
  return message;
}

void MessagePool::give(Message *message) {
  int number = classOf(message->room, Smallest);
  if (number >= Classes)
    return ::operator delete(message);
  message->next = kept[number];
  kept[number] = message;
}

static bool comesLater(const Message *a, const Message *b) {
  if (a->arrival != b->arrival)
    return a->arrival > b->arrival;
  return a->from != b->from ? a->from > b->from : a->number > b->number;
}

void Inbox::add(Message *message) {
  heap.push_back(message);
  std::push_heap(heap.begin(), heap.end(), comesLater);
}

Message *Inbox::take() {
  std::pop_heap(heap.begin(), heap.end(), comesLater);
  Message *first = heap.back();
  heap.pop_back();
  return first;
}

void ReadyQueue::add(Ticks at, int rank) {
  heap.push_back({at, rank});
  std::push_heap(heap.begin(), heap.end(),
                 [](const Entry &a, const Entry &b) { return b < a; });
}

int ReadyQueue::take() {
  std::pop_heap(heap.begin(), heap.end(),
                [](const Entry &a, const Entry &b) { return b < a; });
  int rank = heap.back().rank;
  heap.pop_back();
  return rank;
}
