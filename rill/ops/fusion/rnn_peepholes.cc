#include "rill/ops/fusion/rnn_peepholes.h"

namespace rill {
namespace {

bool is_sum_of(const Pattern& p, int item, Edge value) {
  return item >= 0 && p.is(item, "_Unbroadcast") && p.input(item, 0) == value;
}

// Whether a sum over rows leaves one element for each weight.
bool sums_rows(const Pattern& p, int sum, Edge weights) {
  const auto& shape = p.item(p.input(sum, 1).item).constant;
  return shape && shape->dtype() == DType::i32 && shape->element_count() == 1 &&
         p.shape(weights).rank() == 1 && shape->data<std::int32_t>()[0] == p.shape(weights).dim(0);
}

}  // namespace

bool PeepholeGrad::find(const Pattern& p, const Users& users, const Pushed& pushed, Edge gate_grad,
                        Edge cell_weights, Edge cell_state, FunctionRef<bool(Edge)> is_shape) {
  std::vector<Edge> same{gate_grad};  // but for sums over what was broadcast
  for (std::size_t k = 0; k < same.size(); ++k)
    for (const int reader : users.of(same[k])) {
      if (is_sum_of(p, reader, same[k]) && is_shape(p.input(reader, 1))) {
        members.push_back(reader);
        same.push_back({reader, 0});
      }
      if (reader < 0 || !p.is(reader, "Mul")) continue;
      const Edge other = p.other(reader, same[k]);
      const int next = users.computing(p, {reader, 0});
      if (pushed.outside(other) == pushed.outside(cell_weights) && to_state < 0) {
        const bool is_summed = is_sum_of(p, next, {reader, 0}) && is_shape(p.input(next, 1));
        weights = other;
        to_state = is_summed ? next : reader;
        members.push_back(to_state);
      } else if (pushed.source(other) == cell_state && to_weights < 0 &&
                 is_sum_of(p, next, {reader, 0}) && sums_rows(p, next, cell_weights)) {
        state = other;
        to_weights = next;
        members.push_back(next);
      } else {
        return false;
      }
      members.push_back(reader);
    }
  return true;
}

}  // namespace rill
