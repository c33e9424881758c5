#pragma once

#include <cstdint>
#include <source_location>
#include <string>
#include <vector>

#include "rill/api/core/basic_ops.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/logging.h"
#include "rill/api/gen/math.h"
#include "rill/api/losses/losses.h"
#include "rill/api/math/casts.h"
#include "rill/api/names/tf.h"
#include "rill/api/nn/nn.h"
#include "rill/api/ragged/ragged.h"
#include "rill/api/saver/saved_model_loader.h"
#include "rill/api/train/global_step.h"

// Functions of a few nodes that no other header has.
namespace rill {

namespace debugging {
using raw::Assert;
}  // namespace debugging

namespace contrib::losses {
// tf.contrib.losses takes logits first.
inline Output sigmoid_cross_entropy(const Input& logits, const Input& multi_class_labels,
                                    const rill::losses::CrossEntropyOptions& options = {},
                                    std::source_location at = std::source_location::current()) {
  return rill::losses::sigmoid_cross_entropy(multi_class_labels, logits, options, at);
}
inline Output softmax_cross_entropy(const Input& logits, const Input& onehot_labels,
                                    const rill::losses::CrossEntropyOptions& options = {},
                                    std::source_location at = std::source_location::current()) {
  return rill::losses::softmax_cross_entropy(onehot_labels, logits, options, at);
}
inline Output sparse_softmax_cross_entropy(
    const Input& logits, const Input& labels, const rill::losses::LossOptions& options = {},
    std::source_location at = std::source_location::current()) {
  return rill::losses::sparse_softmax_cross_entropy(labels, logits, options, at);
}
}  // namespace contrib::losses

namespace contrib::seq2seq {
// 1 where the largest of the last dimension stands, else 0.
inline Output hardmax(const Input& logits,
                      std::source_location at = std::source_location::current()) {
  const Output values = as_tensor(logits);
  const PartialShape shape = values.shape();
  require(shape.has_rank() && shape.rank() > 0 && shape.dim(shape.rank() - 1) >= 0,
          "hardmax needs to know how many logits there are, which the shape ", shape,
          " does not say");
  const Output largest = raw::ArgMax(values, Input(-1), {}, at);
  const auto depth = static_cast<std::int32_t>(shape.dim(shape.rank() - 1));
  return raw::OneHot(largest, Input(depth), rill::cast(Input(1.0F), values.dtype()),
                     rill::cast(Input(0.0F), values.dtype()), {}, at);
}
// The running product, by sums of logarithms: its gradient is no NaN where a factor is 0.
inline Output safe_cumprod(const Input& x, const Input& axis = 0, bool exclusive = false,
                           std::source_location at = std::source_location::current()) {
  const Output values = as_tensor(x);
  const Output tiny = rill::cast(Input(1.17549435e-38F), values.dtype());
  const Output bounded = raw::Minimum(raw::Maximum(values, tiny, {}, at),
                                      rill::cast(Input(1.0F), values.dtype()), {}, at);
  return raw::Exp(raw::Cumsum(raw::Log(bounded, {}, at), axis, {.exclusive = exclusive}, at), {},
                  at);
}
}  // namespace contrib::seq2seq

namespace contrib::rnn {
// The first two dimensions exchanged; tensors of fewer stay as they are. Throws InvalidArgument
// where the rank is not known.
inline Output transpose_batch_time(const Output& x,
                                   std::source_location at = std::source_location::current()) {
  const PartialShape shape = x.shape();
  require(shape.has_rank(), "transpose_batch_time needs to know the rank of ", x.name());
  if (shape.rank() < 2) return x;
  Tensor order(DType::i32, Shape{static_cast<std::int64_t>(shape.rank())});
  for (int i = 0; i < shape.rank(); ++i) order.data<std::int32_t>()[i] = i < 2 ? 1 - i : i;
  return raw::Transpose(x, Input(order), {}, at);
}
}  // namespace contrib::rnn

namespace contrib::framework {
using rill::convert_to_tensor_or_sparse_tensor;
using rill::is_tensor;
using rill::py_func;
// The step that is given, checked, or the graph's.
inline Variable assert_or_get_global_step(const Variable& global_step_tensor) {
  train::assert_global_step(global_step_tensor);
  return global_step_tensor;
}
}  // namespace contrib::framework

namespace keras::utils {
// Rows with a 1 at each class. Throws InvalidArgument for a class outside of [0, num_classes); 0
// classes: as many as the largest needs.
Tensor to_categorical(const std::vector<std::int64_t>& y, std::int64_t num_classes = 0);
}  // namespace keras::utils

}  // namespace rill
