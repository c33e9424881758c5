#include "rill/api/rnn/raw_rnn.h"

#include "rill/api/array/joining.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/basic_ops.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/core/default_graph.h"
#include "rill/api/core/row_shapes.h"
#include "rill/api/core/slicing.h"
#include "rill/api/core/static_value.h"
#include "rill/api/gen/math.h"
#include "rill/api/math/operators.h"
#include "rill/api/math/reduce.h"
#include "rill/api/rnn/rnn_parts.h"
#include "rill/base/error.h"

namespace rill::nn {
namespace {

// The shape of what is kept of one example: known, or a tensor.
struct EmitSize {
  PartialShape known;
  Output tensor;
  DType dtype = DType::invalid;
};

std::vector<EmitSize> emit_sizes(Cell& cell, const RawRnnNext& first) {
  std::vector<EmitSize> sizes;
  if (!first.emit) {
    require(!first.state.empty(), "raw_rnn needs a state to tell the type of the outputs");
    for (const PartialShape& size : cell.output_sizes())
      sizes.push_back({size, {}, base_type(first.state[0].dtype())});
    return sizes;
  }
  for (const Output& emit : *first.emit) {
    sizes.push_back({emit.shape(), {}, base_type(emit.dtype())});
    if (!emit.shape().is_full()) sizes.back().tensor = shape(emit);
  }
  return sizes;
}

BatchSize checked_raw_batch(const std::vector<Output>& inputs) {
  require(!inputs.empty(), "raw_rnn needs an input");
  const PartialShape& first = inputs[0].shape();
  for (const Output& input : inputs) {
    const PartialShape& other = input.shape();
    if (!first.has_rank() || !other.has_rank()) continue;
    require(first.rank() > 0 && other.rank() > 0, "the inputs of raw_rnn must not be scalars");
    require(first[0] < 0 || other[0] < 0 || first[0] == other[0], "Dimensions ", first[0], " and ",
            other[0], " are not compatible");
  }
  return BatchSize::of(inputs[0], 0);
}

Output full_shape(const BatchSize& batch, const EmitSize& size) {
  if (!size.tensor.node) return batch_shape(batch, size.known);
  const Output rows = batch.known() ? constant({static_cast<std::int32_t>(*batch.known())})
                                    : expand_dims(batch.tensor(), 0);
  return concat({rows, size.tensor}, 0);
}

void check_count(std::size_t got, std::size_t wanted, const char* what) {
  require(got == wanted, "loop_fn returned ", got, " tensors as ", what, ", where it was ", wanted,
          " at first");
}

class RawRnnLoop {
 public:
  RawRnnLoop(Cell& cell, const RawRnnFn& loop_fn) : cell_(cell), loop_fn_(loop_fn) {}

  RawRnn run(const RawRnnOptions& options) {
    const Output time = constant(0, {.dtype = DType::i32});
    first_ = loop_fn_({time});
    loop_state_ =
        first_.loop_state ? *first_.loop_state : std::vector{constant(0, {.dtype = DType::i32})};
    make_arrays();
    return iterate(time, options);
  }

 private:
  void make_arrays() {
    const BatchSize batch = checked_raw_batch(first_.input);
    const std::vector<EmitSize> sizes = emit_sizes(cell_, first_);
    for (const EmitSize& size : sizes) {
      TensorArrayOptions options;
      options.dynamic_size = true;
      const std::optional<Tensor> value =
          size.tensor.node ? static_value(size.tensor) : std::optional<Tensor>();
      const PartialShape example = value ? PartialShape(shape_of_value(*value)) : size.known;
      options.element_shape =
          size.tensor.node && !value ? PartialShape() : shape_of_rows(batch.static_size(), example);
      options.name = str_cat("rnn_output_", arrays_.size());
      arrays_.emplace_back(size.dtype, 0, options);
    }
    for (const EmitSize& size : sizes)
      zero_emit_.push_back(zeros(full_shape(batch, size), {.dtype = size.dtype}));
  }

