#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <source_location>
#include <string>
#include <vector>

#include "rill/api/nn/window_sizes.h"

namespace rill::nn {

// Computes something from windows of its input, with the padding it is told.
using WindowOp = std::function<Output(Output input, int num_spatial_dims, const Padding& padding)>;

// spatial_dims rise and do not include the batch. filter_shape: the sizes of the window.
struct SpaceToBatchOptions {
  OptionalInput filter_shape{};              // needed where the padding is "SAME"
  std::vector<std::int64_t> spatial_dims{};  // those after the batch, or after the channels
  std::string data_format{};
  int num_batch_dims = 1;
};
// `op` with windows whose elements lie `dilation_rate` apart: elements that are neighbours then are
// brought together by moving space into the batch. Throws InvalidArgument when the dimensions or
// rates are impossible.
Output with_space_to_batch(const Input& input, const Input& dilation_rate, const Padding& padding,
                           const WindowOp& op, const SpaceToBatchOptions& options = {},
                           std::source_location at = std::source_location::current());

// What an op that takes inner dimensions and one of batch computes for inputs with any number of
// dimensions of batch.
Output squeeze_batch_dims(const Input& input, const std::function<Output(Output)>& op,
                          int inner_rank, const std::string& name = {},
                          std::source_location at = std::source_location::current());

}  // namespace rill::nn
