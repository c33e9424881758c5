#include <algorithm>
#include <cmath>
#include <limits>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/random/fill.h"
#include "rill/ops/random/philox_rows.h"
#include "rill/ops/random/stream.h"
#include "rill/tensor/narrow_float.h"

namespace rill {

extern const OpDecl kMultinomial, kStatelessMultinomial;

namespace {

// The largest finite logit; two vectors at a time, because each waits for the one before.
template <class T>
double largest_of(std::span<const T> logits) {
  using Wide = Widened<T>;
  using Vector [[gnu::vector_size(16)]] = Wide;
  constexpr std::size_t kWidth = 16 / sizeof(Wide);
  constexpr Wide kMax = std::numeric_limits<Wide>::max();
  const Vector most = kMax - Vector{};
  Vector largest[2] = {-most, -most};
  std::size_t i = 0;
  for (; i + 2 * kWidth <= logits.size(); i += 2 * kWidth)
    for (std::size_t k = 0; k < 2; ++k) {
      Vector x;
      for (std::size_t lane = 0; lane < kWidth; ++lane)
        x[lane] = widened(logits[i + k * kWidth + lane]);
      const Vector finite = x <= most ? x : -most;  // infinity below is never the largest
      largest[k] = finite > largest[k] ? finite : largest[k];
    }
  Wide result = -kMax;
  for (std::size_t k = 0; k < 2; ++k)
    for (std::size_t lane = 0; lane < kWidth; ++lane)
      result = std::max<Wide>(result, largest[k][lane]);
  for (; i < logits.size(); ++i)
    if (const Wide x = widened(logits[i]); x <= kMax) result = std::max(result, x);
  return static_cast<double>(result);
}

// Running sums of exp(logit - the largest logit); logits that are not finite add nothing.
template <class T>
void accumulate_weights(std::span<const T> logits, std::span<double> sums) {
  const double largest = largest_of(logits);
  double sum = 0;
  for (std::size_t i = 0; i < logits.size(); ++i) {
    const auto x = static_cast<double>(widened(logits[i]));
    if (std::isfinite(x)) sum += std::exp(x - largest);
    sums[i] = sum;
  }
}

// Doubles number `first`, `first` + 1, ... of a stream, two to a block.
class UniformDoubles {
 public:
  UniformDoubles(Philox stream, std::uint64_t first) : stream_(stream), left_(2 - first % 2) {
    stream_.skip(first / 2);
    draw();
  }
  double next() {
    if (left_ == 0) {
      draw();
      left_ = 2;
    }
    return drawn_[2 - left_--];
  }

 private:
  void draw() {
    const Philox::Block words = stream_.next();
    drawn_[0] = uniform_double(words[0], words[1]);
    drawn_[1] = uniform_double(words[2], words[3]);
  }
  Philox stream_;
  std::uint64_t left_;
  double drawn_[2];
};

template <class T, class Index>
void sample_rows(const KernelCall& call, const Philox& stream) {
  const Tensor& logits = call.input_tensor(0);
  const auto out = call.output<Index>(0);
  const auto rows = static_cast<std::size_t>(logits.dim(0));
  const auto classes = static_cast<std::size_t>(logits.dim(1));
  const std::size_t samples = rows == 0 ? 0 : out.size() / rows;
  const double cost = 10.0 * static_cast<double>(classes) + 15.0 * static_cast<double>(samples);
  call.parallel_for(rows, cost, [&](std::size_t begin, std::size_t end) {
    std::vector<double> sums(classes);
    UniformDoubles uniform(stream, begin * samples);
    for (std::size_t row = begin; row < end; ++row) {
      accumulate_weights<T>(call.input<T>(0).subspan(row * classes, classes), sums);
      for (Index& sample : out.subspan(row * samples, samples)) {
        const auto at = std::upper_bound(sums.begin(), sums.end(), uniform.next() * sums.back());
        sample = static_cast<Index>(at - sums.begin());
      }
    }
  });
}

template <class T>
void sample(const KernelCall& call, const Philox& stream) {
  if (call.node().output_type(0) == DType::i32) return sample_rows<T, std::int32_t>(call, stream);
  sample_rows<T, std::int64_t>(call, stream);
}

// Without rows or samples there is nothing to draw, and nothing to draw from either.
bool is_needed(const KernelCall& call) {
  const auto classes = call.input_tensor(0).dim(1);
  if (call.output_tensor(0).element_count() == 0) return false;
  require(classes > 0, "num_classes should be positive, got ", classes);
  return true;
}

template <class T>
void multinomial(KernelCall& call) {
  if (!is_needed(call)) return;
  const Tensor& out = call.output_tensor(0);
  const auto rows = static_cast<std::uint64_t>(out.dim(0));
  const auto samples = static_cast<std::uint64_t>(out.dim(1) + 3) / 4 * 4;
  sample<T>(call, call.state<NodeStream>().reserve(rows * samples * 2 * kBlocksPerValue));
}

template <class T>
void stateless_multinomial(KernelCall& call) {
  if (is_needed(call)) sample<T>(call, stateless_stream(call.input_tensor(2)));
}

constexpr KernelEntry kEntries[] = {
    {.op = &kMultinomial,
     .types = DType::f16,
     .run = multinomial<half>,
     .make_state = NodeStream::make},
    {.op = &kMultinomial,
     .types = DType::bf16,
     .run = multinomial<bfloat16>,
     .make_state = NodeStream::make},
    {.op = &kMultinomial,
     .types = DType::f32,
     .run = multinomial<float>,
     .make_state = NodeStream::make},
    {.op = &kMultinomial,
     .types = DType::f64,
     .run = multinomial<double>,
     .make_state = NodeStream::make},
    {.op = &kStatelessMultinomial, .types = DType::f16, .run = stateless_multinomial<half>},
    {.op = &kStatelessMultinomial, .types = DType::bf16, .run = stateless_multinomial<bfloat16>},
    {.op = &kStatelessMultinomial, .types = DType::f32, .run = stateless_multinomial<float>},
    {.op = &kStatelessMultinomial, .types = DType::f64, .run = stateless_multinomial<double>},
};

}  // namespace

extern const KernelTable kMultinomialCpu{kEntries};

}  // namespace rill
