#include "rill/api/nn/pooling.h"

#include <algorithm>
#include <array>

#include "rill/api/array/array_parts.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/texts.h"
#include "rill/api/gen/nn.h"
#include "rill/api/nn/space_to_batch.h"

namespace rill::nn {
namespace {

using Dims = std::vector<std::int64_t>;

// One of the four ops that pool.
template <auto Op, class Options>
Output pool_node(const Input& x, const Dims& ksize, const Dims& strides, const Padding& padding,
                 const std::string& data_format, const std::string& name) {
  require_type(!padding.is_explicit(), "explicit paddings are not there for pooling");
  require(std::ranges::all_of(ksize, [](std::int64_t size) { return size != 0; }),
          "`ksize` cannot be zero.");
  return Op(x, ksize, strides, padding.kind(), Options{.data_format = data_format, .name = name},
            std::source_location::current());
}
constexpr auto kMax2d = pool_node<raw::MaxPool, raw::MaxPoolOptions>;
constexpr auto kMax3d = pool_node<raw::MaxPool3D, raw::MaxPool3DOptions>;
constexpr auto kAvg2d = pool_node<raw::AvgPool, raw::AvgPoolOptions>;
constexpr auto kAvg3d = pool_node<raw::AvgPool3D, raw::AvgPool3DOptions>;
using PoolNode = decltype(kMax2d);

// A function that opens a scope named `otherwise` and makes one node of that name.
struct PoolKind {
  PoolNode node;
  int spatial;
  const char* otherwise;
};

Output pooled(const PoolKind& kind, const Input& x, const Sizes& ksize, const Sizes& strides,
              const Padding& padding, const PoolOptions& options, std::source_location at) {
  const Block in(options.name, kind.otherwise, at);
  const std::string format = !options.data_format.empty() ? options.data_format
                             : kind.spatial == 3          ? "NDHWC"
                                                          : "NHWC";
  const bool first = is_channels_first(format);
  const Dims windows = ksize.of_input(kind.spatial, first, "ksize");
  return kind.node(x, windows, strides.of_input(kind.spatial, first, "strides"), padding, format,
                   in.own_name());
}

// Sequences are images of one row.
Output pooled_rows(const PoolKind& kind, const Input& x, const Sizes& ksize, const Sizes& strides,
                   const Padding& padding, const PoolOptions& options, std::source_location at) {
  const Block in(options.name, kind.otherwise, at);
  const bool first = is_channels_first(options.data_format);
  const auto with_height = [&](const Sizes& sizes, const char* what) {
    Dims all = sizes.of_input(1, first, what);
    all.insert(all.begin(), 1);
    return all;
  };
  const Dims windows = with_height(ksize, "ksize"), steps = with_height(strides, "strides");
  const int height = first ? 2 : 1;
  const Output rows = expand_dims(x, height);
  const Output result =
      kind.node(rows, windows, steps, padding, first ? "NCHW" : "NHWC", in.own_name());
  return squeeze(result, {.axis = {height}});
}

int rank_for(const Input& input, const PoolOptions& options) {
  const int rank = input.is_output() ? input.output().shape().rank() : -1;
  const int count = rank >= 0 ? rank : static_cast<int>(options.data_format.size());
  require(count > 0, "`input` must have a static shape or a data format must be given.");
  require(count >= 3 && count <= 5, "`input.shape.rank` must be 3, 4 or 5. Received rank ", count,
          ".");
  return count;
}

}  // namespace

Output max_pool(const Input& value, const Sizes& ksize, const Sizes& strides,
                const Padding& padding, const PoolOptions& options, std::source_location at) {
  return pooled({kMax2d, 2, "MaxPool"}, value, ksize, strides, padding, options, at);
}
Output max_pool1d(const Input& input, const Sizes& ksize, const Sizes& strides,
                  const Padding& padding, const PoolOptions& options, std::source_location at) {
  return pooled_rows({kMax2d, 1, "MaxPool1d"}, input, ksize, strides, padding, options, at);
}
Output max_pool2d(const Input& input, const Sizes& ksize, const Sizes& strides,
                  const Padding& padding, const PoolOptions& options, std::source_location at) {
  return pooled({kMax2d, 2, "MaxPool2d"}, input, ksize, strides, padding, options, at);
}
Output max_pool3d(const Input& input, const Sizes& ksize, const Sizes& strides,
                  const Padding& padding, const PoolOptions& options, std::source_location at) {
  return pooled({kMax3d, 3, "MaxPool3D"}, input, ksize, strides, padding, options, at);
}
Output avg_pool(const Input& value, const Sizes& ksize, const Sizes& strides,
                const Padding& padding, const PoolOptions& options, std::source_location at) {
  return pooled({kAvg2d, 2, "AvgPool"}, value, ksize, strides, padding, options, at);
}
Output avg_pool1d(const Input& input, const Sizes& ksize, const Sizes& strides,
                  const Padding& padding, const PoolOptions& options, std::source_location at) {
  return pooled_rows({kAvg2d, 1, "AvgPool1D"}, input, ksize, strides, padding, options, at);
}
Output avg_pool3d(const Input& input, const Sizes& ksize, const Sizes& strides,
                  const Padding& padding, const PoolOptions& options, std::source_location at) {
  return pooled({kAvg3d, 3, "AvgPool3D"}, input, ksize, strides, padding, options, at);
}

Output max_pool_v2(const Input& input, const Sizes& ksize, const Sizes& strides,
                   const Padding& padding, const PoolOptions& options, std::source_location at) {
  constexpr auto kOps = std::array{max_pool1d, max_pool2d, max_pool3d};
  return kOps[static_cast<std::size_t>(rank_for(input, options) - 3)](input, ksize, strides,
                                                                      padding, options, at);
}
Output avg_pool_v2(const Input& input, const Sizes& ksize, const Sizes& strides,
                   const Padding& padding, const PoolOptions& options, std::source_location at) {
  constexpr auto kOps = std::array{avg_pool1d, avg_pool, avg_pool3d};
  return kOps[static_cast<std::size_t>(rank_for(input, options) - 3)](input, ksize, strides,
                                                                      padding, options, at);
}

namespace {

// MAX and AVG are those of pool's callers; the scope is called after them.
std::string scope_of_type(std::string pooling_type) {
  std::ranges::transform(pooling_type, pooling_type.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return pooling_type + "_pool";
}

void check_pool(Output x, const Dims& window, const std::string& type, const Padding& padding,
                const Dims& strides, const Dims& rates) {
  const auto above_one = [](std::int64_t v) { return v > 1; };
  const bool dilated = std::ranges::any_of(rates, above_one);
  require(!x.shape().has_rank() || x.shape().rank() == static_cast<int>(window.size()) + 2,
          "Shape ", shape_text(x.shape()), " must have rank ", window.size() + 2);
  require(!dilated || std::ranges::none_of(strides, above_one),
          "`strides > 1` not supported in conjunction with `dilation_rate > 1`.");
  require(!dilated || padding.kind() != "SAME",
          "pooling with 'SAME' padding is not implemented for `dilation_rate` > 1.");
  for (std::size_t i = 0; i < window.size(); ++i)
    require(strides[i] <= window[i],
            "`strides` > `window_shape` not supported due to inconsistency between CPU and GPU "
            "implementations.");
  require(type == "MAX" || type == "AVG", window.size(), "-D ", type, " pooling is not supported.");
}

}  // namespace

Output pool(const Input& input, const std::vector<std::int64_t>& window_shape,
            const std::string& pooling_type, const Padding& padding,
            const GeneralPoolOptions& options, std::source_location at) {
  const Block in(options.name, scope_of_type(pooling_type), at);
  const Output x = as_tensor(input, "input");
  const auto count = static_cast<int>(window_shape.size());
  require(count >= 1 && count <= 3, "`len(window_shape)` must be 1, 2, or 3. Received length ",
          count);
  const Dims strides = options.strides.of_space(count, "strides");
  const Dims rates = options.dilation_rate.of_space(count, "dilation_rate");
  check_pool(x, window_shape, pooling_type, padding, strides, rates);
  const bool first = is_channels_first(options.data_format);
  require(count != 1 || options.data_format.empty() || options.data_format == "NWC" ||
              options.data_format == "NCW",
          "data_format must be either 'NWC' or 'NCW'. Received: data_format=", options.data_format);
  const auto op = [&](Output from, int, const Padding& how) {
    const PoolOptions inner{.data_format = options.data_format, .name = in.own_name()};
    const bool largest = pooling_type == "MAX";
    constexpr auto kOps =
        std::array{avg_pool1d, avg_pool, avg_pool3d, max_pool1d, max_pool, max_pool3d};
    return kOps[static_cast<std::size_t>(count - 1 + (largest ? 3 : 0))](from, window_shape,
                                                                         strides, how, inner, at);
  };
  Dims spatial_dims;
  for (int i = 0; i < count; ++i) spatial_dims.push_back(i + (first ? 2 : 1));
  return with_space_to_batch(
      x, parts::ints(rates), padding, op,
      {.filter_shape = parts::ints(window_shape), .spatial_dims = spatial_dims});
}

}  // namespace rill::nn
