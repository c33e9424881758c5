#include "rill/ops/array/values/index_values.h"
#include "rill/ops/nn/pool/pooling.h"

namespace rill {

extern const OpDecl kMaxPool, kMaxPoolV2, kMaxPoolGrad, kMaxPoolGradV2, kMaxPoolGradGrad,
    kMaxPoolGradGradV2, kMaxPoolWithArgmax, kMaxPoolGradWithArgmax, kMaxPool3D, kMaxPool3DGrad,
    kMaxPool3DGradGrad;

namespace {

template <class T>
void max_pool(const KernelCall& call, const Pool& pool) {
  const Tensor x = channels_behind(call, pool, call.input_tensor(0));
  const Tensor& out = call.output_tensor(0);
  const Tensor y = place_for(call, pool, out);
  const std::int64_t channels = pool.channels;
  [[maybe_unused]] const auto rows = rows_of<T>();
  const bool by_rows = goes_by_rows<T>();
  for_windows(call, pool, [&](std::int64_t n, std::int64_t place, const PoolWindow& window) {
    const T* image = x.data<T>() + n * pool.pixels * channels;
    T* to = y.data<T>() + (n * pool.places + place) * channels;
    if constexpr (kHasRows<T>)
      if (by_rows) return rows.largest(image, window, channels, to, channels);
    bool first = true;
    visit_pixels(window, [&](std::int64_t pixel) {
      const T* from = image + pixel * channels;
      if (std::exchange(first, false)) return void(std::copy_n(from, channels, to));
      for (std::int64_t c = 0; c < channels; ++c)
        to[c] = static_cast<Widened<T>>(from[c]) > static_cast<Widened<T>>(to[c]) ? from[c] : to[c];
    });
  });
  put_back(call, y, out);
}

// Where the first largest element of the window is, for each channel.
template <class T>
void find_window_max(const Pool& pool, const T* image, const PoolWindow& window,
                     std::vector<std::int64_t>& pixels) {
  bool first = true;
  visit_pixels(window, [&](std::int64_t pixel) {
    for (std::int64_t c = 0; c < pool.channels; ++c) {
      std::int64_t& best = pixels[static_cast<std::size_t>(c)];
      if (first || static_cast<Widened<T>>(image[pixel * pool.channels + c]) >
                       static_cast<Widened<T>>(image[best * pool.channels + c]))
        best = pixel;
    }
    first = false;
  });
}

// dx[largest] += dy, by rows. Windows that have no pixel in common write all of theirs.
template <class T>
void add_to_largest(const KernelCall& call, const Pool& pool, const T* x, const T* gradient,
                    T* out) {
  const auto rows = find_pool_rows<T>();
  const bool sets = pool.windows_are_apart(), clears = !(sets && pool.windows_cover_all());
  for_channels(call, pool, [&](std::int64_t n, std::int64_t channel, std::int64_t count) {
    const std::int64_t image = n * pool.pixels * pool.channels;
    if (clears) clear_channels(pool, out + image, channel, count);
    const T* dy = gradient + n * pool.places * pool.channels + channel;
    PoolWalk walk(pool, 0);
    for (std::int64_t place = 0; place < pool.places; ++place, dy += pool.channels, walk.next())
      rows.add_to_largest(x + image + channel, walk.window(), pool.channels, dy,
                          out + image + channel, count, sets);
  });
}

// dx[largest] += dy, or dy[window] = dx[largest] when `gathers`.
template <class T>
void max_pool_grad(const KernelCall& call, const Pool& pool, bool gathers) {
  const Tensor x = channels_behind(call, pool, call.input_tensor(0));
  const Tensor gradient = channels_behind(call, pool, call.input_tensor(2));
  const Tensor& out = call.output_tensor(0);
  const Tensor y = place_for(call, pool, out);
  const std::int64_t channels = pool.channels;
  if constexpr (kHasRows<T>) {
    if (!gathers && goes_by_rows<T>()) {
      add_to_largest(call, pool, x.data<T>(), gradient.data<T>(), y.data<T>());
      return put_back(call, y, out);
    }
  }
  for_images(call, pool, [&](std::int64_t n) {
    const T* image = x.data<T>() + n * pool.pixels * channels;
    std::vector<std::int64_t> largest(static_cast<std::size_t>(channels));
    std::vector<Widened<T>> sums(static_cast<std::size_t>(gathers ? 0 : pool.pixels * channels));
    PoolWalk walk(pool, 0);
    for (std::int64_t place = 0; place < pool.places; ++place, walk.next()) {
      find_window_max(pool, image, walk.window(), largest);
      const std::int64_t window = (n * pool.places + place) * channels;
      for (std::int64_t c = 0; c < channels; ++c) {
        const std::int64_t at = largest[static_cast<std::size_t>(c)] * channels + c;
        if (gathers)
          y.data<T>()[window + c] = gradient.data<T>()[n * pool.pixels * channels + at];
        else
          sums[static_cast<std::size_t>(at)] +=
              static_cast<Widened<T>>(gradient.data<T>()[window + c]);
      }
    }
    T* to = y.data<T>() + n * pool.pixels * channels;
    for (std::size_t i = 0; i < sums.size(); ++i) to[i] = static_cast<T>(sums[i]);
  });
  put_back(call, y, out);
}

// As max_pool_with_argmax(), by rows. `batch_size` is what indices of the next image are larger by.
template <class T, class Place>
void argmax_rows(const KernelCall& call, const Pool& pool, const T* x, T* y, Place* places,
                 std::int64_t batch_size) {
  const auto rows = find_pool_rows<T>();
  for_windows(call, pool, [&](std::int64_t n, std::int64_t place, const PoolWindow& window) {
    thread_local std::vector<PoolTap<T>> taps;
    thread_local std::vector<std::int64_t> offsets;
    taps.resize(static_cast<std::size_t>(pool.channels));
    offsets.clear();
    visit_pixels(window, [&](std::int64_t pixel) {
      offsets.push_back(n * batch_size + pixel * pool.channels);
    });
    const std::int64_t result = (n * pool.places + place) * pool.channels;
    rows.find_largest(x + n * pool.pixels * pool.channels, window, pool.channels, y + result,
                      taps.data(), pool.channels);
    const PoolTap<T>* tap = taps.data();
    const std::int64_t* offset = offsets.data();
    for (std::int64_t c = 0; c < pool.channels; ++c)
      places[result + c] = static_cast<Place>(offset[tap[c]] + c);
  });
}

template <class T>
void max_pool_with_argmax(KernelCall& call) {
  const Tensor& x = call.input_tensor(0);
  const Pool pool(call, x.shape());
  const bool with_batch = call.node().attr<bool>("include_batch_in_index");
  const Tensor &y = call.output_tensor(0), &places = call.output_tensor(1);
  require(places.dtype() == DType::i64 || x.element_count() <= INT32_MAX, "images of ",
          x.element_count(), " elements need Targmax int64");
  const std::int64_t size = pool.pixels * pool.channels;
  if constexpr (kHasRows<T>)
    if (goes_by_rows<T>()) {
      const auto run = [&]<class Place>(Place* to) {
        argmax_rows(call, pool, x.data<T>(), y.data<T>(), to, with_batch ? size : 0);
      };
      return places.dtype() == DType::i64 ? run(places.data<std::int64_t>())
                                          : run(places.data<std::int32_t>());
    }
  for_windows(call, pool, [&](std::int64_t n, std::int64_t place, const PoolWindow& window) {
    thread_local std::vector<std::int64_t> largest;
    largest.assign(static_cast<std::size_t>(pool.channels), 0);
    find_window_max(pool, x.data<T>() + n * size, window, largest);
    const std::int64_t result = (n * pool.places + place) * pool.channels;
    for (std::int64_t c = 0; c < pool.channels; ++c) {
      const std::int64_t at = largest[static_cast<std::size_t>(c)] * pool.channels + c;
      y.data<T>()[result + c] = x.data<T>()[n * size + at];
      set_int_at(places, result + c, with_batch ? n * size + at : at);
    }
  });
}

template <class T>
void max_pool_grad_with_argmax(KernelCall& call) {
  const Tensor &gradient = call.input_tensor(1), &places = call.input_tensor(2);
  const Tensor& out = call.output_tensor(0);
  require(out.rank() == 4 && gradient.rank() == 4, "input and gradient must have rank 4, but are ",
          out.shape(), " and ", gradient.shape());
  require(places.shape() == gradient.shape(), "argmax has shape ", places.shape(),
          ", the gradient ", gradient.shape());
  if (out.element_count() == 0) return;
  const bool with_batch = call.node().attr<bool>("include_batch_in_index");
  const std::int64_t size = out.element_count() / out.dim(0);
  const std::int64_t windows =
      gradient.element_count() / std::max<std::int64_t>(1, gradient.dim(0));
  std::vector<Widened<T>> sums(static_cast<std::size_t>(out.element_count()));
  for (std::int64_t i = 0; i < gradient.element_count(); ++i) {
    const std::int64_t at = int_at(places, i) + (with_batch ? 0 : i / windows * size);
    require(at >= 0 && at < out.element_count() && int_at(places, i) >= 0,
            "Invalid element index in argmax: ", int_at(places, i), " is not in [0, ",
            with_batch ? out.element_count() : size, ")");
    sums[static_cast<std::size_t>(at)] += static_cast<Widened<T>>(gradient.data<T>()[i]);
  }
  for (std::size_t i = 0; i < sums.size(); ++i) out.data<T>()[i] = static_cast<T>(sums[i]);
}

// Each result is the largest of `count` elements that lie side by side.
template <class T>
void max_of_channels(const KernelCall& call, std::int64_t count) {
  const T* x = call.input_tensor(0).data<T>();
  const auto less = [](T a, T b) {
    return static_cast<Widened<T>>(a) < static_cast<Widened<T>>(b);
  };
  for (T& y : call.output_tensor(0).flat<T>())
    y = *std::max_element(x, x + count, less), x += count;
}

template <class T>
void max_forward(KernelCall& call) {
  if (call.input_count() == 1)
    if (const std::int64_t channels =
            pooled_channels(call.node().attrs, call.input_tensor(0).shape());
        channels > 1)
      return max_of_channels<T>(call, channels);
  const int window_input = call.input_count() == 3 ? 1 : -1;
  max_pool<T>(call, Pool(call, call.input_tensor(0).shape(), window_input));
}
template <class T, bool gathers>
void max_backward(KernelCall& call) {
  const Pool pool(call, call.input_tensor(0).shape(), call.input_count() == 5 ? 3 : -1);
  const Tensor& windows = call.input_tensor(gathers ? 1 : 2);
  require(windows.element_count() == pool.batch * pool.places * pool.channels,
          "Expected gradients of ", pool.places, " windows, but got shape ", windows.shape());
  max_pool_grad<T>(call, pool, gathers);
}

// For ops whose first type is that of places.
template <class T>
constexpr KernelEntry place_entry(const OpDecl* op, KernelFn run) {
  return {.op = op, .run = run, .types2 = dtype_of<T>};
}

template <class... T>
struct MaxEntries {
  KernelEntry all[11 * sizeof...(T)] = {
      pool_entry<T>(&kMaxPool, max_forward<T>)...,
      pool_entry<T>(&kMaxPoolV2, max_forward<T>)...,
      pool_entry<T>(&kMaxPool3D, max_forward<T>)...,
      pool_entry<T>(&kMaxPoolGrad, max_backward<T, false>)...,
      pool_entry<T>(&kMaxPoolGradV2, max_backward<T, false>)...,
      pool_entry<T>(&kMaxPool3DGrad, max_backward<T, false>)...,
      pool_entry<T>(&kMaxPoolGradGrad, max_backward<T, true>)...,
      pool_entry<T>(&kMaxPoolGradGradV2, max_backward<T, true>)...,
      pool_entry<T>(&kMaxPool3DGradGrad, max_backward<T, true>)...,
      place_entry<T>(&kMaxPoolWithArgmax, max_pool_with_argmax<T>)...,
      place_entry<T>(&kMaxPoolGradWithArgmax, max_pool_grad_with_argmax<T>)...};
};
constexpr MaxEntries<float, double, half, bfloat16, std::int8_t, std::int16_t, std::int32_t,
                     std::int64_t, std::uint8_t, std::uint16_t>
    kMaxEntries;

}  // namespace

extern const KernelTable kMaxPoolCpu{kMaxEntries.all};

}  // namespace rill
