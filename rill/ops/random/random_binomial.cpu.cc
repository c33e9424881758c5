#include <algorithm>
#include <cmath>
#include <limits>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/random/draws.h"
#include "rill/ops/random/fill.h"
#include "rill/ops/random/generator_state.h"
#include "rill/ops/random/samples.h"
#include "rill/tensor/strided.h"

namespace rill {

extern const OpDecl kStatefulRandomBinomial;

namespace {

constexpr std::uint64_t kFewStride = 42;  // blocks from one sample to the next

// Adds up waiting times until the next success while they fit into `count` trials.
double draw_binomial_geometric(double count, double probability, Philox stream) {
  UniformDraws uniform;
  double trials = 0, successes = 0;
  for (;;) {
    trials += std::ceil(std::log(uniform.next(stream)) / std::log1p(-probability));
    if (!(trials <= count)) return successes;
    ++successes;
  }
}

// What Stirling's formula for log(k!) leaves out.
double stirling_rest(double k) {
  constexpr double kRests[] = {0.0810614667953272,  0.0413406959554092, 0.0276779256849983,
                               0.02079067210376509, 0.0166446911898211, 0.0138761288230707,
                               0.0118967099458917,  0.0104112652619720, 0.00925546218271273,
                               0.00833056343336287};
  if (k <= 9) return kRests[static_cast<std::size_t>(std::max(k, 0.0))];
  const double square = (k + 1) * (k + 1);
  return (1.0 / 12 - (1.0 / 360 - 1.0 / 1260 / square) / square) / (k + 1);
}

// Hoermann, "The generation of binomial random variates" (1993), algorithm BTRS.
double draw_binomial_btrs(double count, double probability, Philox stream) {
  UniformDraws uniform;
  const double deviation = std::sqrt(count * probability * (1 - probability));
  const double b = 1.15 + 2.53 * deviation;
  const double a = -0.0873 + 0.0248 * b + 0.01 * probability;
  const double c = count * probability + 0.5;
  const double quick = 0.92 - 4.2 / b;
  const double odds = probability / (1 - probability);
  const double alpha = (2.83 + 5.1 / b) * deviation;
  const double mode = std::floor((count + 1) * probability);
  for (;;) {
    const double u = uniform.next(stream) - 0.5;
    const double v = uniform.next(stream);
    const double us = 0.5 - std::abs(u);
    const double k = std::floor((2 * a / us + b) * u + c);
    if (us >= 0.07 && v <= quick) return k;
    if (k < 0 || k > count) continue;
    const double height = std::log(v * alpha / (a / (us * us) + b));
    const double limit = (mode + 0.5) * std::log((mode + 1) / (odds * (count - mode + 1))) +
                         (count + 1) * std::log((count - mode + 1) / (count - k + 1)) +
                         (k + 0.5) * std::log(odds * (count - k + 1) / (k + 1)) +
                         stirling_rest(mode) + stirling_rest(count - mode) - stirling_rest(k) -
                         stirling_rest(count - k);
    if (height <= limit) return k;
  }
}

// x as the parameters' own type has it: it decides which sampler is taken.
double rounded_to(DType dtype, double x) {
  if (dtype == DType::f32) return static_cast<float>(x);
  if (dtype == DType::f16) return static_cast<float>(half(static_cast<float>(x)));
  return x;
}

double draw(DType dtype, double count, double probability, const Philox& stream,
            std::size_t value) {
  if (count <= 0 || probability <= 0) return 0;
  if (probability >= 1) return count;
  if (std::isnan(probability)) return probability;
  const bool flipped = probability > 0.5;
  const double p = flipped ? 1 - probability : probability;
  const double successes =
      rounded_to(dtype, count * p) >= 10
          ? draw_binomial_btrs(count, p, stream_of_value(stream, value))
          : draw_binomial_geometric(count, p, stream_of_value(stream, value, kFewStride));
  return flipped ? count - successes : successes;
}

// The elements of `t` where its shape is stretched to `shape`.
std::vector<double> stretched(const Tensor& t, const Shape& shape) {
  const std::vector<double> source = as_doubles(t);
  std::vector<double> result(static_cast<std::size_t>(shape.element_count()));
  const RowLoop loop({dense_view(result.data(), shape, sizeof(double)),
                      broadcast_view(source.data(), t.shape(), shape, sizeof(double))});
  const std::int64_t step = loop.step(1) / static_cast<std::int64_t>(sizeof(double));
  loop.run(0, loop.piece_count(), [step](std::byte* const* at, std::size_t n) {
    auto* const dst = reinterpret_cast<double*>(at[0]);
    const auto* const src = reinterpret_cast<const double*>(at[1]);
    for (std::size_t i = 0; i < n; ++i) dst[i] = src[static_cast<std::int64_t>(i) * step];
  });
  return result;
}

// The last dimensions of the output are those of counts and probs together.
Shape parameter_shape(const KernelCall& call) {
  const Shape& out = call.output_tensor(0).shape();
  const Shape shape = broadcast(call.input_tensor(3).shape(), call.input_tensor(4).shape());
  const int extra = out.rank() - shape.rank();
  bool fits = extra >= 0;
  for (int i = 0; fits && i < shape.rank(); ++i) fits = shape.dim(i) == out.dim(extra + i);
  require(fits, "Shape passed in must end with broadcasted shape.");
  return shape;
}

// Each distribution takes 50 values for every sample, four samples at least.
std::uint64_t reserved_blocks(const Tensor& out, std::size_t parameter_count) {
  if (parameter_count == 0) return 0;
  const auto samples = static_cast<std::uint64_t>(out.element_count()) / parameter_count;
  return parameter_count * 200 * (samples + 3) / 4 * kBlocksPerValue;
}

void random_binomial(KernelCall& call) {
  check_algorithm(call, 1);
  const Shape shape = parameter_shape(call);
  const std::vector<double> counts = stretched(call.input_tensor(3), shape);
  const std::vector<double> probabilities = stretched(call.input_tensor(4), shape);
  for (const double count : counts) require(std::isfinite(count), "counts must be finite");
  const Tensor& out = call.output_tensor(0);
  const Philox stream = reserve_from_state(call, reserved_blocks(out, counts.size()));
  fill_samples(
      call, counts.size(), 100,
      [&](std::size_t i, std::size_t value) {
        return draw(call.node().input_type(3), counts[i], probabilities[i], stream, value);
      },
      out);
}

constexpr TypeSet kFloats = DType::f16 | DType::f32 | TypeSet(DType::f64);
constexpr KernelEntry kEntries[] = {
    {.op = &kStatefulRandomBinomial, .run = random_binomial, .types2 = kFloats},
};

}  // namespace

extern const KernelTable kRandomBinomialCpu{kEntries};

}  // namespace rill
