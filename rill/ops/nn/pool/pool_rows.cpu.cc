#include "rill/ops/nn/pool/pool_rows.h"

#include <cstring>

#define HWY_TARGET_INCLUDE "rill/ops/nn/pool/pool_rows.cpu.cc"
#define RILL_WIDE_LOOPS 1
#include "rill/ops/simd/each_target.h"

HWY_BEFORE_NAMESPACE();
#include "rill/ops/simd/wide_vectors.h"
namespace rill::HWY_NAMESPACE {
namespace {

#if HWY_TARGET == HWY_AVX3
constexpr int kPoolBytes = 64;
#elif HWY_TARGET == HWY_AVX2
constexpr int kPoolBytes = 32;
#else
constexpr int kPoolBytes = 16;
#endif

// `count` vectors of consecutive channels, or (none) one channel. Explicit, so that what a window
// finds stays in registers.
template <class T, int count>
struct PoolVectors {
  typedef T Vector __attribute__((vector_size(kPoolBytes)));
  typedef decltype(Vector{} > Vector{}) Index;
  static constexpr int kLanes = kPoolBytes / static_cast<int>(sizeof(T));
  static constexpr int kChannels = count * kLanes;
  static constexpr int kCount = count;
  static Vector load(const T* from, int i) {
    Vector x;
    std::memcpy(&x, from + i * kLanes, sizeof x);
    return x;
  }
  // What leaves any number added to it as it is, negative zeros included.
  static Vector zero_of_sums() { return -Vector{}; }
  static void store(Vector x, T* to, int i) { std::memcpy(to + i * kLanes, &x, sizeof x); }
};
template <class T>
struct PoolVectors<T, 0> {
  using Vector = T;
  using Index = PoolTap<T>;
  static constexpr int kChannels = 1, kCount = 1;
  static T load(const T* from, int) { return *from; }
  static T zero_of_sums() { return -T(0); }
  static void store(T x, T* to, int) { *to = x; }
};

// Calls body(vectors, first channel) until all channels are done.
template <class T, class Body>
inline void pool_over_channels(std::int64_t n, Body body) {
  std::int64_t c = 0;
  const auto run = [&]<int count>(PoolVectors<T, count> vectors) {
    for (; c + vectors.kChannels <= n; c += vectors.kChannels) body(vectors, c);
  };
  run(PoolVectors<T, 4>{});
  run(PoolVectors<T, 2>{});
  run(PoolVectors<T, 1>{});
  run(PoolVectors<T, 0>{});
}

// Windows of the usual widths have no loop across.
template <int width, class Visit>
inline void pool_over_lines(const PoolWindow& w, std::int64_t channels, Visit visit) {
  const std::int64_t across = w.step[2] * channels;
  for (std::int64_t a = 0; a < w.count[0]; ++a)
    for (std::int64_t b = 0; b < w.count[1]; ++b) {
      std::int64_t at = (w.first + a * w.step[0] + b * w.step[1]) * channels;
      if constexpr (width > 0) {
#pragma GCC unroll 4
        for (int c = 0; c < width; ++c) visit(at + c * across);
      } else {
        for (std::int64_t c = 0; c < w.count[2]; ++c, at += across) visit(at);
      }
    }
}
template <class Visit>
inline void pool_over_pixels(const PoolWindow& w, std::int64_t channels, Visit visit) {
  switch (w.count[2]) {
    case 2:
      return pool_over_lines<2>(w, channels, visit);
    case 3:
      return pool_over_lines<3>(w, channels, visit);
    default:
      return pool_over_lines<0>(w, channels, visit);
  }
}

template <class T>
void pool_largest(const T* x, const PoolWindow& window, std::int64_t channels, T* best,
                  std::int64_t n) {
  pool_over_channels<T>(n, [&](auto vectors, std::int64_t channel) {
    using V = decltype(vectors);
    typename V::Vector found[V::kCount];
    const T* const from = x + channel;
    for (int i = 0; i < V::kCount; ++i) found[i] = V::load(from + window.first * channels, i);
    pool_over_pixels(window, channels, [&](std::int64_t at) {
      for (int i = 0; i < V::kCount; ++i) {
        const auto here = V::load(from + at, i);
        found[i] = here > found[i] ? here : found[i];
      }
    });
    for (int i = 0; i < V::kCount; ++i) V::store(found[i], best + channel, i);
  });
}

// The largest of a window, and the numbers of their pixels; `place` holds zeros before.
template <class V, class T>
inline void pool_find(const T* from, const PoolWindow& window, std::int64_t channels,
                      typename V::Vector* found, typename V::Index* place) {
  for (int i = 0; i < V::kCount; ++i) found[i] = V::load(from + window.first * channels, i);
  typename V::Index tap{};
  pool_over_pixels(window, channels, [&](std::int64_t at) {
    for (int i = 0; i < V::kCount; ++i) {
      const auto here = V::load(from + at, i);
      const auto larger = here > found[i];
      found[i] = larger ? here : found[i];
      place[i] = larger ? tap : place[i];
    }
    tap += 1;
  });
}

template <class T>
void pool_find_largest(const T* x, const PoolWindow& window, std::int64_t channels, T* best,
                       PoolTap<T>* tap, std::int64_t n) {
  pool_over_channels<T>(n, [&](auto vectors, std::int64_t channel) {
    using V = decltype(vectors);
    typename V::Vector found[V::kCount];
    typename V::Index place[V::kCount] = {};
    pool_find<V>(x + channel, window, channels, found, place);
    for (int i = 0; i < V::kCount; ++i) V::store(found[i], best + channel, i);
    std::memcpy(tap + channel, place, sizeof place);
  });
}

template <class T>
void pool_add_to_largest(const T* x, const PoolWindow& window, std::int64_t channels, const T* dy,
                         T* dx, std::int64_t n, bool sets) {
  pool_over_channels<T>(n, [&](auto vectors, std::int64_t channel) {
    using V = decltype(vectors);
    typename V::Vector found[V::kCount];
    typename V::Index place[V::kCount] = {}, tap{};
    T* const to = dx + channel;
    pool_find<V>(x + channel, window, channels, found, place);
    typename V::Vector given[V::kCount];
    for (int i = 0; i < V::kCount; ++i) given[i] = V::load(dy + channel, i);
    pool_over_pixels(window, channels, [&](std::int64_t at) {
      for (int i = 0; i < V::kCount; ++i) {
        const auto part = place[i] == tap ? given[i] : typename V::Vector{};
        V::store(sets ? part : V::load(to + at, i) + part, to + at, i);
      }
      tap += 1;
    });
  });
}

template <class T>
void pool_average(const T* x, const PoolWindow& window, std::int64_t channels, T* mean,
                  std::int64_t n) {
  const T count = static_cast<T>(window.count[0] * window.count[1] * window.count[2]);
  pool_over_channels<T>(n, [&](auto vectors, std::int64_t channel) {
    using V = decltype(vectors);
    typename V::Vector sum[V::kCount];
    const T* const from = x + channel;
    for (int i = 0; i < V::kCount; ++i) sum[i] = V::zero_of_sums();
    pool_over_pixels(window, channels, [&](std::int64_t at) {
      for (int i = 0; i < V::kCount; ++i) sum[i] += V::load(from + at, i);
    });
    for (int i = 0; i < V::kCount; ++i) V::store(sum[i] / count, mean + channel, i);
  });
}

template <class T>
void pool_add_scaled(const T* x, T factor, const PoolWindow& window, std::int64_t channels, T* sums,
                     std::int64_t n) {
  pool_over_channels<T>(n, [&](auto vectors, std::int64_t channel) {
    using V = decltype(vectors);
    typename V::Vector part[V::kCount];
    T* const to = sums + channel;
    for (int i = 0; i < V::kCount; ++i) part[i] = V::load(x + channel, i) * factor;
    pool_over_pixels(window, channels, [&](std::int64_t at) {
      for (int i = 0; i < V::kCount; ++i) V::store(V::load(to + at, i) + part[i], to + at, i);
    });
  });
}

}  // namespace

PoolRows<float> float_pool_rows() {
  return {pool_largest, pool_find_largest, pool_add_to_largest, pool_average, pool_add_scaled};
}
PoolRows<double> double_pool_rows() {
  return {pool_largest, pool_find_largest, pool_add_to_largest, pool_average, pool_add_scaled};
}

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {

HWY_EXPORT(float_pool_rows);
HWY_EXPORT(double_pool_rows);

template <>
PoolRows<float> find_pool_rows() {
  return HWY_DYNAMIC_DISPATCH(float_pool_rows)();
}
template <>
PoolRows<double> find_pool_rows() {
  return HWY_DYNAMIC_DISPATCH(double_pool_rows)();
}

}  // namespace rill
#endif
