#include "rill/ops/fusion/rnn_loop_parts.h"

#include <algorithm>

namespace rill {
namespace {

// Runs before the loop or after it: what it waits for is not in the loop.
bool is_outside(const Pattern& p, int item) {
  return p.is(item, {"Enter", "TensorArrayV3", "TensorArrayScatterV3", "TensorArrayGatherV3"});
}

}  // namespace

int LoopParts::take(int item) {
  own_.push_back(item);
  return item;
}

bool LoopParts::variable(Edge now, Variable* found) {
  if (!p_.is(now.item, "Switch") || now.output != 1) return false;
  const Edge asked = p_.input(now.item, 1), merged = p_.input(now.item, 0);
  if (condition_.item >= 0 && !(condition_ == asked)) return false;
  condition_ = asked;
  const int merge = merged.item;
  if (!p_.is(merge, "Merge") || merged.output != 0 || p_.item(merge).inputs.size() != 2)
    return false;
  const Edge enter = p_.input(merge, 0), next = p_.input(merge, 1);
  if (!p_.is(enter.item, "Enter") || !p_.is(next.item, "NextIteration")) return false;
  *found = {.choice = now.item,
            .merge = merge,
            .start = p_.input(enter.item, 0),
            .now = now,
            .made = p_.input(next.item, 0)};
  own_.insert(own_.end(), {now.item, merge, enter.item, next.item});
  for (const int reader : users_.of(now))  // one stands for the iteration: others wait for it
    if (reader >= 0 && p_.is(reader, "Identity")) take(reader);
  return true;
}

bool LoopParts::variable_of_merge(Edge merged, Variable* found) {
  for (const int reader : users_.of(merged))
    if (reader >= 0 && p_.is(reader, "Switch") && p_.input(reader, 0) == merged)
      return variable({reader, 1}, found);
  return false;
}

bool LoopParts::constant(Edge inside, Edge* outside) {
  *outside = inside;
  if (p_.item(inside.item).constant) return true;
  if (!p_.is(inside.item, "Enter") || !p_.node(inside.item).attr<bool>("is_constant")) return false;
  *outside = p_.input(take(inside.item), 0);
  return true;
}

bool LoopParts::counts(const Variable& variable) {
  const int sum = variable.made.item;
  if (!is_integer(p_, variable.start, 0) || !p_.is(sum, {"Add", "AddV2"})) return false;
  const Edge a = p_.input(sum, 0), b = p_.input(sum, 1);
  take(sum);
  return (a == variable.now && is_integer(p_, b, 1)) || (b == variable.now && is_integer(p_, a, 1));
}

int LoopParts::exit(const Variable& variable) {
  const std::vector<int> readers = users_.of({variable.choice, 0});
  if (readers.empty()) return -1;
  if (readers.size() > 1 || readers[0] < 0 || !p_.is(readers[0], "Exit")) return -2;
  return take(readers[0]);
}

bool LoopParts::is_closed(std::span<const int> results) {
  std::ranges::sort(own_);
  own_.erase(std::unique(own_.begin(), own_.end()), own_.end());
  const auto is_own = [&](int item) { return std::ranges::binary_search(own_, item); };
  for (const int item : own_) {
    if (!p_.item(item).is_plain()) return false;
    if (!is_outside(p_, item) && !std::ranges::all_of(p_.item(item).controls, is_own)) return false;
    if (p_.item(item).device != p_.item(own_.front()).device) return false;
    if (std::ranges::find(results, item) == results.end() && users_.leaves(item, own_))
      return false;
  }
  for (int i = 0; i < p_.size(); ++i)
    if (!is_own(i) && std::ranges::any_of(p_.item(i).controls, [&](int control) {
          return is_own(control) && std::ranges::find(results, control) == results.end();
        }))
      return false;
  return std::ranges::none_of(p_.graph.targets, is_own);
}

bool is_integer(const Pattern& p, Edge edge, std::int64_t wanted) {
  const auto& value = p.item(edge.item).constant;
  if (!value || value->rank() != 0) return false;
  if (value->dtype() == DType::i32) return value->scalar_value<std::int32_t>() == wanted;
  return value->dtype() == DType::i64 && value->scalar_value<std::int64_t>() == wanted;
}

bool is_zeros(const Pattern& p, Edge edge) {
  if (p.is(edge.item, "Fill")) return is_zeros(p, p.input(edge.item, 1));
  const auto& value = p.item(edge.item).constant;
  return value && value->dtype() == DType::f32 &&
         std::ranges::all_of(value->flat<float>(), [](float x) { return x == 0; });
}

}  // namespace rill
