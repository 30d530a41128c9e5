//===- EndOrder.cpp - Which process has ended first -----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Processor 2 is killed; the launcher takes note of it and kills processor 0.
// Whoever sees both ends a moment later has to know which one was the cause:
//
//     add(file of 0, 0), add(file of 2, 2)
//     next() = 2, next() = 0
//
// poll() would say that both have ended. The ready list of an epoll instance is
// a queue; EPOLLONESHOT keeps what has been told of from coming back into it.
//
//===----------------------------------------------------------------------===//

#include "Transport/EndOrder.h"

#include <cstdint>
#include <fstream>
#include <string>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace zrt;

int zrt::openProcess(pid_t process) { // O_CLOEXEC is set by the kernel.
  return static_cast<int>(syscall(SYS_pidfd_open, process, 0));
}

std::vector<pid_t> zrt::childrenOf(pid_t parent) {
  std::vector<pid_t> children;
  std::string number = std::to_string(parent);
  // Those of its first thread, which starts them in all launchers we know.
  std::ifstream file("/proc/" + number + "/task/" + number + "/children");
  for (pid_t child; file >> child;)
    children.push_back(child);
  return children;
}

EndOrder::EndOrder() : queue(epoll_create1(EPOLL_CLOEXEC)) {}

EndOrder::~EndOrder() {
  if (queue >= 0)
    close(queue);
}

bool EndOrder::add(int file, int id, How how) {
  epoll_event event = {};
  event.events = how == How::Once ? EPOLLIN | EPOLLONESHOT : EPOLLIN;
  event.data.u64 = static_cast<uint64_t>(id);
  return epoll_ctl(queue, EPOLL_CTL_ADD, file, &event) == 0;
}

int EndOrder::next(int milliseconds) {
  epoll_event event = {};
  // One at a time: the rest stay in their order.
  return epoll_wait(queue, &event, 1, milliseconds) == 1
             ? static_cast<int>(event.data.u64)
             : -1;
}
