#include "rill/ops/data_flow/tensor_array_grad.h"

#include "rill/graph/gradient_parts.h"
#include "rill/graph/tensor_array_builder.h"
#include "rill/ops/data_flow/older_array.h"

namespace rill {
namespace {

TensorArrayBuilder grad_array(GradCtx& g, DType dtype, Output flow, Output gradient) {
  const TensorArrayOptions options{.colocate_with_first_write_call = false};
  const TensorArrayBuilder array(g.scope(), dtype, g.input(0), flow, options);
  return array.grad(g.scope(), gradient_source(gradient), flow);
}

// For ops that read: what arrives is written. `flow` is the input that orders the read.
TensorArrayBuilder grad_of_read(GradCtx& g, int flow) {
  return grad_array(g, g.attr<DType>("dtype"), g.input(flow), g.dy());
}

// For ops that write: what arrives is a flow; the gradients' array is looked up after the write.
struct Undone {
  TensorArrayBuilder array;
  Output flow;
};
Undone grad_of_write(GradCtx& g) {
  const Output arrived = g.dy();
  Node* const written = identity(g.scope(), g.output(), "flow_out").node;
  Scope after = g.scope().with_control({&written, 1});
  const Output flow = identity(after, arrived, "write_barrier");
  const TensorArrayOptions options{.colocate_with_first_write_call = false};
  const TensorArrayBuilder array(g.scope(), g.attr<DType>("T"), g.input(0), flow, options);
  return {array.grad(g.scope(), gradient_source(arrived), flow), flow};
}

}  // namespace

void array_read_grad(GradCtx& g) {
  g.set(2, grad_of_read(g, 2).write(g.scope(), g.input(1), g.dy()).flow());
}

void array_gather_grad(GradCtx& g) {
  g.set(2, grad_of_read(g, 2).scatter(g.scope(), g.input(1), g.dy()).flow());
}

void array_concat_grad(GradCtx& g) {
  g.set(1, grad_of_read(g, 1).split(g.scope(), g.dy(), g.output(1)).flow());
}

void array_write_grad(GradCtx& g) {
  const Undone undone = grad_of_write(g);
  g.set(2, undone.array.read(g.scope(), g.input(1)));
  g.set(3, undone.flow);
}

void array_scatter_grad(GradCtx& g) {
  const Undone undone = grad_of_write(g);
  g.set(2, undone.array.gather(g.scope(), g.input(1)));
  g.set(3, undone.flow);
}

void array_split_grad(GradCtx& g) {
  const Undone undone = grad_of_write(g);
  g.set(1, undone.array.concat(g.scope()));
  g.set(3, undone.flow);
}

}  // namespace rill