  // The variables of the loop, taken apart.
  struct Variables {
    Output time, finished;
    std::vector<Output> input;
    std::vector<TensorArray> arrays;
    rnn_cell::State state;
    std::vector<Output> loop_state;
  };
  Variables apart(const std::vector<Output>& flat) const {
    Variables now{flat[0], flat[1], {}, {}, {}, {}};
    auto next = flat.begin() + 2;
    for (std::size_t i = 0; i < first_.input.size(); ++i) now.input.push_back(*next++);
    for (const TensorArray& array : arrays_) {
      now.arrays.push_back(executing_eagerly() ? array : array.with_flow(*next));
      ++next;
    }
    for (std::size_t i = 0; i < first_.state.size(); ++i) now.state.push_back(*next++);
    now.loop_state.assign(next, flat.end());
    return now;
  }
  template <class T>
  static std::vector<T> flat(const Variables& now) {
    std::vector<T> all{now.time, now.finished};
    all.insert(all.end(), now.input.begin(), now.input.end());
    // Eagerly an array is what it is: any tensor takes the place of its flow.
    for (const TensorArray& array : now.arrays)
      all.push_back(executing_eagerly() ? now.time : array.flow());
    all.insert(all.end(), now.state.begin(), now.state.end());
    all.insert(all.end(), now.loop_state.begin(), now.loop_state.end());
    return all;
  }

  std::vector<Output> round(const std::vector<Output>& variables) {
    Variables now = apart(variables);
    const rnn_cell::CellOutput step = cell_.step(now.input, now.state);
    check_step(step, cell_.output_sizes().size(), now.state.size());
    const Output next_time = now.time + 1;
    const RawRnnNext next = loop_fn_({next_time, &step.outputs, &step.state, &now.loop_state});
    const std::vector<Output> emit = next.emit ? *next.emit : std::vector<Output>();
    check_count(next.input.size(), first_.input.size(), "next input");
    check_count(next.state.size(), first_.state.size(), "next state");
    check_count(emit.size(), arrays_.size(), "what to emit");
    const std::vector<Output> kept = keep_finished(now.finished, zero_emit_, emit);
    const rnn_cell::State state = keep_finished(now.finished, now.state, next.state);
    for (std::size_t i = 0; i < kept.size(); ++i)
      now.arrays[i] = now.arrays[i].write(now.time, kept[i]);
    if (next.loop_state) {
      check_count(next.loop_state->size(), now.loop_state.size(), "loop state");
      now.loop_state = *next.loop_state;
    }
    const Output finished = raw::LogicalOr(now.finished, next.finished);
    return flat<Output>({next_time, finished, next.input, now.arrays, state, now.loop_state});
  }

  RawRnn iterate(Output time, const RawRnnOptions& options) {
    WhileLoopOptions loop;
    loop.parallel_iterations = options.parallel_iterations;
    loop.swap_memory = options.swap_memory;
    const std::vector<Output> ended = while_loop(
        [&](const std::vector<Output>& now) {
          return raw::LogicalNot(reduce_all(apart(now).finished));
        },
        [&](const std::vector<Output>& now) { return round(now); },
        flat<Input>({time, first_.finished, first_.input, arrays_, first_.state, loop_state_}),
        loop);
    Variables last = apart(ended);
    RawRnn network{std::move(last.arrays), std::move(last.state), {}};
    if (first_.loop_state) network.loop_state = std::move(last.loop_state);
    return network;
  }

  Cell& cell_;
  const RawRnnFn& loop_fn_;
  RawRnnNext first_;
  std::vector<Output> loop_state_, zero_emit_;
  std::vector<TensorArray> arrays_;
};

}  // namespace

RawRnn raw_rnn(Cell& cell, const RawRnnFn& loop_fn, const RawRnnOptions& options,
               std::source_location at) {
  const auto scope = open_network(options.scope, "rnn", at);
  return RawRnnLoop(cell, loop_fn).run(options);
}

}  // namespace rill::nn
