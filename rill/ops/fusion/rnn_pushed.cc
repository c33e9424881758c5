#include "rill/ops/fusion/rnn_pushed.h"

#include <algorithm>

namespace rill {
namespace {

constexpr std::initializer_list<const char*> kPushes = {"StackPushV2", "StackPush"},
                                             kPops = {"StackPopV2", "StackPop"},
                                             kShapes = {"Shape", "ShapeN"};

}  // namespace

Pushed::Pushed(const Pattern& p) : p_(p) {
  for (int i = 0; i < p.size(); ++i) {
    if (p.is(i, kPops)) pops_[stack_of(i)].push_back(i);
    if (!p.is(i, kPushes)) continue;
    const auto [it, is_new] = pushed_.emplace(stack_of(i), p.input(i, 1));
    if (!is_new) it->second = {};  // several: nobody knows which
  }
}

Edge Pushed::source(Edge value) const {
  if (!p_.is(value.item, kPops)) return value;
  const auto it = pushed_.find(stack_of(value.item));
  return it == pushed_.end() || it->second.item < 0 ? value : it->second;
}

Edge Pushed::outside(Edge value) const {
  while (p_.is(value.item, "Enter") && p_.node(value.item).attr<bool>("is_constant"))
    value = p_.input(value.item, 0);
  return value;
}

bool Pushed::only_shape_is_read(const Users& users, Edge value,
                                std::span<const int> apart_from) const {
  return std::ranges::all_of(users.of(value), [&](int reader) {
    if (reader < 0) return false;
    if (std::ranges::find(apart_from, reader) != apart_from.end() || p_.is(reader, kShapes))
      return true;
    if (!p_.is(reader, kPushes) || !users.of({reader, 0}).empty()) return false;
    const auto pops = pops_.find(stack_of(reader));
    return pops == pops_.end() || std::ranges::all_of(pops->second, [&](int pop) {
             return std::ranges::all_of(
                 users.of({pop, 0}), [&](int last) { return last >= 0 && p_.is(last, kShapes); });
           });
  });
}

int Pushed::stack_of(int i) const {
  Edge handle = p_.input(i, 0);
  while (p_.item(handle.item).is_plain() && p_.node(handle.item).op().has(kEnter))
    handle = p_.input(handle.item, 0);
  return handle.item;
}

}  // namespace rill
