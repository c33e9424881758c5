#include "rill/ops/nn/pool/pooling.h"

namespace rill {

extern const OpDecl kAvgPool, kAvgPoolGrad, kAvgPool3D, kAvgPool3DGrad;

namespace {

// Averages by rows, without scratch.
template <class T>
void average_rows(const KernelCall& call, const Pool& pool, const T* x, T* y) {
  const auto rows = find_pool_rows<T>();
  for_windows(call, pool, [&](std::int64_t n, std::int64_t place, const PoolWindow& window) {
    rows.average(x + n * pool.pixels * pool.channels, window, pool.channels,
                 y + (n * pool.places + place) * pool.channels, pool.channels);
  });
}

template <class T>
void avg_pool(KernelCall& call) {
  const Pool pool(call, call.input_tensor(0).shape());
  const Tensor x = channels_behind(call, pool, call.input_tensor(0));
  const Tensor& out = call.output_tensor(0);
  const Tensor y = place_for(call, pool, out);
  const std::int64_t channels = pool.channels;
  if constexpr (kHasRows<T>)
    if (goes_by_rows<T>()) {
      average_rows(call, pool, x.data<T>(), y.data<T>());
      return put_back(call, y, out);
    }
  for_windows(call, pool, [&](std::int64_t n, std::int64_t place, const PoolWindow& window) {
    thread_local std::vector<Widened<T>> sums;
    sums.assign(static_cast<std::size_t>(channels), 0);
    visit_pixels(window, [&](std::int64_t pixel) {
      const T* from = x.data<T>() + (n * pool.pixels + pixel) * channels;
      for (std::int64_t c = 0; c < channels; ++c)
        sums[static_cast<std::size_t>(c)] += static_cast<Widened<T>>(from[c]);
    });
    const auto count = static_cast<Widened<T>>(pixel_count(window));
    T* to = y.data<T>() + (n * pool.places + place) * channels;
    for (std::int64_t c = 0; c < channels; ++c)
      to[c] = static_cast<T>(sums[static_cast<std::size_t>(c)] / count);
  });
  put_back(call, y, out);
}

template <class T>
void spread_rows(const KernelCall& call, const Pool& pool, const T* gradient, T* out) {
  const auto rows = find_pool_rows<T>();
  for_channels(call, pool, [&](std::int64_t n, std::int64_t channel, std::int64_t count) {
    T* to = out + n * pool.pixels * pool.channels;
    clear_channels(pool, to, channel, count);
    PoolWalk walk(pool, 0);
    for (std::int64_t place = 0; place < pool.places; ++place, walk.next()) {
      const auto share = T{1} / static_cast<T>(pixel_count(walk.window()));
      const T* from = gradient + (n * pool.places + place) * pool.channels + channel;
      rows.add_scaled(from, share, walk.window(), pool.channels, to + channel, count);
    }
  });
}

template <class T>
void avg_pool_grad(KernelCall& call) {
  const Tensor& out = call.output_tensor(0);
  const Pool pool(call, out.shape());
  const Tensor gradient = channels_behind(call, pool, call.input_tensor(1));
  const Tensor y = place_for(call, pool, out);
  const std::int64_t channels = pool.channels;
  if constexpr (kHasRows<T>)
    if (goes_by_rows<T>()) {
      spread_rows(call, pool, gradient.data<T>(), y.data<T>());
      return put_back(call, y, out);
    }
  for_images(call, pool, [&](std::int64_t n) {
    std::vector<Widened<T>> sums(static_cast<std::size_t>(pool.pixels * channels));
    PoolWalk walk(pool, 0);
    for (std::int64_t place = 0; place < pool.places; ++place, walk.next()) {
      const auto share = Widened<T>{1} / static_cast<Widened<T>>(pixel_count(walk.window()));
      const T* from = gradient.data<T>() + (n * pool.places + place) * channels;
      visit_pixels(walk.window(), [&](std::int64_t pixel) {
        Widened<T>* to = sums.data() + pixel * channels;
        for (std::int64_t c = 0; c < channels; ++c)
          to[c] += static_cast<Widened<T>>(from[c]) * share;
      });
    }
    T* to = y.data<T>() + n * pool.pixels * channels;
    for (std::size_t i = 0; i < sums.size(); ++i) to[i] = static_cast<T>(sums[i]);
  });
  put_back(call, y, out);
}

template <class... T>
struct AvgEntries {
  KernelEntry all[4 * sizeof...(T)] = {pool_entry<T>(&kAvgPool, avg_pool<T>)...,
                                       pool_entry<T>(&kAvgPool3D, avg_pool<T>)...,
                                       pool_entry<T>(&kAvgPoolGrad, avg_pool_grad<T>)...,
                                       pool_entry<T>(&kAvgPool3DGrad, avg_pool_grad<T>)...};
};
constexpr AvgEntries<float, double, half, bfloat16> kAvgEntries;

}  // namespace

extern const KernelTable kAvgPoolCpu{kAvgEntries.all};

}  // namespace rill
