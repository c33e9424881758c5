#include <math.h>

#include <cmath>
#include <limits>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/random/draws.h"
#include "rill/ops/random/fill.h"
#include "rill/ops/random/samples.h"
#include "rill/ops/random/stream.h"

namespace rill {

extern const OpDecl kRandomPoisson, kRandomPoissonV2;

namespace {

// The largest number that samples of a type may have.
double largest_sample(DType dtype) {
  switch (dtype) {
    case DType::f16:
      return 65504;
    case DType::f32:
      return std::numeric_limits<float>::max();
    case DType::i32:
      return std::numeric_limits<std::int32_t>::max();
    case DType::i64:
      return static_cast<double>(std::numeric_limits<std::int64_t>::max());
    default:
      return std::numeric_limits<double>::max();
  }
}

// Knuth: how many factors below 1 it takes to fall below exp(-rate).
double draw_poisson_knuth(double rate, double largest, Philox stream) {
  UniformDraws uniform;
  const double limit = std::exp(-rate);
  double product = 1, count = 0;
  for (;;) {
    product *= uniform.next(stream);
    if (product <= limit && count <= largest) return count;
    ++count;
  }
}

// Hoermann, "The transformed rejection method for generating Poisson random variables" (1993),
// algorithm PTRS.
double draw_poisson_ptrs(double rate, double largest, Philox stream) {
  UniformDraws uniform;
  const double log_rate = std::log(rate);
  const double b = 0.931 + 2.53 * std::sqrt(rate);
  const double a = -0.059 + 0.02483 * b;
  const double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4);
  int sign = 0;  // plain lgamma writes it to a global
  for (;;) {
    const double u = uniform.next(stream) - 0.5;
    const double v = uniform.next(stream);
    const double us = 0.5 - std::abs(u);
    const double k = std::floor((2 * a / us + b) * u + rate + 0.43);
    if (k > largest) continue;
    if (us >= 0.07 && v <= 0.9277 - 3.6224 / (b - 2)) return k;
    if (k < 0 || (us < 0.013 && v > us)) continue;
    const double s = std::log(v * inverse_alpha / (a / (us * us) + b));
    const double t = -rate + k * log_rate - ::lgamma_r(k + 1, &sign);
    if (s <= t) return k;
  }
}

// With a rate like this hardly any sample would fit the type, or none be found at all.
void check_rate(double rate, double largest, DType dtype) {
  require(std::isfinite(rate), "Poisson rates must be finite, not ", rate);
  require(rate < 10 || rate - largest < 4 * std::sqrt(rate), "samples of rate ", rate,
          " do not fit type ", dtype);
}

void random_poisson(KernelCall& call) {
  const std::vector<double> rates = as_doubles(call.input_tensor(1));
  const Tensor& out = call.output_tensor(0);
  const double largest = largest_sample(out.dtype());
  for (const double rate : rates) check_rate(rate, largest, out.dtype());
  const auto blocks = static_cast<std::uint64_t>(out.element_count()) * kBlocksPerValue;
  const Philox stream = call.state<NodeStream>().reserve(blocks);
  fill_samples(
      call, rates.size(), 100,
      [&](std::size_t i, std::size_t value) {
        const Philox own = stream_of_value(stream, value);
        return rates[i] < 10 ? draw_poisson_knuth(rates[i], largest, own)
                             : draw_poisson_ptrs(rates[i], largest, own);
      },
      out);
}

constexpr KernelEntry kEntries[] = {
    {.op = &kRandomPoisson, .run = random_poisson, .make_state = NodeStream::make},
    {.op = &kRandomPoissonV2, .run = random_poisson, .make_state = NodeStream::make},
};

}  // namespace

extern const KernelTable kRandomPoissonCpu{kEntries};

}  // namespace rill
