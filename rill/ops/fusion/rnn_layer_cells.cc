#include "rill/ops/fusion/rnn_layer_cells.h"

namespace rill {
namespace {

// A residual cell's output is added to its input.
void find_residual_sum(const Pattern& p, const Users& users, LayerCell& cell) {
  for (const int reader : users.of(cell.output)) {
    if (reader < 0 || !p.is(reader, {"Add", "AddV2"}) || !(p.other(reader, cell.output) == cell.x))
      continue;
    const PartialShape x = p.shape(cell.x), h = p.shape(cell.states.back());
    if (!x.has_rank() || !h.has_rank() || x.rank() != 2 || h.rank() != 2 || x.dim(1) < 0 ||
        x.dim(1) != h.dim(1))
      continue;
    cell.output = {reader, 0};
    cell.items.push_back(reader);
    cell.adds_x = true;
    return;
  }
}

// The last item of a cell that reads `value` as its input, -1 if none does.
int next_cell(const Pattern& p, const Users& users, Edge value) {
  for (int reader : users.of(value)) {
    if (reader < 0) continue;
    // A plain cell begins with a concat and ends with what squashes.
    for (const char* op : {"ConcatV2", "MatMul", "BiasAdd"}) {
      if (!p.is(reader, op)) continue;
      const std::vector<int> next = users.of({reader, 0});
      if (next.size() != 1 || next[0] < 0) break;
      reader = next[0];
    }
    const auto cell = find_layer_cell(p, users, reader);
    if (cell && cell->x == value) return reader;
  }
  return -1;
}

}  // namespace

std::optional<LayerCell> find_layer_cell(const Pattern& p, const Users& users, int i) {
  if (p.is(i, "_LstmCell")) {
    if (p.node(i).attr<std::int64_t>("P") != 2 || p.node(i).attr<std::int64_t>("N") != 0)
      return std::nullopt;
    const bool sees = p.node(i).attr<std::int64_t>("Q") > 0;
    return LayerCell{.kind = sees ? "lstm_peepholes" : "lstm",
                     .x = p.input(i, 0),
                     .states = {p.input(i, 2), p.input(i, 1)},
                     .made = {{i, 1}, {i, 0}},
                     .weights = {p.item(i).inputs.begin() + 3, p.item(i).inputs.end()},
                     .items = {i},
                     .forget_bias = p.node(i).attr<float>("forget_bias"),
                     .output = {i, 0}};
  }
  if (p.is(i, "_GruCell")) {
    if (p.node(i).attr<std::int64_t>("J") != 0 || p.node(i).attr<std::int64_t>("N") != 0)
      return std::nullopt;
    const auto& inputs = p.item(i).inputs;
    return LayerCell{.kind = "gru",
                     .x = inputs[0],
                     .states = {inputs[1]},
                     .made = {{i, 0}},
                     .weights = {inputs.begin() + 2, inputs.end()},
                     .items = {i},
                     .output = {i, 0}};
  }
  if (!p.is(i, {"Tanh", "Relu"})) return std::nullopt;
  const auto product = product_before(p, users, p.input(i, 0), i);
  if (!product || product->parts.size() != 2) return std::nullopt;
  LayerCell cell{.kind = p.is(i, "Tanh") ? "rnn" : "rnn_relu",
                 .x = product->parts[0],
                 .states = {product->parts[1]},
                 .made = {{i, 0}},
                 .weights = {product->weights, product->bias},
                 .items = product->members,
                 .output = {i, 0}};
  cell.items.push_back(i);
  return cell;
}

std::vector<LayerCell> find_layer_cells(const Pattern& p, const Users& users, int i) {
  std::vector<LayerCell> found;
  for (; i >= 0; i = next_cell(p, users, found.back().output)) {
    auto cell = find_layer_cell(p, users, i);
    if (!cell) return {};
    find_residual_sum(p, users, *cell);
    found.push_back(*std::move(cell));
  }
  return found;
}

}  // namespace rill
