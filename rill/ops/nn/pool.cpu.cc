#include <algorithm>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/array/index_values.h"
#include "rill/ops/nn/channels.h"
#include "rill/ops/nn/pool_shape.h"

namespace rill {

extern const OpDecl kMaxPool, kMaxPoolV2, kMaxPoolGrad, kMaxPoolGradV2, kMaxPoolGradGrad,
    kMaxPoolGradGradV2, kMaxPoolWithArgmax, kMaxPoolGradWithArgmax, kAvgPool, kAvgPoolGrad,
    kMaxPool3D, kMaxPool3DGrad, kMaxPool3DGradGrad, kAvgPool3D, kAvgPool3DGrad;

namespace {

// Half types are computed with as floats.
template <class T>
using Wide = std::conditional_t<std::is_same_v<T, half> || std::is_same_v<T, bfloat16>, float, T>;

// Windows over images with their channels last, whatever the tensors' layout is.
struct Pool {
  Pool(const KernelCall& call, const Shape& images, int window_input = -1)
      : windows(*call.node().op, call.node().attrs, images,
                window_input < 0 ? nullptr : &call.input_tensor(window_input),
                window_input < 0 ? nullptr : &call.input_tensor(window_input + 1)),
        turns(!windows.layout.channels_last),
        batch(images.dim(0)),
        channels(images.dim(windows.layout.channel_dim())) {
    for (const WindowDim& dim : windows.dims) {
      pixels *= dim.in;
      places *= dim.out;
    }
  }

  // Calls visit(pixel) for the pixels of the window at `place`, in the order of memory.
  template <class Visit>
  void visit(std::int64_t place, Visit visit) const {
    std::int64_t begin[3] = {0, 0, 0}, end[3] = {1, 1, 1}, step[3] = {0, 0, 0};
    const auto& dims = windows.dims;
    std::int64_t size = 1;
    for (std::size_t d = dims.size(); d-- > 0; place /= dims[d].out) {
      const std::size_t at = d + 3 - dims.size();
      const std::int64_t start = place % dims[d].out * dims[d].stride - dims[d].before;
      begin[at] = std::max<std::int64_t>(0, start);
      end[at] = std::min(dims[d].in, start + dims[d].size);
      step[at] = size;
      size *= dims[d].in;
    }
    for (std::int64_t a = begin[0]; a < end[0]; ++a)
      for (std::int64_t b = begin[1]; b < end[1]; ++b)
        for (std::int64_t c = begin[2]; c < end[2]; ++c)
          visit(a * step[0] + b * step[1] + c * step[2]);
  }

  // How many pixels the window at `place` covers.
  std::int64_t covered(std::int64_t place) const {
    std::int64_t count = 0;
    visit(place, [&](std::int64_t) { ++count; });
    return count;
  }

