#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <source_location>
#include <string>
#include <utility>
#include <vector>

#include "rill/api/variables/variable.h"

namespace rill::keras::backend {

// --- settings of the process ---------------------------------------------------------------------
double epsilon();  // the fuzz that divisions and logarithms are kept away from zero with
void set_epsilon(double value);
DType floatx();                          // the type of weights and inputs where none is said
void set_floatx(DType dtype);            // throws InvalidArgument for others than f16, f32, f64
const std::string& image_data_format();  // "channels_last", "channels_first"
void set_image_data_format(const std::string& format);  // throws InvalidArgument for others

// --- training or not -----------------------------------------------------------------------------

// The default graph's scalar that says whether a model is being trained: a placeholder
// "keras_learning_phase" that is false unless it is fed, or what set_learning_phase said, 0 or 1.
// Layers read it unless their call says `training`; fit() feeds it.
Input learning_phase();
bool has_learning_phase();  // whether a placeholder was made
// For layers of the default graph that are called afterwards; without a value it is the placeholder
// again.
void set_learning_phase(std::optional<bool> value);
// One of two tensors, by whether the model is being trained; `is_training` instead of the learning
// phase where it is given. Where the answer is known only that function is called.
Output in_train_phase(const std::function<Output()>& training,
                      const std::function<Output()>& testing, const OptionalInput& is_training = {},
                      std::source_location at = std::source_location::current());

// --- sums of products ----------------------------------------------------------------------------

// The product of the last dimension of x and the last but one of y; for matrices matmul.
Output dot(const Input& x, const Input& y,
           std::source_location at = std::source_location::current());
// For each example the sum over one axis of each; without axes the last of x and the second to last
// of y. Throws InvalidArgument for tensors of fewer than two dimensions and for axis 0.
Output batch_dot(const Input& x, const Input& y, std::optional<std::pair<int, int>> axes = {},
                 std::source_location at = std::source_location::current());
Output l2_normalize(const Input& x, std::optional<int> axis = {},
                    std::source_location at = std::source_location::current());

// --- losses of predictions -----------------------------------------------------------------------
struct CrossentropyOptions {
  bool from_logits = false;  // else `output` holds probabilities
  int axis = -1;             // of the classes
};
// -sum(target * log(output)) over the classes, of each example; `target` holds probabilities.
// Predictions that a Softmax (or Sigmoid) made are taken before it, which is exact where they are
// close to 0 or 1; others are clipped to [epsilon, 1 - epsilon].
Output categorical_crossentropy(const Input& target, const Input& output,
                                const CrossentropyOptions& options = {},
                                std::source_location at = std::source_location::current());
// The same with the number of the right class as target.
Output sparse_categorical_crossentropy(const Input& target, const Input& output,
                                       const CrossentropyOptions& options = {},
                                       std::source_location at = std::source_location::current());
// -(t log(p) + (1 - t) log(1 - p)), element by element.
Output binary_crossentropy(const Input& target, const Input& output, bool from_logits = false,
                           std::source_location at = std::source_location::current());

// --- windows -------------------------------------------------------------------------------------
// Lists have one number for each dimension of space, or one for all; empty: ones. Functions throw
// InvalidArgument for other lengths, unknown paddings and formats, and more than three dimensions.
struct WindowOptions {
  std::vector<std::int64_t> strides = {};   // ones
  std::string padding = "valid";            // "same"; "causal" for one dimension
  std::string data_format;                  // image_data_format() when empty
  std::vector<std::int64_t> dilation = {};  // ones
};
// Of one to three dimensions, by the kernel's rank: [sizes..., channels, filters].
Output conv(const Input& x, const Input& kernel, const WindowOptions& options = {},
            std::source_location at = std::source_location::current());
// The size that is asked for stands in `output_shape`; -1 for the number of examples. Of two or
// three dimensions.
Output conv_transpose(const Input& x, const Input& kernel, const Input& output_shape,
                      const WindowOptions& options = {},
                      std::source_location at = std::source_location::current());
Output depthwise_conv2d(const Input& x, const Input& kernel, const WindowOptions& options = {},
                        std::source_location at = std::source_location::current());
// Of one or two dimensions: each channel by itself, then a mixing of channels.
Output separable_conv(const Input& x, const Input& depthwise, const Input& pointwise,
                      const WindowOptions& options = {},
                      std::source_location at = std::source_location::current());
// `mode` is "max" or "avg".
Output pool(const Input& x, const std::vector<std::int64_t>& size, const std::string& mode,
            const WindowOptions& options = {},
            std::source_location at = std::source_location::current());
// `bias` has one dimension, or as many as x without the examples.
Output bias_add(const Input& x, const Input& bias, const std::string& data_format = {},
                std::source_location at = std::source_location::current());
// A convolution with a kernel of its own at each place: kernel is [places, window * channels,
// filters].
Output local_conv(const Input& x, const Input& kernel, const std::vector<std::int64_t>& size,
                  const std::vector<std::int64_t>& strides,
                  const std::vector<std::int64_t>& output_size, const std::string& data_format = {},
                  std::source_location at = std::source_location::current());
using Margins = std::vector<std::pair<std::int64_t, std::int64_t>>;  // of each dimension in space
// Zeros before and after each dimension in space; and their removal.
Output spatial_padding(const Input& x, const Margins& padding, const std::string& data_format = {},
                       std::source_location at = std::source_location::current());
Output spatial_cropping(const Input& x, const Margins& cropping,
                        const std::string& data_format = {},
                        std::source_location at = std::source_location::current());
// Each element as often as the factors say along the dimensions in space; "bilinear" interpolates
// between them instead. Throws InvalidArgument for other interpolations.
Output upsample(const Input& x, const std::vector<std::int64_t>& factors,
                const std::string& data_format = {}, const std::string& interpolation = "nearest",
                std::source_location at = std::source_location::current());

// --- elements ------------------------------------------------------------------------------------
Output batch_flatten(const Input& x, std::source_location at = std::source_location::current());
// [examples, k] becomes [examples, n, k].
Output repeat(const Input& x, std::int64_t n,
              std::source_location at = std::source_location::current());
// Each element `rep` times in a row along the axis: 1 1 2 2.
Output repeat_elements(const Input& x, std::int64_t rep, int axis,
                       std::source_location at = std::source_location::current());
// Drops whether or not a model is being trained; see in_train_phase. Throws InvalidArgument unless
// the rate is in [0, 1); a rate of 0 gives x itself.
Output dropout(const Input& x, double rate, const OptionalInput& noise_shape = {},
               std::optional<std::int64_t> seed = {},
               std::source_location at = std::source_location::current());
Output batch_normalization(const Input& x, const Input& mean, const Input& variance,
                           const OptionalInput& beta, const OptionalInput& gamma, int axis = -1,
                           double epsilon = 1e-3,
                           std::source_location at = std::source_location::current());
// Moves x by 1 - momentum of the way towards `value`, without the bias of an initial zero; the new
// value. See train::assign_moving_average with zero_debias.
Output moving_average_update(const Variable& x, const Input& value, double momentum,
                             std::source_location at = std::source_location::current());

// --- sequences -----------------------------------------------------------------------------------
struct StepResult {
  Output output = {};
  std::vector<Output> states = {};
};
using StepFunction = std::function<StepResult(Output input, const std::vector<Output>& states)>;
struct RnnOptions {
  bool go_backwards = false;
  Output mask;  // (examples, times): what is false leaves the states as they are
  bool unroll = false;
  bool time_major = false;
  bool zero_output_for_mask = false;
};
struct RnnResult {
  Output last_output = {}, outputs = {};
  std::vector<Output> states = {};
};
// Steps through the second dimension of `inputs`, the first with time_major, by a while loop, or
// with `unroll` by nodes for each step, for which their number must be known. The outputs have that
// order again; with go_backwards they are those of the last step first.
//
// Throws InvalidArgument when there is no such dimension, the step returns another number of states
// than it takes, or there are no steps to unroll.
RnnResult rnn(const StepFunction& step, Output inputs, const std::vector<Output>& initial_states,
              const RnnOptions& options = {},
              std::source_location at = std::source_location::current());

}  // namespace rill::keras::backend
