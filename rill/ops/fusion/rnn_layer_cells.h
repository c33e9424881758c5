#pragma once

#include <optional>

#include "rill/ops/fusion/rnn_parts.h"

namespace rill {

// A cell in a loop: what it reads and makes.
struct LayerCell {
  const char* kind;
  Subgraph::Edge x;
  std::vector<Subgraph::Edge> states, made;  // h is the last
  std::vector<Subgraph::Edge> weights;
  std::vector<int> items;
  float forget_bias = 0;
  Subgraph::Edge output;  // h, or h and x added
  bool adds_x = false;
};

// What cells have become by now; the plain one is still built of ops.
std::optional<LayerCell> find_layer_cell(const Pattern& p, const Users& users, int i);

// The cell at item i and those that read each other's outputs behind it, as in a MultiRNNCell.
std::vector<LayerCell> find_layer_cells(const Pattern& p, const Users& users, int i);

}  // namespace rill
