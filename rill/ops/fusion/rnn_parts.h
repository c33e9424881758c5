#pragma once

#include <optional>
#include <vector>

#include "rill/ops/fusion/rnn_clusters.h"

namespace rill {

// What cells of tf.nn.rnn_cell begin with: BiasAdd(MatMul(concat(parts, 1), weights), bias).
struct CellProduct {
  std::vector<Subgraph::Edge> parts;  // one where the concat is read elsewhere too, or is none
  Subgraph::Edge weights, bias;
  std::vector<int> members;  // the items, BiasAdd first
};

// Whether a constant says that the second of two dimensions is meant.
bool is_column_axis(const Pattern& p, Subgraph::Edge axis);

// The product that makes `value` for item `reader` alone.
std::optional<CellProduct> product_before(const Pattern& p, const Users& users,
                                          Subgraph::Edge value, int reader);

// An item that multiplies these two, -1 if there is none.
int product_of(const Pattern& p, const Users& users, Subgraph::Edge a, Subgraph::Edge b);

}  // namespace rill
