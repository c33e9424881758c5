#include <algorithm>
#include <cmath>
#include <mutex>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/random/draws.h"

namespace rill {

extern const OpDecl kNegTrain;

namespace {

constexpr std::int64_t kMaxSamples = 1'000'000;  // per pair: a bound for the time of a step

// Draws words, each as often as its count to the power of 0.75 says.
class NegativeSampler final : public KernelState {
 public:
  explicit NegativeSampler(const KernelNode& node)
      : samples_(node.attr<std::int64_t>("num_negative_samples")) {
    require(samples_ <= kMaxSamples, "num_negative_samples must be at most ", kMaxSamples, ", got ",
            samples_);
    double sum = 0;
    for (const std::int64_t count : node.attr<std::vector<std::int64_t>>("vocab_count")) {
      require(count >= 0, "vocab_count must not be negative, got ", count);
      sum += std::pow(static_cast<double>(count), 0.75);
      sums_.push_back(sum);
    }
    require(samples_ <= 0 || sums_.empty() || sum > 0, "vocab_count holds nothing but zeros");
  }
  static std::unique_ptr<KernelState> make(const KernelNode& node) {
    return std::make_unique<NegativeSampler>(node);
  }

  std::mutex& mutex() { return mutex_; }
  std::int64_t vocabulary_size() const { return static_cast<std::int64_t>(sums_.size()); }
  std::int64_t samples() const { return samples_; }
  std::int64_t draw() {  // under the mutex
    const double at = draws_.next(stream_) * sums_.back();
    return std::ranges::upper_bound(sums_, at) - sums_.begin();
  }

 private:
  const std::int64_t samples_;
  std::vector<double> sums_;  // of the weights up to each word's
  std::mutex mutex_;
  Philox stream_{entropy_bits(), entropy_bits()};
  UniformDraws draws_;
};

// Eight sums side by side, because the compiler may not reorder one.
float dot(const float* a, const float* b, std::size_t n) {
  float sums[8] = {};
  std::size_t i = 0;
  for (; i + 8 <= n; i += 8)
    for (std::size_t k = 0; k < 8; ++k) sums[k] += a[i + k] * b[i + k];
  for (; i < n; ++i) sums[0] += a[i] * b[i];
  return ((sums[0] + sums[4]) + (sums[1] + sums[5])) + ((sums[2] + sums[6]) + (sums[3] + sums[7]));
}

float logistic(float x) { return 1 / (1 + std::exp(-x)); }

struct Vectors {
  float *in, *out;
  std::size_t width;
  float rate;

  // Moves word `other` towards (target 1) or away from (target 0) the vector `in_row`, and gathers
  // in `change` what that vector itself is to move by.
  void approach(const float* in_row, std::int64_t other, float target, float* change) const {
    float* out_row = out + static_cast<std::size_t>(other) * width;
    const float step = rate * (target - logistic(dot(in_row, out_row, width)));
    for (std::size_t i = 0; i < width; ++i) {
      change[i] += step * out_row[i];
      out_row[i] += step * in_row[i];
    }
  }
};

void check_words(const char* what, std::span<const std::int32_t> words, std::int64_t bound) {
  for (const std::int32_t word : words)
    require(word >= 0 && word < bound, what, " holds ", word, ", which is not in [0, ", bound, ")");
}

void check(const KernelCall& call, const Tensor& in, const Tensor& out, std::int64_t vocabulary) {
  const Tensor &examples = call.input_tensor(2), &labels = call.input_tensor(3);
  require(in.dtype() == DType::f32 && out.dtype() == DType::f32, "w_in and w_out must be float");
  require(in.rank() == 2, "Must be a matrix: w_in of shape ", in.shape());
  require(in.shape() == out.shape(), "w_in.shape == w_out.shape does not hold: ", in.shape(),
          " and ", out.shape());
  require(examples.rank() == 1, "Must be a vector: examples of shape ", examples.shape());
  require(examples.shape() == labels.shape(),
          "examples.shape == labels.shape does not hold: ", examples.shape(), " and ",
          labels.shape());
  require(call.input_tensor(4).rank() == 0, "Must be a scalar: lr of shape ",
          call.input_tensor(4).shape());
  require(in.dim(0) == vocabulary, "vocab_size mismatches: ", in.dim(0), " vs. ", vocabulary);
  check_words("examples", call.input<std::int32_t>(2), vocabulary);
  check_words("labels", call.input<std::int32_t>(3), vocabulary);
}

void train(const KernelCall& call, const Tensor& in, const Tensor& out) {
  auto& sampler = call.state<NegativeSampler>();
  check(call, in, out, sampler.vocabulary_size());
  const auto examples = call.input<std::int32_t>(2), labels = call.input<std::int32_t>(3);
  const auto width = static_cast<std::size_t>(in.dim(1));
  const Vectors vectors{in.data<float>(), out.data<float>(), width, call.input<float>(4)[0]};
  const Cancellation* cancellation = call.step().cancellation;
  std::vector<float> change(width);
  const std::lock_guard lock(sampler.mutex());
  for (std::size_t i = 0; i < examples.size(); ++i) {
    if (cancellation != nullptr && cancellation->cancelled())
      raise(Code::kCancelled, "NegTrain was cancelled after ", i, " pairs");
    float* in_row = vectors.in + static_cast<std::size_t>(examples[i]) * width;
    std::ranges::fill(change, 0.0F);
    vectors.approach(in_row, labels[i], 1, change.data());
    for (std::int64_t k = 0; k < sampler.samples(); ++k)
      if (const std::int64_t word = sampler.draw(); word != labels[i])
        vectors.approach(in_row, word, 0, change.data());
    for (std::size_t k = 0; k < width; ++k) in_row[k] += change[k];
  }
}

// Locks the variables in the order of their addresses, so that two steps cannot wait for each
// other.
void neg_train(KernelCall& call) {
  const auto in = call.ref_input(0), out = call.ref_input(1);
  require(in != out, "w_in and w_out are the same variable, '", in->name(), "'");
  const bool in_first = std::less<>()(in.get(), out.get());
  (in_first ? in : out)->update([&](Tensor& first) {
    (in_first ? out : in)->update([&](Tensor& second) {
      train(call, in_first ? first : second, in_first ? second : first);
    });
  });
}

constexpr KernelEntry kEntries[] = {
    {.op = &kNegTrain, .run = neg_train, .make_state = NegativeSampler::make, .allocates = true},
};

}  // namespace

extern const KernelTable kNegTrainCpu{kEntries};

}  // namespace rill
