#include "rill/api/layers/pooling_layers.h"

#include "rill/api/array/shapes.h"
#include "rill/api/nn/pooling.h"

namespace rill::layers {

Pooling::Pooling(Kind kind, int rank, std::string class_name, LayerOptions base)
    : Layer(std::move(class_name), std::move(base)), kind(kind), rank(rank) {
  input_spec = {{.ndim = rank + 2}};
}

Pooling::Pooling(Kind kind, int rank, const nn::Sizes& sizes, const nn::Sizes& steps,
                 const PoolingOptions& given, LayerUse use, std::string class_name)
    : Pooling(kind, rank, std::move(class_name), base_options(given, use)) {
  const auto count = static_cast<std::size_t>(rank);
  pool_size = checked_sizes(sizes, count, "pool_size");
  strides = checked_sizes(steps, count, "strides", 0);
  options = given;
  options.padding = checked_padding(given.padding);
  options.data_format = checked_data_format(given.data_format);
}

Output Pooling::pooled(Output x, std::vector<std::int64_t> sizes, std::vector<std::int64_t> steps,
                       bool channels_first) const {
  for (auto* all : {&sizes, &steps}) {
    all->insert(all->begin(), channels_first ? 2 : 1, 1);
    if (!channels_first) all->push_back(1);
  }
  const std::string padding = upper_case(options.padding);
  const bool is_max = kind == Kind::kMax;
  if (rank == 3)
    return is_max ? nn::max_pool3d(x, sizes, steps, padding)
                  : nn::avg_pool3d(x, sizes, steps, padding);
  const nn::PoolOptions how{.data_format = channels_first ? "NCHW" : "NHWC"};
  return is_max ? nn::max_pool(x, sizes, steps, padding, how)
                : nn::avg_pool(x, sizes, steps, padding, how);
}

Output Pooling::call(Output x, const CallArguments&) {
  const bool channels_first = options.data_format == "channels_first";
  if (rank == 2) return pooled(x, pool_size, strides, channels_first);
  // Sequences are images of width 1. Other ops than those of images want channels last on CPUs.
  const int width = channels_first ? 3 : 2;
  std::vector<std::int64_t> sizes = pool_size, steps = strides;
  if (rank == 1) {
    x = expand_dims(x, width);
    sizes.push_back(1);
    steps.push_back(1);
  }
  if (channels_first) x = channels_to_last(x);
  Output y = pooled(x, sizes, steps, false);
  if (channels_first) y = channels_to_first(y);
  return rank == 1 ? squeeze(y, {.axis = {width}}) : y;
}

PartialShape Pooling::compute_output_shape(const PartialShape& input) const {
  if (!input.has_rank()) return {};
  PartialShape result = input;
  const int first = options.data_format == "channels_first" ? 2 : 1;
  for (int i = 0; i < rank; ++i) {
    const auto d = static_cast<std::size_t>(i);
    result = result.with_dim(first + i, window_output_length(input[first + i], pool_size[d],
                                                             options.padding, strides[d]));
  }
  return result;
}

}  // namespace rill::layers
