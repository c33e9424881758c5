#include <cmath>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/nn/channels/channel_sums.h"
#include "rill/ops/nn/norm/batch_norm_relu_rows.h"
#include "rill/ops/nn/window/window.h"

namespace rill {

extern const OpDecl kBatchNormReluGrad;

namespace {

// Sums by channel of what passes of dy, and of that times (x - mean).
std::vector<GradientSums> passed_sums(const KernelCall& call, const ChannelColumns& columns,
                                      const BatchNormReluRows& rows,
                                      const ChannelScale<float>& scale) {
  const float *dy = call.input_tensor(0).data<float>(), *x = call.input_tensor(1).data<float>();
  const auto width = static_cast<std::size_t>(columns.width());
  return fold_channels<GradientSums>(
      call, columns, [&](std::int64_t g, std::vector<GradientSums>& found) {
        std::vector<float> mean(width), slope(width), offset(width), sum(width), product(width);
        columns.for_group(g, [&](const ChannelColumns::Strip& strip) {
          columns.spread(mean.data(), scale.mean.data(), strip);
          columns.spread(slope.data(), scale.slope.data(), strip);
          columns.spread(offset.data(), scale.offset.data(), strip);
          const ColumnScale<float> by{mean.data(), slope.data(), offset.data()};
          columns.for_blocks(strip, [&](std::int64_t at, std::int64_t row_count, std::int64_t n) {
            rows.sums(sum.data(), product.data(), dy + at, x + at, by,
                      static_cast<std::size_t>(row_count), static_cast<std::size_t>(n));
            for (std::size_t j = 0; j < static_cast<std::size_t>(n); ++j)
              found[j].merge(
                  {.sum = static_cast<double>(sum[j]), .product = static_cast<double>(product[j])});
          });
        });
      });
}

void batch_norm_relu_grad(KernelCall& call) {
  const Tensor &dy = call.input_tensor(0), &x = call.input_tensor(1), &dx = call.output_tensor(0);
  const ImageLayout layout(call.node().attr<std::string>("data_format"));
  const ChannelColumns columns(x.shape(), layout.channels_last);
  const BatchNormReluRows& rows =
      batch_norm_relu_rows(call.node().attr<std::string>("activation_mode") == "Relu6");
  const float epsilon = call.node().attr<float>("epsilon");
  const std::vector<float> gain = floats_of(call.input_tensor(2)),
                           variance = floats_of(call.input_tensor(5));
  ChannelScale<float> scale(columns.channels());
  scale.offset = floats_of(call.input_tensor(3));
  scale.mean = floats_of(call.input_tensor(4));
  for (std::size_t c = 0; c < gain.size(); ++c)
    scale.slope[c] = gain[c] / std::sqrt(variance[c] + epsilon);  // as it was normalised by
  const std::vector<GradientSums> sums = passed_sums(call, columns, rows, scale);
  std::vector<float> shift(gain.size()), tilt(gain.size());
  const double share = 1 / std::max(1.0, static_cast<double>(columns.per_channel()));
  for (std::size_t c = 0; c < gain.size(); ++c) {
    const float r = 1 / std::sqrt(variance[c] + epsilon);
    call.output<float>(1)[c] = static_cast<float>(sums[c].product) * r;
    call.output<float>(2)[c] = static_cast<float>(sums[c].sum);
    shift[c] = static_cast<float>(sums[c].sum * share);
    tilt[c] = static_cast<float>(sums[c].product * share) * r * r;
  }
  if (x.element_count() == 0) return;
  // Where channels are last all strips have the same columns.
  std::vector<float> same_shift(static_cast<std::size_t>(columns.width())), same_tilt(same_shift);
  columns.spread(same_shift.data(), shift.data(), {0, 0, 0});
  columns.spread(same_tilt.data(), tilt.data(), {0, 0, 0});
  for_scaled_blocks(call, columns, scale,
                    [&](std::int64_t at, std::size_t row_count, std::size_t width,
                        const ColumnScale<float>& by, const ChannelColumns::Strip& strip) {
                      thread_local std::vector<float> own_shift, own_tilt;
                      if (!layout.channels_last) {
                        own_shift.assign(width, shift[static_cast<std::size_t>(strip.channel)]);
                        own_tilt.assign(width, tilt[static_cast<std::size_t>(strip.channel)]);
                      }
                      const bool same = layout.channels_last;
                      rows.back(dx.data<float>() + at, dy.data<float>() + at, x.data<float>() + at,
                                by, (same ? same_shift : own_shift).data(),
                                (same ? same_tilt : own_tilt).data(), row_count, width);
                    });
}

constexpr KernelEntry kEntries[] = {
    {.op = &kBatchNormReluGrad, .types = DType::f32, .run = batch_norm_relu_grad}};

}  // namespace

extern const KernelTable kBatchNormReluGradCpu{kEntries};

}  // namespace rill
