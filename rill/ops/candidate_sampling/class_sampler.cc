#include "rill/ops/candidate_sampling/class_sampler.h"

#include <cmath>

namespace rill {
namespace {

class UniformSampler final : public ClassSampler {
 public:
  using ClassSampler::ClassSampler;
  std::int64_t draw(WordDraws& words) const override {
    return static_cast<std::int64_t>(words.below(static_cast<std::uint64_t>(range())));
  }
  float probability(std::int64_t) const override {
    return static_cast<float>(1.0 / static_cast<double>(range()));
  }
};

// Zipf's law, roughly: for classes that are sorted by falling frequency.
class LogUniformSampler final : public ClassSampler {
 public:
  explicit LogUniformSampler(std::int64_t range)
      : ClassSampler(range), log_range_(std::log1p(static_cast<double>(range))) {}
  std::int64_t draw(WordDraws& words) const override {
    // Rounding may give range itself, which becomes 0.
    return (static_cast<std::int64_t>(std::exp(words.uniform() * log_range_)) - 1) % range();
  }
  float probability(std::int64_t value) const override {
    const auto x = static_cast<double>(value);
    return static_cast<float>(std::log((x + 2) / (x + 1)) / log_range_);
  }

 private:
  const double log_range_;
};

}  // namespace

std::unique_ptr<ClassSampler> make_uniform_sampler(const KernelNode& node) {
  return std::make_unique<UniformSampler>(node.attr<std::int64_t>("range_max"));
}

std::unique_ptr<ClassSampler> make_log_uniform_sampler(const KernelNode& node) {
  return std::make_unique<LogUniformSampler>(node.attr<std::int64_t>("range_max"));
}

}  // namespace rill
