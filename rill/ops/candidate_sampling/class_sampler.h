#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "rill/kernel/kernel_node.h"
#include "rill/ops/candidate_sampling/word_draws.h"

namespace rill {

// Draws classes from [0, range) with some distribution. Callers take turns.
class ClassSampler {
 public:
  explicit ClassSampler(std::int64_t range) : range_(range) {}
  virtual ~ClassSampler() = default;

  std::int64_t range() const { return range_; }
  // How many different classes can be drawn at all.
  virtual std::int64_t reachable_count() const { return range_; }
  virtual std::int64_t draw(WordDraws& words) const = 0;
  virtual float probability(std::int64_t value) const = 0;
  // Takes notice of classes of [0, range) that were seen.
  virtual void learn(std::span<const std::int64_t> /*seen*/) {}

 private:
  const std::int64_t range_;
};

// From the attributes of the op's node; throw InvalidArgument for those that do not fit.
std::unique_ptr<ClassSampler> make_uniform_sampler(const KernelNode& node);
std::unique_ptr<ClassSampler> make_log_uniform_sampler(const KernelNode& node);
std::unique_ptr<ClassSampler> make_learned_sampler(const KernelNode& node);
std::unique_ptr<ClassSampler> make_fixed_sampler(const KernelNode& node);  // may read a file

}  // namespace rill
