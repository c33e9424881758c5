#include "rill/ops/fusion/pattern.h"

namespace rill {
namespace {

constexpr std::initializer_list<const char*> kSums = {"Add", "AddV2"};
constexpr std::initializer_list<const char*> kNorms = {"FusedBatchNorm", "FusedBatchNormV2",
                                                       "FusedBatchNormV3"};

// Whether item i gives its input `edge` another value of the same shape.
bool keeps_shape(const Pattern& p, int i, Edge edge) {
  if (p.is(i, {"BiasAdd", "Relu", "Relu6", "LeakyRelu", "Elu", "Tanh", "Sigmoid"}))
    return p.input(i, 0) == edge;
  return p.is(i, kSums) && p.is_vector_for(p.other(i, edge), p.shape(edge));
}

// Per item, the one that reads its output 0 in order to compute with it: -1 none, -2 several.
std::vector<int> computing_readers(const Pattern& p) {
  std::vector<int> readers(static_cast<std::size_t>(p.size()), -1);
  for (int i = 0; i < p.size(); ++i)
    for (const Edge& input : p.item(i).inputs) {
      if (input.output != 0 || p.is(i, "Shape")) continue;
      int& reader = readers[static_cast<std::size_t>(input.item)];
      reader = reader == -1 ? i : -2;
    }
  return readers;
}

// Another value of the same shape: a batch norm's input, else the last one that follows from this
// value alone before item `limit`.
Edge stand_in(const Pattern& p, const std::vector<int>& readers, Edge edge, int limit) {
  if (edge.output != 0 || !p.item(edge.item).is_plain()) return edge;
  if (p.is(edge.item, kNorms)) return p.input(edge.item, 0);
  while (true) {
    const int next = readers[static_cast<std::size_t>(edge.item)];
    if (next < 0 || next >= limit || !keeps_shape(p, next, edge)) return edge;
    edge = {next, 0};
  }
}

// Gradients read the shapes of values that are not needed otherwise. Each such Shape is given
// another value of the same shape, so that the large value can be freed.
int move_shape_readers(Subgraph& graph, HelperNodes& nodes) {
  if (!Pattern::occurs(graph, {"Shape"})) return 0;
  Pattern p(graph, nodes);
  const std::vector<int> readers = computing_readers(p);
  int moved = 0;
  for (int i = 0; i < p.size(); ++i) {
    if (!p.is(i, "Shape")) continue;
    Edge& asked = graph.items[static_cast<std::size_t>(i)].inputs[0];
    const Edge found = stand_in(p, readers, asked, i);
    if (found == asked) continue;
    asked = found;
    ++moved;
  }
  return moved;
}

}  // namespace

extern const Rewrite kShapeReadersRewrite{
    "shape_readers", "Shape asks a value that is needed anyway", move_shape_readers};

}  // namespace rill
