#include "rill/api/rnn/rnn_parts.h"

#include "rill/api/array/joining.h"
#include "rill/api/array/picking.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/basic_ops.h"
#include "rill/api/core/row_shapes.h"
#include "rill/api/core/static_value.h"
#include "rill/api/gen/math.h"
#include "rill/base/error.h"
#include "rill/graph/flow_context.h"

namespace rill::nn {
namespace {

// A constant of known dimensions, of which there may be none.
Output dims_constant(std::span<const std::int64_t> dims) {
  return constant(Input(shape_tensor(Shape(dims))));
}

Output batch_vector(const BatchSize& batch) {
  if (batch.known()) return dims_constant(std::vector{*batch.known()});
  const PartialShape& shape = batch.tensor().shape();
  if (shape.rank() == 0) return expand_dims(batch.tensor(), 0);
  require(shape.rank() == 1,
          "prefix tensor must be either a scalar or vector, but saw tensor: ", to_text(shape));
  return batch.tensor();
}

Output size_vector(const PartialShape& size) {
  require(size.is_full(), "Prefix or suffix can't be None. Received suffix = ", to_text(size));
  return dims_constant(size.dims());
}

bool in_loop() {
  for (const FlowContext* flow = current_scope().flow(); flow != nullptr; flow = flow->outer())
    if (flow->is_loop()) return true;
  return false;
}

}  // namespace

BatchSize BatchSize::of(Output x, int axis) {
  if (x.shape().has_rank() && x.shape()[axis] >= 0) return x.shape()[axis];
  return slice(shape(x), {Input(axis)});
}

std::int64_t BatchSize::static_size() const {
  if (known_) return *known_;
  const std::optional<Tensor> value = static_value(tensor_);
  if (!value || value->element_count() != 1) return kUnknownDim;
  return shape_of_value(*value)[0];
}

Output batch_shape(const BatchSize& batch, const PartialShape& size) {
  const Output rows = batch_vector(batch);
  return concat({rows, size_vector(size)}, 0);
}

PartialShape static_batch_shape(const BatchSize& batch, const PartialShape& size) {
  batch_vector(batch);
  size_vector(size);
  return shape_of_rows(batch.static_size(), size);
}

PartialShape static_time_shape(std::int64_t time, std::int64_t batch, const PartialShape& size) {
  if (time >= 0 && batch >= 0) dims_constant(std::vector{time, batch});
  size_vector(size);
  return shape_of_rows(time, shape_of_rows(batch, size));
}

rnn_cell::State zero_tensors(const rnn_cell::Sizes& sizes, const BatchSize& batch, DType dtype) {
  rnn_cell::State state;
  for (const PartialShape& size : sizes) {
    state.push_back(zeros(batch_shape(batch, size), {.dtype = dtype}));
    state.back().node->graph().refine_shape(state.back(), static_batch_shape(batch, size));
  }
  return state;
}

std::unique_ptr<VariableScopeBlock> open_network(const layers::ScopeChoice& scope,
                                                 const char* otherwise, std::source_location at) {
  auto block = (scope ? scope : layers::ScopeChoice(otherwise)).open({}, at);
  read_variables_once(*block->scope());
  return block;
}

void read_variables_once(VariableScope& scope) {
  if (!in_loop() && !scope.caching_device) scope.caching_device = "";
}

Output batch_and_time_exchanged(Output x) {
  const PartialShape before = x.shape();
  require(before.has_rank(), "the inputs of a recurrent network must have a known rank");
  if (before.rank() < 2) return x;
  const Output rest = raw::Range(2, rank(x), 1, {.name = "range"});
  const Output order = concat({Tensor::vector<std::int32_t>({1, 0}), rest}, 0);
  const Output turned = transpose(x, {.perm = order});
  turned.node->graph().refine_shape(turned, before.with_dim(0, before[1]).with_dim(1, before[0]));
  return turned;
}

DType state_dtype(DType dtype, const rnn_cell::State& state) {
  if (dtype != DType::invalid) return dtype;
  require(!state.empty(), "Unable to infer dtype from argument state=().");
  for (const Output& part : state)
    require(base_type(part.dtype()) == base_type(state[0].dtype()),
            "Argument state has tensors of different inferred dtypes. Unable to infer a single "
            "representative dtype. Dtypes received: ",
            numpy_name(base_type(state[0].dtype())), ", ", numpy_name(base_type(part.dtype())));
  return base_type(state[0].dtype());
}

rnn_cell::State first_state(Cell& cell, const std::optional<std::vector<Input>>& given,
                            const BatchSize& batch, DType dtype) {
  if (given) return each_as_tensor(*given);
  require(dtype != DType::invalid, "If there is no initial_state, you must give a dtype.");
  return cell.initial_state(batch, dtype);
}

std::vector<Output> each_as_tensor(const Inputs& values) {
  std::vector<Output> tensors;
  for (const Input& value : values) tensors.push_back(as_tensor(value));
  return tensors;
}

std::vector<Output> keep_finished(Output finished, const std::vector<Output>& old,
                                  const std::vector<Output>& fresh) {
  std::vector<Output> kept;
  for (std::size_t i = 0; i < old.size(); ++i) {
    if (old[i].shape().rank() == 0) {
      kept.push_back(fresh.at(i));
      continue;
    }
    const ColocateWith beside(*fresh.at(i).node);
    kept.push_back(where(finished, old[i], fresh[i]));
  }
  return kept;
}

OptionalInput lengths_input(const OptionalInput& given) {
  if (!given || !given->is_value()) return given;
  return Input(Input::MakeValue([value = *given](DType) { return value.value(DType::invalid); }));
}

void set_shapes(const std::vector<Output>& tensors, const std::vector<Output>& like) {
  for (std::size_t i = 0; i < like.size(); ++i)
    tensors.at(i).node->graph().refine_shape(tensors[i], like[i].shape());
}

void check_step(const rnn_cell::CellOutput& step, std::size_t outputs, std::size_t state) {
  require(step.outputs.size() == outputs && step.state.size() == state, "The cell returned ",
          step.outputs.size(), " outputs and ", step.state.size(), " states where ", outputs,
          " and ", state, " were expected");
}

}  // namespace rill::nn
