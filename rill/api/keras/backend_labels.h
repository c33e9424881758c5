#pragma once

#include <cstdint>
#include <source_location>
#include <string>
#include <vector>

#include "rill/api/sparse/sparse_tensor.h"

// The rest of tf.keras.backend: sequences of labels, batches as they are normalised in training,
// tensors that are printed.
namespace rill::keras::backend {

// Labels [batch, longest] of which the first label_lengths [batch] count, as a sparse tensor.
SparseTensor ctc_label_dense_to_sparse(const Input& labels, const Input& label_lengths,
                                       std::source_location at = std::source_location::current());
// The CTC loss of each example, [batch, 1]: labels [batch, longest], probabilities [batch, time,
// classes], of which the last is the blank, and lengths [batch, 1].
Output ctc_batch_cost(const Input& y_true, const Input& y_pred, const Input& input_length,
                      const Input& label_length,
                      std::source_location at = std::source_location::current());
struct CtcDecodeOptions {
  bool greedy = true;  // the best class of each step; false: a search
  std::int64_t beam_width = 100, top_paths = 1;
};
struct DecodedLabels {
  std::vector<Output> decoded = {};  // labels of each path, filled up with -1
  Output log_probability = {};
};
DecodedLabels ctc_decode(const Input& y_pred, const Input& input_length,
                         const CtcDecodeOptions& options = {},
                         std::source_location at = std::source_location::current());

struct NormalizedBatch {
  Output normed = {}, mean = {}, variance = {};
};
// x brought to mean 0 and variance 1 over the axes, scaled and shifted. Throws InvalidArgument
// where the rank of x is not known.
NormalizedBatch normalize_batch_in_training(
    const Input& x, const OptionalInput& gamma, const OptionalInput& beta,
    const std::vector<std::int64_t>& reduction_axes, double epsilon = 1e-3,
    std::source_location at = std::source_location::current());

// The tensor, which is printed on standard error when it is computed.
Output print_tensor(const Input& x, const std::string& message = {},
                    std::source_location at = std::source_location::current());

}  // namespace rill::keras::backend
