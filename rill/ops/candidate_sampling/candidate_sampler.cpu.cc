#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <unordered_set>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/candidate_sampling/class_sampler.h"
#include "rill/ops/random/stream.h"

namespace rill {

extern const OpDecl kUniformCandidateSampler, kLogUniformCandidateSampler,
    kLearnedUnigramCandidateSampler, kThreadUnsafeUnigramCandidateSampler,
    kFixedUnigramCandidateSampler, kAllCandidateSampler;

namespace {

// How far the stream moves on for each class that is drawn, in blocks of four words.
constexpr std::uint64_t kBlocksPerClass = 2048 / 4;
constexpr std::int64_t kMaxTries = std::numeric_limits<std::int32_t>::max();

using MakeSampler = std::unique_ptr<ClassSampler> (*)(const KernelNode&);

struct SamplerState final : KernelState {
  SamplerState(const KernelNode& node, MakeSampler make_sampler)
      : unique(node.attr<bool>("unique")), stream(node), sampler(make_sampler(node)) {
    const auto count = node.attr<std::int64_t>("num_sampled");
    require(!unique || count <= sampler->range(), "Sampler's range is too small. It is ",
            sampler->range(), " and num_sampled ", count);
    require(!unique || count <= sampler->reachable_count(), "only ", sampler->reachable_count(),
            " classes have a weight, fewer than num_sampled, ", count);
  }
  const bool unique;
  std::mutex mutex;
  NodeStream stream;
  const std::unique_ptr<ClassSampler> sampler;
};

void require_classes(std::span<const std::int64_t> classes, std::int64_t range) {
  for (const std::int64_t value : classes)
    require(value >= 0 && value < range, "`true_candidate` out of range [0, ", range,
            "), received ", value);
}

// Draws until all are different; how many draws that took.
std::int64_t draw_unique(const KernelCall& call, const ClassSampler& sampler, WordDraws& words,
                         std::span<std::int64_t> out) {
  constexpr std::int64_t kTriesUnwatched = 1 << 20;
  std::unordered_set<std::int64_t> drawn(out.size());
  std::int64_t tries = 0;
  for (std::size_t i = 0; i < out.size(); ++tries) {
    if (tries % kTriesUnwatched == 0 && call.step().cancellation->cancelled())
      raise(Code::kCancelled, "the step was cancelled while classes were drawn");
    require(tries < kMaxTries, "no ", out.size(), " different classes in ", tries, " draws");
    const std::int64_t value = sampler.draw(words);
    if (drawn.insert(value).second) out[i++] = value;
  }
  return tries;
}

// How often a class of probability p is among `count`, or, where these are all different and took
// more tries, whether it is.
float expected_count(float p, std::int64_t count, std::int64_t tries) {
  if (tries == count) return p * static_cast<float>(count);
  return -std::expm1(static_cast<float>(tries) * std::log1p(-p));
}

void sample(KernelCall& call) {
  auto& state = call.state<SamplerState>();
  ClassSampler& sampler = *state.sampler;
  const auto seen = call.input<std::int64_t>(0);
  require_classes(seen, sampler.range());
  const auto drawn = call.output<std::int64_t>(0);
  const auto count = static_cast<std::int64_t>(drawn.size());
  const std::lock_guard lock(state.mutex);
  WordDraws words(state.stream.reserve(kBlocksPerClass * drawn.size()));
  std::int64_t tries = count;
  if (state.unique)
    tries = draw_unique(call, sampler, words, drawn);
  else
    for (std::int64_t& value : drawn) value = sampler.draw(words);
  const auto expected = [&](std::int64_t value) {
    return expected_count(sampler.probability(value), count, tries);
  };
  std::ranges::transform(seen, call.output<float>(1).begin(), expected);
  std::ranges::transform(drawn, call.output<float>(2).begin(), expected);
  sampler.learn(seen);
}

void all_classes(KernelCall& call) {
  const auto drawn = call.output<std::int64_t>(0);
  require_classes(call.input<std::int64_t>(0), static_cast<std::int64_t>(drawn.size()));
  std::iota(drawn.begin(), drawn.end(), 0);
  std::ranges::fill(call.output<float>(1), 1.0F);
  std::ranges::fill(call.output<float>(2), 1.0F);
}

template <MakeSampler make_sampler>
std::unique_ptr<KernelState> make(const KernelNode& node) {
  return std::make_unique<SamplerState>(node, make_sampler);
}

constexpr KernelEntry kEntries[] = {
    {.op = &kUniformCandidateSampler, .run = sample, .make_state = make<make_uniform_sampler>},
    {.op = &kLogUniformCandidateSampler,
     .run = sample,
     .make_state = make<make_log_uniform_sampler>},
    {.op = &kLearnedUnigramCandidateSampler,
     .run = sample,
     .make_state = make<make_learned_sampler>},
    {.op = &kThreadUnsafeUnigramCandidateSampler,
     .run = sample,
     .make_state = make<make_learned_sampler>},
    {.op = &kFixedUnigramCandidateSampler, .run = sample, .make_state = make<make_fixed_sampler>},
    {.op = &kAllCandidateSampler, .run = all_classes},
};

}  // namespace

extern const KernelTable kCandidateSamplerCpu{kEntries};

}  // namespace rill
