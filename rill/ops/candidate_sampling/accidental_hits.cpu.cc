#include <algorithm>
#include <limits>
#include <unordered_map>
#include <vector>

#include "rill/kernel/kernel_registry.h"

namespace rill {

extern const OpDecl kComputeAccidentalHits;

namespace {

struct Hit {
  std::int32_t row;
  std::int64_t place;
};

// A class that was sampled twice counts where it came last.
std::vector<Hit> find_hits(const Tensor& true_classes, std::span<const std::int64_t> sampled) {
  std::unordered_map<std::int64_t, std::int64_t> places(sampled.size());
  for (std::size_t i = 0; i < sampled.size(); ++i)
    places[sampled[i]] = static_cast<std::int64_t>(i);
  const std::int64_t columns = true_classes.dim(1);
  const auto classes = true_classes.flat<std::int64_t>();
  std::vector<Hit> hits;
  for (std::size_t i = 0; i < classes.size(); ++i)
    if (const auto found = places.find(classes[i]); found != places.end())
      hits.push_back(
          {static_cast<std::int32_t>(static_cast<std::int64_t>(i) / columns), found->second});
  return hits;
}

void accidental_hits(KernelCall& call) {
  const Tensor &true_classes = call.input_tensor(0), &sampled = call.input_tensor(1);
  const auto num_true = call.node().attr<std::int64_t>("num_true");
  require(true_classes.rank() == 2 && true_classes.dim(1) == num_true,
          "true_candidates must be a batch_size * num_true matrix with num_true ", num_true,
          ", not ", true_classes.shape());
  require(sampled.rank() == 1,
          "sampled_candidates must be a vector, which is typically an output from "
          "CandidateSampler, not ",
          sampled.shape());
  const std::vector<Hit> hits = find_hits(true_classes, sampled.flat<std::int64_t>());
  const Shape shape{static_cast<std::int64_t>(hits.size())};
  std::ranges::transform(hits, call.allocate_output(0, shape).flat<std::int32_t>().begin(),
                         &Hit::row);
  std::ranges::transform(hits, call.allocate_output(1, shape).flat<std::int64_t>().begin(),
                         &Hit::place);
  std::ranges::fill(call.allocate_output(2, shape).flat<float>(),
                    std::numeric_limits<float>::lowest());
}

constexpr KernelEntry kEntries[] = {
    {.op = &kComputeAccidentalHits, .run = accidental_hits, .allocates = true},
};

}  // namespace

extern const KernelTable kAccidentalHitsCpu{kEntries};

}  // namespace rill
