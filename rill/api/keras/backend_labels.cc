#include "rill/api/keras/backend_labels.h"

#include <algorithm>

#include "rill/api/array/array_parts.h"
#include "rill/api/array/picking.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/basic_ops.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/gen/sparse.h"
#include "rill/api/keras/backend.h"
#include "rill/api/keras/backend_parts.h"
#include "rill/api/logging/print.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/operators.h"
#include "rill/api/nn/nn.h"
#include "rill/base/error.h"

namespace rill::keras::backend {
namespace {

// Logarithms of probabilities, steps first.
Output logits_of(const Input& y_pred) {
  return raw::Log(raw::Transpose(y_pred, Tensor::vector<std::int32_t>({1, 0, 2})) + epsilon());
}
Output lengths_of(const Input& column) {
  return rill::cast(rill::squeeze(column, {.axis = {-1}}), DType::i32);
}

}  // namespace

SparseTensor ctc_label_dense_to_sparse(const Input& labels, const Input& label_lengths,
                                       std::source_location at) {
  const MadeAt place(at);
  const Output dense = as_tensor(labels, "labels");
  const Output sizes = raw::Shape(dense);
  const Output mask = sequence_mask(label_lengths, {.maxlen = rill::parts::item(sizes, 1)});
  const Output indices = raw::Where(mask);
  return {indices, raw::GatherNd(dense, indices), rill::cast(sizes, DType::i64)};
}

Output ctc_batch_cost(const Input& y_true, const Input& y_pred, const Input& input_length,
                      const Input& label_length, std::source_location at) {
  const MadeAt place(at);
  SparseTensor labels = ctc_label_dense_to_sparse(y_true, lengths_of(label_length), at);
  labels.values = rill::cast(labels.values, DType::i32);
  return expand_dims(nn::ctc_loss(labels, logits_of(y_pred), lengths_of(input_length)), 1);
}

DecodedLabels ctc_decode(const Input& y_pred, const Input& input_length, const CtcDecodeOptions& o,
                         std::source_location at) {
  const MadeAt place(at);
  const Output lengths = rill::cast(input_length, DType::i32);
  const nn::CtcDecoded found =
      o.greedy
          ? nn::ctc_greedy_decoder(logits_of(y_pred), lengths)
          : nn::ctc_beam_search_decoder(
                logits_of(y_pred), lengths,
                {.beam_width = o.beam_width, .top_paths = o.top_paths, .merge_repeated = false});
  DecodedLabels result{{}, found.log_probability};
  for (const SparseTensor& path : found.decoded)
    result.decoded.push_back(
        raw::SparseToDense(path.indices, path.dense_shape, path.values, std::int64_t{-1}));
  return result;
}

NormalizedBatch normalize_batch_in_training(const Input& given, const OptionalInput& gamma,
                                            const OptionalInput& beta,
                                            const std::vector<std::int64_t>& reduction_axes,
                                            double epsilon, std::source_location at) {
  const MadeAt place(at);
  const Output x = as_tensor(given, "x");
  require(x.shape().has_rank(), "the rank of ", x.name(), " must be known");
  const std::int64_t rank = x.shape().rank();
  std::vector<std::int64_t> axes = reduction_axes;
  std::ranges::sort(axes);
  bool all_but_last = std::ssize(axes) == rank - 1;
  for (std::size_t i = 0; all_but_last && i < axes.size(); ++i)
    all_but_last = axes[i] == static_cast<std::int64_t>(i);
  const nn::Moments of = nn::moments(x, rill::parts::ints(reduction_axes));
  std::vector<Input> sizes;
  for (std::int64_t i = 0; i < rank; ++i)
    sizes.push_back(std::ranges::count(axes, i) > 0 ? Input(1)
                                                    : parts::dim_of(x, static_cast<int>(i)));
  const auto wide = [&](const OptionalInput& t) -> OptionalInput {
    if (!t || all_but_last) return t;
    return OptionalInput(parts::reshape_to(as_tensor(*t), sizes));
  };
  const Output normed = nn::batch_normalization(x, *wide(of.mean), *wide(of.variance), wide(beta),
                                                wide(gamma), epsilon);
  return {normed, of.mean, of.variance};
}

Output print_tensor(const Input& x, const std::string& message, std::source_location at) {
  const Output value = as_tensor(x, "x");
  return with_control_dependencies({print({message, value}, {}, at)},
                                   [&] { return raw::Identity(value, {}, at); });
}

}  // namespace rill::keras::backend