  PoolWindows windows;
  bool turns;
  std::int64_t batch, channels, pixels = 1, places = 1;
};

Tensor channels_behind(const KernelCall& call, const Pool& pool, const Tensor& x) {
  if (!pool.turns) return x;
  const Tensor turned(x.dtype(), channels_last(x.shape()),
                      call.device().allocator(MemoryKind::host));
  turn_channels(call, x, turned, true);
  return turned;
}
Tensor place_for(const KernelCall& call, const Pool& pool, const Tensor& out) {
  if (!pool.turns) return out;
  return Tensor(out.dtype(), channels_last(out.shape()), call.device().allocator(MemoryKind::host));
}
void put_back(const KernelCall& call, const Tensor& computed, const Tensor& out) {
  if (!computed.shares_storage(out)) turn_channels(call, computed, out, false);
}

// Calls body(image, place) for every window, on several threads; or all of an image on one, where
// windows write to what others write to.
template <class Body>
void for_windows(const KernelCall& call, const Pool& pool, Body body) {
  if (pool.channels == 0) return;
  std::int64_t taps = 1;
  for (const WindowDim& dim : pool.windows.dims) taps *= std::min(dim.size, dim.in);
  call.parallel_for(
      static_cast<std::size_t>(pool.batch * pool.places),
      0.3 * static_cast<double>(taps * pool.channels), [&](std::size_t begin, std::size_t end) {
        for (auto i = static_cast<std::int64_t>(begin); i < static_cast<std::int64_t>(end); ++i)
          body(i / pool.places, i % pool.places);
      });
}
template <class Body>
void for_images(const KernelCall& call, const Pool& pool, Body body) {
  if (pool.channels == 0) return;
  call.parallel_for(
      static_cast<std::size_t>(pool.batch), static_cast<double>(pool.places * pool.channels) * 2,
      [&](std::size_t begin, std::size_t end) {
        for (auto n = static_cast<std::int64_t>(begin); n < static_cast<std::int64_t>(end); ++n)
          body(n);
      });
}

template <class T>
void max_pool(const KernelCall& call, const Pool& pool) {
  const Tensor x = channels_behind(call, pool, call.input_tensor(0));
  const Tensor& out = call.output_tensor(0);
  const Tensor y = place_for(call, pool, out);
  const std::int64_t channels = pool.channels;
  for_windows(call, pool, [&](std::int64_t n, std::int64_t place) {
    const T* image = x.data<T>() + n * pool.pixels * channels;
    T* to = y.data<T>() + (n * pool.places + place) * channels;
    bool first = true;
    pool.visit(place, [&](std::int64_t pixel) {
      const T* from = image + pixel * channels;
      if (std::exchange(first, false)) {
        std::copy_n(from, channels, to);
      } else {
        for (std::int64_t c = 0; c < channels; ++c)
          to[c] = static_cast<Wide<T>>(from[c]) > static_cast<Wide<T>>(to[c]) ? from[c] : to[c];
      }
    });
  });
  put_back(call, y, out);
}

// Where the first largest element of the window is, for each channel.
template <class T>
void find_largest(const Pool& pool, const T* image, std::int64_t place,
                  std::vector<std::int64_t>& pixels) {
  bool first = true;
  pool.visit(place, [&](std::int64_t pixel) {
    for (std::int64_t c = 0; c < pool.channels; ++c) {
      std::int64_t& best = pixels[static_cast<std::size_t>(c)];
      if (first || static_cast<Wide<T>>(image[pixel * pool.channels + c]) >
                       static_cast<Wide<T>>(image[best * pool.channels + c]))
        best = pixel;
    }
    first = false;
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
  for_images(call, pool, [&](std::int64_t n) {
    const T* image = x.data<T>() + n * pool.pixels * channels;
    std::vector<std::int64_t> largest(static_cast<std::size_t>(channels));
    std::vector<Wide<T>> sums(static_cast<std::size_t>(gathers ? 0 : pool.pixels * channels));
    for (std::int64_t place = 0; place < pool.places; ++place) {
      find_largest(pool, image, place, largest);
      const std::int64_t window = (n * pool.places + place) * channels;
      for (std::int64_t c = 0; c < channels; ++c) {
        const std::int64_t at = largest[static_cast<std::size_t>(c)] * channels + c;
        if (gathers)
          y.data<T>()[window + c] = gradient.data<T>()[n * pool.pixels * channels + at];
        else
          sums[static_cast<std::size_t>(at)] +=
              static_cast<Wide<T>>(gradient.data<T>()[window + c]);
      }
    }
    T* to = y.data<T>() + n * pool.pixels * channels;
    for (std::size_t i = 0; i < sums.size(); ++i) to[i] = static_cast<T>(sums[i]);
  });
  put_back(call, y, out);
}

template <class T>
void avg_pool(KernelCall& call) {
  const Pool pool(call, call.input_tensor(0).shape());
  const Tensor x = channels_behind(call, pool, call.input_tensor(0));
  const Tensor& out = call.output_tensor(0);
  const Tensor y = place_for(call, pool, out);
  const std::int64_t channels = pool.channels;
  for_windows(call, pool, [&](std::int64_t n, std::int64_t place) {
    thread_local std::vector<Wide<T>> sums;
    sums.assign(static_cast<std::size_t>(channels), 0);
    std::int64_t count = 0;
    pool.visit(place, [&](std::int64_t pixel) {
      const T* from = x.data<T>() + (n * pool.pixels + pixel) * channels;
      for (std::int64_t c = 0; c < channels; ++c)
        sums[static_cast<std::size_t>(c)] += static_cast<Wide<T>>(from[c]);
      ++count;
    });
    T* to = y.data<T>() + (n * pool.places + place) * channels;
    for (std::int64_t c = 0; c < channels; ++c)
      to[c] = static_cast<T>(sums[static_cast<std::size_t>(c)] / static_cast<Wide<T>>(count));
  });
  put_back(call, y, out);
}

template <class T>
void avg_pool_grad(KernelCall& call) {
  const Tensor& out = call.output_tensor(0);
  const Pool pool(call, out.shape());
  const Tensor gradient = channels_behind(call, pool, call.input_tensor(1));
  const Tensor y = place_for(call, pool, out);
  const std::int64_t channels = pool.channels;
  for_images(call, pool, [&](std::int64_t n) {
    std::vector<Wide<T>> sums(static_cast<std::size_t>(pool.pixels * channels));
    for (std::int64_t place = 0; place < pool.places; ++place) {
      const auto share = Wide<T>{1} / static_cast<Wide<T>>(pool.covered(place));
      const T* from = gradient.data<T>() + (n * pool.places + place) * channels;
      pool.visit(place, [&](std::int64_t pixel) {
        Wide<T>* to = sums.data() + pixel * channels;
        for (std::int64_t c = 0; c < channels; ++c) to[c] += static_cast<Wide<T>>(from[c]) * share;
      });
    }
    T* to = y.data<T>() + n * pool.pixels * channels;
    for (std::size_t i = 0; i < sums.size(); ++i) to[i] = static_cast<T>(sums[i]);
  });
  put_back(call, y, out);
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
  for_windows(call, pool, [&](std::int64_t n, std::int64_t place) {
    thread_local std::vector<std::int64_t> largest;
    largest.assign(static_cast<std::size_t>(pool.channels), 0);
    find_largest(pool, x.data<T>() + n * size, place, largest);
    const std::int64_t window = (n * pool.places + place) * pool.channels;
    for (std::int64_t c = 0; c < pool.channels; ++c) {
      const std::int64_t at = largest[static_cast<std::size_t>(c)] * pool.channels + c;
      y.data<T>()[window + c] = x.data<T>()[n * size + at];
      set_int_at(places, window + c, with_batch ? n * size + at : at);
    }
  });
}

template <class T>
void max_pool_grad_with_argmax(KernelCall& call) {
  const Tensor &gradient = call.input_tensor(1), &places = call.input_tensor(2);
  const Tensor& out = call.output_tensor(0);
  if (out.element_count() == 0) return;
  const bool with_batch = call.node().attr<bool>("include_batch_in_index");
  const std::int64_t size = out.element_count() / out.dim(0);
  const std::int64_t windows =
      gradient.element_count() / std::max<std::int64_t>(1, gradient.dim(0));
  std::vector<Wide<T>> sums(static_cast<std::size_t>(out.element_count()));
  for (std::int64_t i = 0; i < gradient.element_count(); ++i) {
    const std::int64_t at = int_at(places, i) + (with_batch ? 0 : i / windows * size);
    require(at >= 0 && at < out.element_count() && int_at(places, i) >= 0,
            "Invalid element index in argmax: ", int_at(places, i), " is not in [0, ",
            with_batch ? out.element_count() : size, ")");
    sums[static_cast<std::size_t>(at)] += static_cast<Wide<T>>(gradient.data<T>()[i]);
  }
  for (std::size_t i = 0; i < sums.size(); ++i) out.data<T>()[i] = static_cast<T>(sums[i]);
}

template <class T>
void max_forward(KernelCall& call) {
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

template <class T>
constexpr KernelEntry entry(const OpDecl* op, KernelFn run) {
  return {.op = op, .types = dtype_of<T>, .run = run};
}
// For ops whose first type is that of places.
template <class T>
constexpr KernelEntry place_entry(const OpDecl* op, KernelFn run) {
  return {.op = op, .run = run, .types2 = dtype_of<T>};
}

template <class... T>
struct MaxEntries {
  KernelEntry all[11 * sizeof...(T)] = {
      entry<T>(&kMaxPool, max_forward<T>)...,
      entry<T>(&kMaxPoolV2, max_forward<T>)...,
      entry<T>(&kMaxPool3D, max_forward<T>)...,
      entry<T>(&kMaxPoolGrad, max_backward<T, false>)...,
      entry<T>(&kMaxPoolGradV2, max_backward<T, false>)...,
      entry<T>(&kMaxPool3DGrad, max_backward<T, false>)...,
      entry<T>(&kMaxPoolGradGrad, max_backward<T, true>)...,
      entry<T>(&kMaxPoolGradGradV2, max_backward<T, true>)...,
      entry<T>(&kMaxPool3DGradGrad, max_backward<T, true>)...,
      place_entry<T>(&kMaxPoolWithArgmax, max_pool_with_argmax<T>)...,
      place_entry<T>(&kMaxPoolGradWithArgmax, max_pool_grad_with_argmax<T>)...};
};
template <class... T>
struct AvgEntries {
  KernelEntry all[4 * sizeof...(T)] = {
      entry<T>(&kAvgPool, avg_pool<T>)..., entry<T>(&kAvgPool3D, avg_pool<T>)...,
      entry<T>(&kAvgPoolGrad, avg_pool_grad<T>)..., entry<T>(&kAvgPool3DGrad, avg_pool_grad<T>)...};
};
constexpr MaxEntries<float, double, half, bfloat16, std::int8_t, std::int16_t, std::int32_t,
                     std::int64_t, std::uint8_t, std::uint16_t>
    kMaxEntries;
constexpr AvgEntries<float, double, half, bfloat16> kAvgEntries;

}  // namespace

extern const KernelTable kMaxPoolCpu{kMaxEntries.all};
extern const KernelTable kAvgPoolCpu{kAvgEntries.all};

}  // namespace rill
