#pragma once

#include <algorithm>
#include <span>
#include <type_traits>

#include "rill/kernel/fast_paths.h"
#include "rill/kernel/kernel_registry.h"
#include "rill/ops/nn/channels/channels.h"
#include "rill/ops/nn/pool/pool_rows.h"
#include "rill/ops/nn/pool/pool_shape.h"
#include "rill/tensor/narrow_float.h"

namespace rill {

// What the kernels of pooling have in common.

template <class T>
inline constexpr bool kHasRows = std::is_same_v<T, float> || std::is_same_v<T, double>;

template <class T>
bool goes_by_rows() {
  return kHasRows<T> && takes(FastPath::kPoolRows);
}

// Windows over images with their channels last, whatever the tensors' layout is.
struct Pool {
  Pool(const KernelCall& call, const Shape& images, int window_input = -1)
      : windows(*call.node().op, call.node().attrs, images,
                window_input < 0 ? nullptr : &call.input_tensor(window_input),
                window_input < 0 ? nullptr : &call.input_tensor(window_input + 1)),
        turns(!windows.layout.channels_last),
        batch(images.dim(0)),
        channels(images.dim(windows.layout.channel_dim())) {
    windows.require_in_space(call.node().op->name);
    for (const WindowDim& dim : windows.dims) {
      pixels *= dim.in;
      places *= dim.out;
    }
  }

  // Whether every pixel is in at most one window, and in exactly one.
  bool windows_are_apart() const {
    return std::ranges::all_of(windows.dims, [](const WindowDim& d) { return d.stride >= d.size; });
  }
  bool windows_cover_all() const {
    return std::ranges::all_of(windows.dims, [](const WindowDim& d) {
      return d.stride <= d.size && d.before >= 0 && d.start(d.out - 1) + d.size >= d.in;
    });
  }

  PoolWindows windows;
  bool turns;
  std::int64_t batch, channels, pixels = 1, places = 1;
};

// The windows of an image one after the other, without a division for each.
class PoolWalk {
 public:
  PoolWalk(const Pool& pool, std::int64_t place) : dims_(pool.windows.dims) {
    std::int64_t size = 1;
    for (std::size_t d = dims_.size(); d-- > 0;) {
      const std::int64_t places = std::max<std::int64_t>(1, dims_[d].out);  // none in empty images
      place_[d] = place % places;
      place /= places;
      window_.step[d + 3 - dims_.size()] = size;
      move(d);
      size *= dims_[d].in;
    }
  }

  const PoolWindow& window() const { return window_; }

  // To the next place; from the last one to the first.
  void next() {
    for (std::size_t d = dims_.size(); d-- > 0;) {
      const bool wraps = ++place_[d] == dims_[d].out;
      if (wraps) place_[d] = 0;
      move(d);
      if (!wraps) return;
    }
  }

 private:
  void move(std::size_t d) {
    const WindowDim& dim = dims_[d];
    const std::size_t at = d + 3 - dims_.size();
    const std::int64_t start = dim.start(place_[d]), begin = std::max<std::int64_t>(0, start);
    window_.first += (begin - begin_[d]) * window_.step[at];
    window_.count[at] = std::min(dim.in, start + dim.size) - begin;
    begin_[d] = begin;
  }

  std::span<const WindowDim> dims_;
  PoolWindow window_{0, {1, 1, 1}, {0, 0, 0}};
  std::int64_t place_[3] = {}, begin_[3] = {};
};

// Calls visit(pixel) for the pixels of a window, in the order of memory.
template <class Visit>
void visit_pixels(const PoolWindow& w, Visit visit) {
  for (std::int64_t a = 0; a < w.count[0]; ++a)
    for (std::int64_t b = 0; b < w.count[1]; ++b)
      for (std::int64_t c = 0; c < w.count[2]; ++c)
        visit(w.first + a * w.step[0] + b * w.step[1] + c * w.step[2]);
}

inline std::int64_t pixel_count(const PoolWindow& w) {
  return w.count[0] * w.count[1] * w.count[2];
}

inline Tensor channels_behind(const KernelCall& call, const Pool& pool, const Tensor& x) {
  if (!pool.turns) return x;
  const Tensor turned(x.dtype(), channels_last(x.shape()),
                      call.device().allocator(MemoryKind::host));
  turn_channels(call, x, turned, true);
  return turned;
}
inline Tensor place_for(const KernelCall& call, const Pool& pool, const Tensor& out) {
  if (!pool.turns) return out;
  return Tensor(out.dtype(), channels_last(out.shape()), call.device().allocator(MemoryKind::host));
}
inline void put_back(const KernelCall& call, const Tensor& computed, const Tensor& out) {
  if (!computed.shares_storage(out)) turn_channels(call, computed, out, false);
}

// Calls body(image, place, window) for every window, on several threads; or body(image) for all of
// an image on one, where windows write to what others write to.
template <class Body>
void for_windows(const KernelCall& call, const Pool& pool, Body body) {
  if (pool.channels == 0 || pool.places == 0) return;
  std::int64_t taps = 1;
  for (const WindowDim& dim : pool.windows.dims) taps *= std::min(dim.size, dim.in);
  call.parallel_for(static_cast<std::size_t>(pool.batch * pool.places),
                    0.3 * static_cast<double>(taps * pool.channels),
                    [&](std::size_t begin, std::size_t end) {
                      const auto first = static_cast<std::int64_t>(begin);
                      std::int64_t n = first / pool.places, place = first % pool.places;
                      PoolWalk walk(pool, place);
                      for (std::size_t i = begin; i < end; ++i, walk.next()) {
                        body(n, place, walk.window());
                        if (++place == pool.places) place = 0, ++n;
                      }
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

// The rows of T, or nothing.
template <class T>
auto rows_of() {
  if constexpr (kHasRows<T>)
    return find_pool_rows<T>();
  else
    return nullptr;
}

// Calls body(image, first channel, count) for blocks of channels, on several threads: windows write
// to what others write to, but never across channels.
template <class Body>
void for_channels(const KernelCall& call, const Pool& pool, Body body) {
  constexpr std::int64_t kMinChannels = 16, kPieces = 8;
  if (pool.channels == 0) return;
  const std::int64_t blocks =
      std::clamp<std::int64_t>(kPieces / std::max<std::int64_t>(1, pool.batch), 1,
                               std::max<std::int64_t>(1, pool.channels / kMinChannels));
  const double cost = static_cast<double>(pool.places * pool.channels / blocks) * 2;
  call.parallel_for(
      static_cast<std::size_t>(pool.batch * blocks), cost, [&](std::size_t begin, std::size_t end) {
        for (auto i = static_cast<std::int64_t>(begin); i < static_cast<std::int64_t>(end); ++i) {
          const std::int64_t block = i % blocks, first = pool.channels * block / blocks;
          body(i / blocks, first, pool.channels * (block + 1) / blocks - first);
        }
      });
}

// Clears channels [first, first + count) of an image.
template <class T>
void clear_channels(const Pool& pool, T* image, std::int64_t first, std::int64_t count) {
  if (count == pool.channels) return void(std::fill_n(image, pool.pixels * count, T{0}));
  for (std::int64_t pixel = 0; pixel < pool.pixels; ++pixel)
    std::fill_n(image + pixel * pool.channels + first, count, T{0});
}

template <class T>
constexpr KernelEntry pool_entry(const OpDecl* op, KernelFn run) {
  return {.op = op, .types = dtype_of<T>, .run = run};
}
}  // namespace rill
