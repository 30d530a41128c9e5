//===- Facts.cpp - What the compiler knows, as bytes ----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The packed form is a first line with its version, and then all members in
// their order: numbers as digits with a blank behind, strings as their length
// and their bytes, lists as their length and their elements:
//
//     zpl-report 2
//     4 heat11 zplc 0.1.0...
//
// One function goes through the members, for both directions; `Packer` appends
// to a text, `Unpacker` takes from one and stops at the first thing that is no
// number or is longer than what is left. Linear.
//
//===----------------------------------------------------------------------===//

#include "Report/Facts.h"

#include <charconv>

namespace zrt::report {

static constexpr std::string_view Version = "zpl-report 2\n";

namespace {

struct Packer {
  std::string text = std::string(Version);

  void number(uint64_t value) { text += std::to_string(value) + ' '; }
  void operator()(const uint32_t &value) { number(value); }
  void operator()(const bool &value) { number(value); }
  void operator()(const Partners &value) { number(uint64_t(value)); }
  void operator()(const std::string &value) {
    number(value.size());
    text += value;
  }
  template <typename T> void operator()(const std::vector<T> &list);
};

struct Unpacker {
  std::string_view text;
  bool isGood = true;

  uint64_t number(uint64_t most) {
    uint64_t value = 0;
    const char *end = text.data() + text.size();
    auto [stop, status] = std::from_chars(text.data(), end, value);
    isGood = isGood && status == std::errc() && stop != end && *stop == ' ' &&
             value <= most;
    if (!isGood)
      return 0;
    text.remove_prefix(static_cast<size_t>(stop - text.data()) + 1);
    return value;
  }
  void operator()(uint32_t &value) {
    value = static_cast<uint32_t>(number(UINT32_MAX));
  }
  void operator()(bool &value) { value = number(1) != 0; }
  void operator()(Partners &value) {
    value = static_cast<Partners>(number(uint64_t(Partners::Pairs)));
  }
  void operator()(std::string &value) {
    uint64_t size = number(UINT32_MAX);
    isGood = isGood && size <= text.size();
    if (!isGood)
      return;
    value = text.substr(0, size);
    text.remove_prefix(size);
  }
  template <typename T> void operator()(std::vector<T> &list);
};

template <typename F, typename T>
void members(F &f, T &x)
  requires requires { x.messages; }
{
  f(x.place.file), f(x.place.line), f(x.mark), f(x.messages), f(x.text);
  f(x.partners), f(x.sides), f(x.statement), f(x.depth);
}
template <typename F, typename T>
void members(F &f, T &x)
  requires requires { x.pass; }
{
  f(x.place.file), f(x.place.line), f(x.column), f(x.isMissed), f(x.pass);
  f(x.text), f(x.depth);
}
template <typename F, typename T>
void members(F &f, T &x)
  requires requires { x.severity; }
{
  f(x.place.file), f(x.place.line), f(x.column), f(x.severity), f(x.text);
}
template <typename F, typename T>
void members(F &f, T &x)
  requires requires { x.kind; }
{
  f(x.place.file), f(x.place.line), f(x.kind), f(x.text);
}
template <typename F, typename T>
void members(F &f, T &x)
  requires(requires {
    x.place;
    x.name;
  })
{
  f(x.place.file), f(x.place.line), f(x.name);
}
template <typename F, typename T>
void members(F &f, T &x)
  requires requires { x.note; }
{
  f(x.name), f(x.text), f(x.note);
}
template <typename F, typename T>
void members(F &f, T &x)
  requires requires { x.summary; }
{
  f(x.name), f(x.summary);
}
template <typename F, typename T>
void members(F &f, T &x)
  requires requires { x.compiler; }
{
  f(x.program), f(x.compiler), f(x.options), f(x.machine), f(x.sources);
  f(x.diagnostics);
  f(x.procedures), f(x.communications), f(x.decisions), f(x.remaining);
  f(x.passes);
}

template <typename T> void Packer::operator()(const std::vector<T> &list) {
  number(list.size());
  for (const T &element : list)
    members(*this, element);
}

template <typename T> void Unpacker::operator()(std::vector<T> &list) {
  uint64_t size = number(text.size()); // each has one byte at least
  for (uint64_t k = 0; isGood && k < size; ++k)
    members(*this, list.emplace_back());
}

} // namespace

std::string packFacts(const Facts &facts) {
  Packer packer;
  members(packer, facts);
  return packer.text;
}

bool unpackFacts(std::string_view packed, Facts &facts) {
  if (!packed.starts_with(Version))
    return false;
  Unpacker unpacker{packed.substr(Version.size())};
  members(unpacker, facts);
  return unpacker.isGood;
}

} // namespace zrt::report
