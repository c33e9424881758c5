#define RILL_WIDE_LOOPS
#define HWY_TARGET_INCLUDE "rill/inspect/peak_loops.cpu.cc"
#include "rill/ops/simd/each_target.h"
// Vectors are wanted in every pass.
#include "hwy/highway.h"
#include "rill/inspect/peak_loops.h"

HWY_BEFORE_NAMESPACE();
namespace rill::inspect::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Twelve sums that do not wait for each other: more than the latency of two units hides.
template <class T>
double fmas(std::size_t rounds, T* keep) {
  const hn::ScalableTag<T> tag;
  const auto factor = hn::Set(tag, T(0.999)), more = hn::Set(tag, T(0.001));
  // All different: equal sums would be computed once.
  const auto start = [&](int n) { return hn::Set(tag, static_cast<T>(n)); };
  auto a = start(1), b = start(2), c = start(3), d = start(4), e = start(5), f = start(6);
  auto g = start(7), h = start(8), i = start(9), j = start(10), k = start(11), l = start(12);
  for (std::size_t round = 0; round < rounds; ++round) {
    a = hn::MulAdd(a, factor, more);
    b = hn::MulAdd(b, factor, more);
    c = hn::MulAdd(c, factor, more);
    d = hn::MulAdd(d, factor, more);
    e = hn::MulAdd(e, factor, more);
    f = hn::MulAdd(f, factor, more);
    g = hn::MulAdd(g, factor, more);
    h = hn::MulAdd(h, factor, more);
    i = hn::MulAdd(i, factor, more);
    j = hn::MulAdd(j, factor, more);
    k = hn::MulAdd(k, factor, more);
    l = hn::MulAdd(l, factor, more);
  }
  const auto sum = hn::Add(hn::Add(hn::Add(hn::Add(a, b), hn::Add(c, d)), hn::Add(e, f)),
                           hn::Add(hn::Add(hn::Add(g, h), hn::Add(i, j)), hn::Add(k, l)));
  *keep += hn::GetLane(sum);
  return 2.0 * 12.0 * static_cast<double>(rounds) * static_cast<double>(hn::Lanes(tag));
}

double float_fmas(std::size_t rounds, float* keep) { return fmas<float>(rounds, keep); }
double double_fmas(std::size_t rounds, double* keep) { return fmas<double>(rounds, keep); }

void add_arrays(const float* HWY_RESTRICT a, const float* HWY_RESTRICT b, float* HWY_RESTRICT sum,
                std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) sum[i] = a[i] + b[i];
}

}  // namespace rill::inspect::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill::inspect {

HWY_EXPORT(float_fmas);
HWY_EXPORT(double_fmas);
HWY_EXPORT(add_arrays);

double float_fmas(std::size_t rounds, float* keep) {
  return HWY_DYNAMIC_DISPATCH(float_fmas)(rounds, keep);
}
double double_fmas(std::size_t rounds, double* keep) {
  return HWY_DYNAMIC_DISPATCH(double_fmas)(rounds, keep);
}
void add_arrays(const float* a, const float* b, float* sum, std::size_t count) {
  HWY_DYNAMIC_DISPATCH(add_arrays)(a, b, sum, count);
}

}  // namespace rill::inspect
#endif
