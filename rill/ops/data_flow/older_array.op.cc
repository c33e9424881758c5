#include "rill/ops/data_flow/older_array.h"

#include <algorithm>

#include "rill/base/error.h"
#include "rill/graph/gradient_parts.h"

namespace rill {

std::string gradient_source(Output gradient) {
  const std::string& name = gradient.node->name();
  std::size_t end = 0;
  for (std::size_t begin = 0; begin < name.size();) {
    const std::size_t slash = std::min(name.find('/', begin), name.size());
    if (name.compare(begin, 9, "gradients") == 0) end = slash;
    begin = slash + 1;
  }
  require(end > 0, "Expected op/tensor name to start with gradients (excluding scope), got: ", name,
          ". This means that a tf.gradients op with this op in its dependency path has a custom ",
          "name that does not start with 'gradients'. Please make sure all calls to tf.gradients ",
          "that include non-empty `name` arguments use names that start with 'gradients'.");
  return name.substr(0, end);
}

namespace {

// An op of arrays that is as old as the one that is differentiated.
std::string same_age(GradCtx& g, const char* part) {
  return str_cat("TensorArray", part, g.node().op().name.ends_with("V2") ? "V2" : "");
}

struct GradientArray {
  Output handle, flow;
};

// The array of gradients beside the one on input 0; what uses its flow comes after it is made.
GradientArray gradient_array(GradCtx& g, Output flow, Output gradient) {
  const Output handle = g.add(same_age(g, "Grad"), {g.input(0), flow},
                              {{"source", gradient_source(gradient)}}, "TensorArrayGrad");
  Node* const made = handle.node;
  Scope after = g.scope().with_control({&made, 1});
  return {handle, identity(after, flow, "gradient_flow")};
}

// For ops that write: the gradients are there once the write has run.
GradientArray array_after_write(GradCtx& g) {
  Node* const written = g.node().output(0).node;
  Scope after = g.scope().with_control({&written, 1});
  const Output arrived = g.dy();
  return gradient_array(g, identity(after, arrived, "write_barrier"), arrived);
}

// For ops that read: what arrives is written.
Output write_back(GradCtx& g, const char* part, int flow, std::vector<InputArg> what) {
  const GradientArray array = gradient_array(g, g.input(flow), g.dy());
  what.insert(what.begin(), array.handle);
  what.emplace_back(array.flow);
  return g.add(same_age(g, part), std::move(what));
}

}  // namespace

void older_read_grad(GradCtx& g) { g.set(2, write_back(g, "Write", 2, {g.input(1), g.dy()})); }
void older_gather_grad(GradCtx& g) { g.set(2, write_back(g, "Scatter", 2, {g.input(1), g.dy()})); }
void older_concat_grad(GradCtx& g) { g.set(1, write_back(g, "Split", 1, {g.dy(), g.output(1)})); }

void older_write_grad(GradCtx& g) {
  const GradientArray array = array_after_write(g);
  g.set(2, g.add(same_age(g, "Read"), {array.handle, g.input(1), array.flow},
                 {{"dtype", g.attr<DType>("T")}}));
  g.set(3, array.flow);
}

void older_scatter_grad(GradCtx& g) {
  const GradientArray array = array_after_write(g);
  g.set(2, g.add(same_age(g, "Gather"), {array.handle, g.input(1), array.flow},
                 {{"dtype", g.attr<DType>("T")}}));
  g.set(3, array.flow);
}

void older_split_grad(GradCtx& g) {
  const GradientArray array = array_after_write(g);
  g.set(1,
        g.add(same_age(g, "Concat"), {array.handle, array.flow}, {{"dtype", g.attr<DType>("T")}}));
  g.set(3, array.flow);
}

}  // namespace rill
