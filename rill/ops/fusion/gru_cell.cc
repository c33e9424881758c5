#include <algorithm>

#include "rill/ops/fusion/gru_cell_match.h"
#include "rill/ops/fusion/rnn_pushed.h"

namespace rill {
namespace {

// What gradients read comes out of the cell: the gates, the candidate and what its product reads.
// Of the h that is let through they may ask for the shape. Nothing where they read more.
std::optional<Cluster> cell_of(const Users& users, const Pushed& pushed, const GruMatch& cell,
                               int sum) {
  std::vector<int> members = cell.members;
  members.push_back(sum);
  const bool joins = cell.gates.parts.size() == 2;
  if (joins) members.push_back(cell.joined.item);
  std::ranges::sort(members);
  if (std::ranges::adjacent_find(members) != members.end()) return std::nullopt;
  const int given_out[] = {cell.squash, cell.tanh, cell.candidate_in};
  bool keeps = false;
  for (const int item : members) {
    if (item == sum || !users.leaves(item, members)) continue;
    if (std::ranges::find(given_out, item) != std::end(given_out))
      keeps = true;
    else if (item != cell.let_through || !pushed.only_shape_is_read(users, {item, 0}, members))
      return std::nullopt;
  }
  std::vector<Edge> inputs{cell.x,
                           cell.h,
                           cell.gates.weights,
                           cell.gates.bias,
                           cell.candidate.weights,
                           cell.candidate.bias};
  if (!joins) inputs.push_back(cell.joined);
  Cluster made{.last = sum,
               .op = "_GruCell",
               .inputs = std::move(inputs),
               .attrs = {{"T", DType::f32},
                         {"J", std::int64_t{joins ? 0 : 1}},
                         {"N", std::int64_t{keeps ? 3 : 0}}},
               .members = std::move(members),
               .moves = {{cell.let_through, cell.h, false}}};
  if (keeps)
    for (int k = 0; k < 3; ++k) made.moves.push_back({given_out[k], {sum, k + 1}, true});
  return made;
}

int fuse_gru(Subgraph& graph, HelperNodes& nodes) {
  if (!Pattern::occurs(graph, {"Split"})) return 0;
  Pattern p(graph, nodes);
  const Users users(graph);
  const CanFuse can_fuse(graph);
  const Pushed pushed(p);
  std::vector<Cluster> cells;
  for (int i = 0; i < p.size(); ++i) {
    GruMatch match(p, users);
    if (!match.match(i)) continue;
    auto cell = cell_of(users, pushed, match, i);
    if (cell && can_fuse(cell->members)) cells.push_back(*std::move(cell));
  }
  return put_clusters(p, std::move(cells));
}

}  // namespace

extern const Rewrite kGruCellRewrite{
    "gru_cell", "products, gates and next state of a GRU cell become _GruCell", fuse_gru};

}  // namespace rill
