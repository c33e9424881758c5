#include <bit>
#include <cstdlib>
#include <limits>
#include <new>

#include "rill/base/error.h"
#include "rill/ops/candidate_sampling/class_sampler.h"

namespace rill {
namespace {

constexpr std::int64_t kMaxWeight = std::numeric_limits<std::int32_t>::max();

// Each class weighs one more than the times it was seen. The counts are kept as a Fenwick tree:
// node i holds how often the classes of (i - lowest bit of i, i] were seen.
class LearnedSampler final : public ClassSampler {
 public:
  explicit LearnedSampler(std::int64_t range)
      : ClassSampler(range), total_(range), seen_(allocate(range)) {}

  std::int64_t draw(WordDraws& words) const override {
    return class_at(words.below(static_cast<std::uint32_t>(total_)));
  }
  float probability(std::int64_t value) const override {
    return static_cast<float>(weight(value)) / static_cast<float>(total_);
  }
  void learn(std::span<const std::int64_t> seen) override {
    for (const std::int64_t value : seen) {
      if (total_ == kMaxWeight) return;
      for (std::int64_t i = value + 1; i <= range(); i += i & -i) ++seen_[i];
      ++total_;
    }
  }

 private:
  struct Free {
    void operator()(std::uint32_t* counts) const { std::free(counts); }
  };
  using Counts = std::unique_ptr<std::uint32_t[], Free>;

  // Zeros from the system cost nothing until they are counted up, however large the range.
  static Counts allocate(std::int64_t range) {
    require(range <= kMaxWeight, "range_max must be at most ", kMaxWeight, ", got ", range);
    Counts counts(static_cast<std::uint32_t*>(
        std::calloc(static_cast<std::size_t>(range) + 1, sizeof(std::uint32_t))));
    if (!counts) throw std::bad_alloc();
    return counts;
  }

  // The class that owns ticket number `ticket` when each has as many as it weighs.
  std::int64_t class_at(std::int64_t ticket) const {
    std::int64_t value = 0;
    for (auto step = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(range())));
         step > 0; step /= 2) {
      if (value + step > range()) continue;
      const std::int64_t tickets = step + seen_[value + step];
      if (ticket < tickets) continue;
      ticket -= tickets;
      value += step;
    }
    return value;
  }

  std::int64_t weight(std::int64_t value) const {
    std::int64_t count = seen_[value + 1];
    const std::int64_t end = (value + 1) - ((value + 1) & -(value + 1));
    for (std::int64_t i = value; i > end; i -= i & -i) count -= seen_[i];
    return count + 1;
  }

  std::int64_t total_;
  Counts seen_;
};

}  // namespace

std::unique_ptr<ClassSampler> make_learned_sampler(const KernelNode& node) {
  return std::make_unique<LearnedSampler>(node.attr<std::int64_t>("range_max"));
}

}  // namespace rill
