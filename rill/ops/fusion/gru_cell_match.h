#pragma once

#include "rill/ops/fusion/rnn_parts.h"

namespace rill {

// What tf.nn.rnn_cell's GRU cell is built of: update * h + (1 - update) * candidate, found from
// that sum. All its values but the gates side by side have the shape of h.
class GruMatch {
 public:
  GruMatch(const Pattern& p, const Users& users) : p_(p), users_(users) {}

  bool match(int sum);

  // The items: gates squashed side by side and apart, h let through, what the candidate's product
  // reads, the candidate squashed, 1 - update, and the two summands.
  int squash = -1, split = -1, let_through = -1, candidate_in = -1, tanh = -1, open = -1;
  int kept = -1, added = -1;
  Edge x, h, joined;  // the last: x and h side by side
  CellProduct gates, candidate;
  std::vector<int> members;  // without the sum

  Edge reset() const { return {split, 0}; }
  Edge update() const { return {split, 1}; }
  std::int64_t cells() const { return p_.shape(h).dim(1); }
  // Whether a value of this cell has the shape of h.
  bool is_like_h(Edge edge) const;

 private:
  bool is_added(Edge edge);
  bool is_kept(Edge edge);
  bool find_products();
  bool join_of(CellProduct& product, Edge* first, Edge* second, int* concat) const;
  bool has_columns(Edge weights, std::int64_t columns) const;

  const Pattern& p_;
  const Users& users_;
  int sum_ = -1;
};

}  // namespace rill
