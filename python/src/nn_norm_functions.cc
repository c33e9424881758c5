// Moments and normalisation of tf.nn.
#include "array_functions.h"
#include "errors.h"
#include "nn_arguments.h"
#include "nn_functions.h"
#include "rill/api/nn/moments.h"
#include "rill/api/nn/normalization.h"

namespace rill::python {
namespace {

nb::object give_moments(const nn::Moments& moments) {
  return nb::make_tuple(give(moments.mean), give(moments.variance));
}

nb::object sufficient_statistics(const Call& c) {
  const auto result = nn::sufficient_statistics(
      c.input("x"), integers(c["axes"]),
      {.shift = c.optional_input("shift"), .keepdims = keeps_dims(c), .name = c.name()});
  const nb::object shift = result.shift ? give(*result.shift) : nb::none();
  return nb::make_tuple(give(result.counts), give(result.mean_ss), give(result.variance_ss), shift);
}

nb::object fused_batch_norm(const Call& c) {
  const auto result = nn::fused_batch_norm(c.input("x"), c.input("scale"), c.input("offset"),
                                           {.mean = c.optional_input("mean"),
                                            .variance = c.optional_input("variance"),
                                            .epsilon = static_cast<float>(c.number("epsilon")),
                                            .data_format = c.text("data_format"),
                                            .is_training = c.flag("is_training"),
                                            .name = c.name()});
  return nb::make_tuple(give(result.y), give(result.batch_mean), give(result.batch_variance));
}

nb::object batch_norm_with_global_normalization(const Call& c) {
  const bool scale = c.flag("scale_after_normalization");
  const Input x = renamed_input(c, "input", "t"), mean = renamed_input(c, "mean", "m");
  const Input variance = renamed_input(c, "variance", "v");
  return give(nn::batch_norm_with_global_normalization(
      x, mean, variance, c.input("beta"), scale ? c.operand("gamma") : Input(1.0),
      c.operand("variance_epsilon"), scale, {.name = c.name()}));
}

constexpr Function kNormalization[] = {
    {"nn.moments(x, axes, shift=None, name=None, keep_dims=None, keepdims=None)",
     [](const Call& c) {
       return give_moments(nn::moments(c.input("x"), c.input("axes", DType::i32),
                                       {.keepdims = keeps_dims(c), .name = c.name()}));
     },
     "Mean and variance over axes."},
    {"nn.weighted_moments(x, axes, frequency_weights, name=None, keep_dims=None, keepdims=None)",
     [](const Call& c) {
       return give_moments(nn::weighted_moments(c.input("x"), c.input("axes", DType::i32),
                                                c.input("frequency_weights"),
                                                {.keepdims = keeps_dims(c), .name = c.name()}));
     },
     "Mean and variance of elements that count differently."},
    {"nn.sufficient_statistics(x, axes, shift=None, keep_dims=None, name=None, keepdims=None)",
     sufficient_statistics, "What moments can be computed from."},
    {"nn.normalize_moments(counts, mean_ss, variance_ss, shift, name=None)",
     [](const Call& c) {
       return give_moments(
           nn::normalize_moments(c.input("counts"), c.input("mean_ss"), c.input("variance_ss"),
                                 {.shift = optional_operand(c, "shift"), .name = c.name()}));
     },
     "Mean and variance from sufficient statistics."},
    {"nn.batch_normalization(x, mean, variance, offset, scale, variance_epsilon, name=None)",
     [](const Call& c) {
       return give(nn::batch_normalization(
           c.input("x"), c.operand("mean"), c.operand("variance"), optional_operand(c, "offset"),
           optional_operand(c, "scale"), c.operand("variance_epsilon"), {.name = c.name()}));
     },
     "A tensor brought to mean `offset` and deviation `scale`."},
    {"nn.fused_batch_norm(x, scale, offset, mean=None, variance=None, epsilon=0.001, "
     "data_format='NHWC', is_training=True, name=None)",
     fused_batch_norm, "Batch normalisation of images in one op."},
    {"nn.batch_norm_with_global_normalization(t=None, m=None, v=None, beta=None, gamma=None, "
     "variance_epsilon=None, scale_after_normalization=None, name=None, input=None, mean=None, "
     "variance=None)",
     batch_norm_with_global_normalization, "Batch normalisation under its older name."},
};

}  // namespace

void add_nn_normalization() { add_functions(kNormalization); }

}  // namespace rill::python
