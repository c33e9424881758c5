#include "rill/api/array/picking.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/basic_ops.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/core/row_shapes.h"
#include "rill/api/core/tensor_array.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/operators.h"
#include "rill/api/math/reduce.h"
#include "rill/api/rnn/rnn_parts.h"
#include "rill/api/seq2seq/decoder.h"
#include "rill/base/error.h"

namespace rill::contrib::seq2seq {
namespace {

class Loop {
 public:
  Loop(Decoder& decoder, const DynamicDecodeOptions& options)
      : decoder_(decoder),
        options_(options),
        sizes_(decoder.output_sizes()),
        dtypes_(decoder.output_dtypes()) {
    require(sizes_.size() == dtypes_.size(), "the decoder has ", sizes_.size(), " outputs and ",
            dtypes_.size(), " types of outputs");
  }

  Decoded run() {
    Output limit;
    if (options_.maximum_iterations) {
      limit = as_tensor(*options_.maximum_iterations, "maximum_iterations", DType::i32);
      require(limit.shape().rank() <= 0, "maximum_iterations must be a scalar");
    }
    first_ = decoder_.initialize();
    make_arrays();
    if (limit.node)
      first_.finished = raw::LogicalOr(first_.finished, operators::less_equal(limit, 0, at_));
    const Output lengths = zeros_like(first_.finished, {.dtype = DType::i32});
    const Output time = constant(0, {.dtype = DType::i32});
    return iterate(time, lengths, limit);
  }

 private:
  struct Variables {
    Output time;
    std::vector<TensorArray> arrays;
    State state;
    std::vector<Output> inputs;
    Output finished, lengths;
  };

  void make_arrays() {
    const BatchSize batch = decoder_.batch_size();
    for (std::size_t i = 0; i < sizes_.size(); ++i) {
      zero_outputs_.push_back(zeros(nn::batch_shape(batch, sizes_[i]), {.dtype = dtypes_[i]}));
      TensorArrayOptions options;
      options.dynamic_size = true;
      options.element_shape = shape_of_rows(batch.static_size(), sizes_[i]);
      arrays_.emplace_back(dtypes_[i], 0, options);
    }
  }

  Variables apart(const std::vector<Output>& flat) const {
    Variables now{flat[0], {}, {}, {}, flat[flat.size() - 2], flat.back()};
    auto next = flat.begin() + 1;
    for (const TensorArray& array : arrays_) now.arrays.push_back(array.with_flow(*next++));
    for (std::size_t i = 0; i < first_.state.size(); ++i) now.state.push_back(*next++);
    now.inputs.assign(next, flat.end() - 2);
    return now;
  }
  template <class T>
  static std::vector<T> flat(const Variables& now) {
    std::vector<T> all{now.time};
    for (const TensorArray& array : now.arrays) all.push_back(array.flow());
    all.insert(all.end(), now.state.begin(), now.state.end());
    all.insert(all.end(), now.inputs.begin(), now.inputs.end());
    all.push_back(now.finished);
    all.push_back(now.lengths);
    return all;
  }

  // Whether examples are finished after the step, and how long they are.
  void advance(Variables& now, const DecoderStep& step, Output next_time) {
    const Output before = now.finished;
    const bool own = decoder_.tracks_own_finished();
    now.finished = own ? step.finished : raw::LogicalOr(step.finished, before);
    if (const Output lengths = own ? decoder_.lengths_of(step.state) : Output(); lengths.node) {
      now.lengths = cast(lengths, DType::i32);
      return;
    }
    const Output longer = raw::Fill(shape(now.lengths), next_time);
    now.lengths = where(raw::LogicalNot(before), longer, now.lengths);
  }

  std::vector<Output> round(const std::vector<Output>& variables) {
    Variables now = apart(variables);
    DecoderStep step = decoder_.step(now.time, now.inputs, now.state);
    require(step.outputs.size() == arrays_.size() && step.state.size() == now.state.size() &&
                step.inputs.size() == now.inputs.size(),
            "a step of the decoder gave other numbers of tensors than it began with");
    const Output before = now.finished, next_time = now.time + 1;
    advance(now, step, next_time);
    if (options_.impute_finished) {
      step.outputs = nn::keep_finished(before, zero_outputs_, step.outputs);
      nn::set_shapes(step.state, now.state);
      step.state = nn::keep_finished(before, now.state, step.state);
    }
    for (std::size_t i = 0; i < now.arrays.size(); ++i)
      now.arrays[i] = now.arrays[i].write(now.time, step.outputs[i]);
    now.time = next_time;
    now.state = step.state;
    now.inputs = step.inputs;
    return flat<Output>(now);
  }

  Decoded iterate(Output time, Output lengths, Output limit) {
    WhileLoopOptions loop;
    loop.parallel_iterations = options_.parallel_iterations;
    loop.swap_memory = options_.swap_memory;
    if (limit.node) loop.maximum_iterations = limit;
    const std::vector<Output> ended = while_loop(
        [&](const std::vector<Output>& now) {
          return raw::LogicalNot(reduce_all(apart(now).finished));
        },
        [&](const std::vector<Output>& now) { return round(now); },
        flat<Input>({time, arrays_, first_.state, first_.inputs, first_.finished, lengths}), loop);
    const Variables last = apart(ended);
    Decoded result{{}, last.state, last.lengths};
    for (const TensorArray& array : last.arrays) result.outputs.push_back(array.stack());
    decoder_.finalize(result.outputs, result.state, result.lengths);
    if (!options_.output_time_major)
      for (Output& output : result.outputs) output = nn::batch_and_time_exchanged(output);
    return result;
  }

  Decoder& decoder_;
  const DynamicDecodeOptions& options_;
  Sizes sizes_;
  std::vector<DType> dtypes_;
  DecoderStart first_;
  std::vector<Output> zero_outputs_;
  std::vector<TensorArray> arrays_;
  std::source_location at_ = std::source_location::current();
};

}  // namespace

Decoded dynamic_decode(Decoder& decoder, const DynamicDecodeOptions& options,
                       std::source_location at) {
  const auto scope = options.scope ? options.scope.open({}, at)
                                   : VariableScopeBlock::with_default_name("decoder", {}, at);
  nn::read_variables_once(*scope->scope());
  return Loop(decoder, options).run();
}

}  // namespace rill::contrib::seq2seq
