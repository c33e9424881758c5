#include "rill/ops/nn/conv/conv_uint8.h"

namespace rill {

void conv_uint8_plain(const KernelCall& call, const ConvProblem& problem,
                      const std::uint8_t* images, std::int32_t image_zero,
                      const std::uint8_t* filter, std::int32_t filter_zero,
                      std::uint32_t* results) {
  const WindowDim &rows = problem.dims[0], &columns = problem.dims[1];
  const std::int64_t channels = problem.in_channels, outputs = problem.out_channels;
  std::vector<std::uint32_t> weights(static_cast<std::size_t>(problem.patch_size() * outputs));
  for (std::size_t i = 0; i < weights.size(); ++i)
    weights[i] = static_cast<std::uint32_t>(filter[i]) - static_cast<std::uint32_t>(filter_zero);
  // Adds what tap (i, j) of a window sees at one pixel.
  const auto add_tap = [&](const std::uint8_t* pixel, std::int64_t tap, std::uint32_t* sums) {
    const std::uint32_t* weight = weights.data() + tap * channels * outputs;
    for (std::int64_t c = 0; c < channels; ++c, weight += outputs) {
      const auto factor =
          static_cast<std::uint32_t>(pixel[c]) - static_cast<std::uint32_t>(image_zero);
      for (std::int64_t o = 0; o < outputs; ++o) sums[o] += factor * weight[o];
    }
  };
  const auto cost = static_cast<double>(std::max<std::int64_t>(problem.patch_size() * outputs, 1));
  const auto positions = static_cast<std::size_t>(problem.batch * problem.positions());
  call.parallel_for(positions, cost, [&](std::size_t begin, std::size_t end) {
    for (auto p = static_cast<std::int64_t>(begin); p < static_cast<std::int64_t>(end); ++p) {
      std::uint32_t* const sums = results + p * outputs;
      std::fill_n(sums, outputs, 0U);
      const std::int64_t n = p / (rows.out * columns.out);
      const std::int64_t y = p / columns.out % rows.out, x = p % columns.out;
      const std::uint8_t* const image = images + n * problem.image_size();
      for (std::int64_t i = rows.first_tap(y); i < rows.end_tap(y); ++i)
        for (std::int64_t j = columns.first_tap(x); j < columns.end_tap(x); ++j) {
          const std::int64_t row = rows.start(y) + i * rows.dilation,
                             column = columns.start(x) + j * columns.dilation;
          add_tap(image + (row * columns.in + column) * channels, i * columns.size + j, sums);
        }
    }
  });
}

}  // namespace rill
