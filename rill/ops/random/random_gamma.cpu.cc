#include <cmath>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/random/draws.h"
#include "rill/ops/random/fill.h"
#include "rill/ops/random/samples.h"
#include "rill/ops/random/stream.h"

namespace rill {

extern const OpDecl kRandomGamma;

namespace {

// Marsaglia and Tsang, "A simple method for generating gamma variables" (2000). Below 1 a sample of
// alpha + 1 is scaled down.
class GammaSampler {
 public:
  explicit GammaSampler(double alpha)
      : alpha_(alpha), boosted_(alpha < 1), d_(alpha + (boosted_ ? 2.0 / 3 : -1.0 / 3)) {
    c_ = 1.0 / 3 / std::sqrt(d_);
  }

  double draw(Philox stream) const {
    UniformDraws uniform;
    if (alpha_ == 1) return -std::log1p(-uniform.next(stream));
    NormalDraws normal;
    for (;;) {
      const double x = normal.next(stream);
      double v = 1 + c_ * x;
      if (v <= 0) continue;  // NaN, of a bad alpha, goes on and comes out
      v = v * v * v;
      const double u = uniform.next(stream);
      const bool is_taken = u < 1 - 0.0331 * (x * x) * (x * x) ||
                            std::log(u) < 0.5 * x * x + d_ * (1 - v + std::log(v));
      if (!is_taken) continue;
      const double sample = d_ * v;
      return boosted_ ? sample * std::pow(uniform.next(stream), 1 / alpha_) : sample;
    }
  }

 private:
  double alpha_;
  bool boosted_;
  double d_, c_;
};

void random_gamma(KernelCall& call) {
  std::vector<GammaSampler> samplers;
  for (const double alpha : as_doubles(call.input_tensor(1))) samplers.emplace_back(alpha);
  const Tensor& out = call.output_tensor(0);
  const auto blocks = static_cast<std::uint64_t>(out.element_count()) * kBlocksPerValue;
  const Philox stream = call.state<NodeStream>().reserve(blocks);
  fill_samples(
      call, samplers.size(), 80,
      [&](std::size_t i, std::size_t value) {
        return samplers[i].draw(stream_of_value(stream, value));
      },
      out);
}

constexpr KernelEntry kEntries[] = {
    {.op = &kRandomGamma, .run = random_gamma, .make_state = NodeStream::make},
};

}  // namespace

extern const KernelTable kRandomGammaCpu{kEntries};

}  // namespace rill
