#include "rill/ops/nn/pool_rows.h"

#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "rill/ops/nn/pool_rows.cpu.cc"
#include "rill/ops/simd/each_target.h"

HWY_BEFORE_NAMESPACE();
namespace rill::HWY_NAMESPACE {
namespace {

#if HWY_TARGET == HWY_AVX2
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
  static void store(Vector x, T* to, int i) { std::memcpy(to + i * kLanes, &x, sizeof x); }
};
template <class T>
struct PoolVectors<T, 0> {
  using Vector = T;
  using Index = std::int64_t;
  static constexpr int kChannels = 1, kCount = 1;
  static T load(const T* from, int) { return *from; }
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
  run(PoolVectors<T, 1>{});
  run(PoolVectors<T, 0>{});
}

template <class Visit>
inline void pool_over_pixels(const PoolWindow& w, std::int64_t channels, Visit visit) {
  for (std::int64_t a = 0; a < w.count[0]; ++a)
    for (std::int64_t b = 0; b < w.count[1]; ++b) {
      std::int64_t at = (w.first + a * w.step[0] + b * w.step[1]) * channels;
      for (std::int64_t c = 0; c < w.count[2]; ++c, at += w.step[2] * channels) visit(at);
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

template <class T>
void pool_add_to_largest(const T* x, const PoolWindow& window, std::int64_t channels, const T* dy,
                         T* dx, std::int64_t n, bool sets) {
  pool_over_channels<T>(n, [&](auto vectors, std::int64_t channel) {
    using V = decltype(vectors);
    typename V::Vector found[V::kCount];
    typename V::Index place[V::kCount] = {};
    const T* const from = x + channel;
    T* const to = dx + channel;
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
    typename V::Vector given[V::kCount];
    for (int i = 0; i < V::kCount; ++i) given[i] = V::load(dy + channel, i);
    tap = typename V::Index{};
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
void pool_add(const T* x, T* sum, std::int64_t n) {
#pragma GCC ivdep
  for (std::int64_t i = 0; i < n; ++i) sum[i] += x[i];
}

template <class T>
void pool_add_scaled(const T* x, T factor, T* sum, std::int64_t n) {
#pragma GCC ivdep
  for (std::int64_t i = 0; i < n; ++i) sum[i] += x[i] * factor;
}

template <class T>
void pool_divide(T count, T* sum, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) sum[i] /= count;
}

}  // namespace

PoolRows<float> float_pool_rows() {
  return {pool_largest, pool_add_to_largest, pool_add, pool_add_scaled, pool_divide};
}
PoolRows<double> double_pool_rows() {
  return {pool_largest, pool_add_to_largest, pool_add, pool_add_scaled, pool_divide};
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
