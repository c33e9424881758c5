#include <cmath>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/nn/channels/channel_sums.h"
#include "rill/ops/nn/norm/batch_norm_epilogue_rows.h"
#include "rill/ops/nn/window/window.h"

namespace rill {

extern const OpDecl kFusedBatchNorm, kFusedBatchNormV2, kFusedBatchNormV3, kFusedBatchNormEx,
    kFusedBatchNormGrad, kFusedBatchNormGradV2, kFusedBatchNormGradV3;

namespace {

ChannelColumns columns_of(const KernelCall& call, const Tensor& images) {
  return {images.shape(), ImageLayout(call.node().attr<std::string>("data_format")).channels_last};
}

// What images of the batch are normalised by: of the batch itself when training.
struct Statistics {
  std::vector<float> mean, variance;
};

template <class T>
Statistics batch_statistics(const KernelCall& call, const ChannelColumns& columns) {
  Statistics found;
  // The unbiased variance goes to running averages, the plain one normalises.
  float *mean_out = call.output_tensor(1).data<float>(),
        *variance_out = call.output_tensor(2).data<float>();
  for (const Moments& m :
       channel_moments<T, float>(call, columns, call.input_tensor(0).data<T>())) {
    found.mean.push_back(static_cast<float>(m.mean));
    found.variance.push_back(static_cast<float>(m.count == 0 ? 0 : m.squares / m.count));
    *mean_out++ = m.count == 0 ? NAN : found.mean.back();
    *variance_out++ =
        m.count == 0 ? NAN : static_cast<float>(m.squares / std::max(1.0, m.count - 1));
  }
  return found;
}

Statistics given_statistics(const KernelCall& call) {
  const Statistics given{floats_of(call.input_tensor(3)), floats_of(call.input_tensor(4))};
  std::ranges::copy(given.mean, call.output_tensor(1).data<float>());
  std::ranges::copy(given.variance, call.output_tensor(2).data<float>());
  return given;
}

// The last loop, with what follows the normalisation.
NormalizeEpilogue last_loop(const KernelCall& call) {
  if (!call.node().attrs.contains("activation_mode")) return find_normalize_epilogue("Identity");
  const auto& mode = call.node().attr<std::string>("activation_mode");
  const NormalizeEpilogue found = find_normalize_epilogue(mode);
  require(found != nullptr, "Unsupported activation mode: ", mode, " is neither Identity nor Relu");
  return found;
}

template <class T>
void batch_norm(KernelCall& call) {
  const Tensor &x = call.input_tensor(0), &y = call.output_tensor(0);
  const ChannelColumns columns = columns_of(call, x);
  const NormalizeEpilogue loop = last_loop(call);
  require(call.input_count() <= 6, "at most one side input is added, not ", call.input_count() - 5);
  const T* side = call.input_count() == 6 ? call.input_tensor(5).data<T>() : nullptr;
  // What output 0 takes over is read before it is written.
  const std::vector<float> gain = floats_of(call.input_tensor(1));
  const Statistics statistics = call.node().attr<bool>("is_training")
                                    ? batch_statistics<T>(call, columns)
                                    : given_statistics(call);
  ChannelScale<float> scale(columns.channels());
  scale.offset = floats_of(call.input_tensor(2));
  scale.mean = statistics.mean;
  const float epsilon = call.node().attr<float>("epsilon");
  for (std::size_t c = 0; c < gain.size(); ++c)
    scale.slope[c] = gain[c] / std::sqrt(statistics.variance[c] + epsilon);
  std::ranges::copy(statistics.mean, call.output_tensor(3).data<float>());
  std::ranges::copy(statistics.variance, call.output_tensor(4).data<float>());
  if (call.output_count() == 6) *call.output_tensor(5).data<float>() = 0;
  const auto block = static_cast<std::size_t>(std::is_same_v<T, float> ? 0 : columns.block_size());
  for_scaled_blocks(call, columns, scale,
                    [&](std::int64_t at, std::size_t rows, std::size_t width,
                        const ColumnScale<float>& by, const ChannelColumns::Strip&) {
                      thread_local std::vector<float> wide, wide_side;
                      wide.resize(block);
                      wide_side.resize(side == nullptr ? 0 : block);
                      const std::size_t n = rows * width;
                      const float* from = widened(x.data<T>() + at, wide.data(), n);
                      const float* added =
                          side == nullptr ? nullptr : widened(side + at, wide_side.data(), n);
                      float* to = wide.data();
                      if constexpr (std::is_same_v<T, float>) to = y.data<T>() + at;
                      loop(to, from, by, added, rows, width);
                      narrow_into(y.data<T>() + at, to, n);
                    });
}

template <class T>
void batch_norm_grad(KernelCall& call) {
  const Tensor &dy = call.input_tensor(0), &x = call.input_tensor(1);
  const Tensor& dx = call.output_tensor(0);
  const ChannelColumns columns = columns_of(call, x);
  const bool training = call.node().attr<bool>("is_training");
  const float epsilon = call.node().attr<float>("epsilon");
  const std::vector<float> gain = floats_of(call.input_tensor(2)),
                           variance = floats_of(call.input_tensor(4));
  ChannelScale<float> scale(columns.channels());
  scale.mean = floats_of(call.input_tensor(3));
  const auto sums =
      channel_sums<T, float>(call, columns, dy.data<T>(), x.data<T>(), scale.mean.data());
  std::vector<float> tilt(gain.size());
  const double share = 1 / std::max(1.0, static_cast<double>(columns.per_channel()));
  for (std::size_t c = 0; c < gain.size(); ++c) {
    const float r = 1 / std::sqrt(variance[c] + epsilon);
    call.output<float>(1)[c] = static_cast<float>(sums[c].product) * r;
    call.output<float>(2)[c] = static_cast<float>(sums[c].sum);
    scale.slope[c] = gain[c] * r;
    if (!training) continue;
    scale.offset[c] = static_cast<float>(sums[c].sum * share);
    tilt[c] = static_cast<float>(sums[c].product * share) * r * r;
  }
  if (!training) {
    std::ranges::fill(scale.mean, 0.0F);
    return normalize_channels<T>(call, columns, scale, dy.data<T>(), dx.data<T>(),
                                 [](std::int64_t, float*, std::size_t) {});
  }
  const auto block = static_cast<std::size_t>(std::is_same_v<T, float> ? 0 : columns.block_size());
  for_scaled_blocks(call, columns, scale,
                    [&](std::int64_t at, std::size_t rows, std::size_t width,
                        const ColumnScale<float>& by, const ChannelColumns::Strip& strip) {
                      thread_local std::vector<float> wide_dy, wide_x, column_tilt;
                      wide_dy.resize(block);
                      wide_x.resize(block);
                      column_tilt.resize(static_cast<std::size_t>(columns.width()));
                      columns.spread(column_tilt.data(), tilt.data(), strip);
                      const std::size_t n = rows * width;
                      float* to = wide_dy.data();
                      if constexpr (std::is_same_v<T, float>) to = dx.data<T>() + at;
                      batch_norm_rows<float>().back(to,
                                                    widened(dy.data<T>() + at, wide_dy.data(), n),
                                                    widened(x.data<T>() + at, wide_x.data(), n), by,
                                                    column_tilt.data(), rows, width);
                      narrow_into(dx.data<T>() + at, to, n);
                    });
}

template <class T>
constexpr KernelEntry batch_norm_entry(const OpDecl* op, KernelFn run) {
  return {.op = op, .types = dtype_of<T>, .run = run};
}
template <class... T>
struct BatchNormEntries {
  KernelEntry all[5 * sizeof...(T)] = {
      batch_norm_entry<T>(&kFusedBatchNormV2, batch_norm<T>)...,
      batch_norm_entry<T>(&kFusedBatchNormV3, batch_norm<T>)...,
      batch_norm_entry<T>(&kFusedBatchNormEx, batch_norm<T>)...,
      batch_norm_entry<T>(&kFusedBatchNormGradV2, batch_norm_grad<T>)...,
      batch_norm_entry<T>(&kFusedBatchNormGradV3, batch_norm_grad<T>)...};
};
constexpr BatchNormEntries<float, half, bfloat16> kEntries;
constexpr KernelEntry kFirstEntries[] = {
    batch_norm_entry<float>(&kFusedBatchNorm, batch_norm<float>),
    batch_norm_entry<float>(&kFusedBatchNormGrad, batch_norm_grad<float>),
};

}  // namespace

extern const KernelTable kBatchNormCpu{kEntries.all};
extern const KernelTable kFirstBatchNormCpu{kFirstEntries};

}  // namespace rill
