#pragma once

#include <cstdint>
#include <optional>
#include <source_location>
#include <string>
#include <vector>

#include "rill/api/core/default_graph.h"

namespace rill {

// Classes drawn for a sampled loss, and how often each, and each true class, is expected among
// them.
struct CandidateSamples {
  Output sampled_candidates = {}, true_expected_count = {}, sampled_expected_count = {};
};

struct SamplerOptions {
  std::optional<std::int64_t> seed = {};
  std::string name = {};
};
// How classes are drawn below `range_max`, `unique`: each at most once. kLogUniform draws class k
// with log((k + 2) / (k + 1)) / log(range_max + 1), which suits words numbered by falling
// frequency. kLearnedUnigram counts the true classes it sees.
enum class Sampler { kUniform, kLogUniform, kLearnedUnigram };
// true_classes are int64 [batch, num_true]. One sample serves the whole batch. With `unique` there
// must be at least num_sampled classes, or the step fails.
CandidateSamples candidate_sampler(Sampler kind, const Input& true_classes, std::int64_t num_true,
                                   std::int64_t num_sampled, bool unique, std::int64_t range_max,
                                   const SamplerOptions& options = {},
                                   std::source_location at = std::source_location::current());
// All classes below num_sampled.
CandidateSamples all_candidate_sampler(const Input& true_classes, std::int64_t num_true,
                                       std::int64_t num_sampled, bool unique,
                                       const SamplerOptions& options = {},
                                       std::source_location at = std::source_location::current());

// vocab_file: the last comma-separated value of each line is the weight of a class. distortion: the
// power that weights are raised to, 0 for all alike. num_reserved_ids: ids before the first class,
// which are never drawn. Of a file or unigrams exactly one is given, or the step fails.
struct FixedUnigramOptions {
  std::string vocab_file = {};
  float distortion = 1.0f;
  std::int64_t num_reserved_ids = 0, num_shards = 1, shard = 0;
  std::vector<float> unigrams = {};
  std::optional<std::int64_t> seed = {};
  std::string name = {};
};
// In proportion to weights that are given or stand in a file.
CandidateSamples fixed_unigram_candidate_sampler(
    const Input& true_classes, std::int64_t num_true, std::int64_t num_sampled, bool unique,
    std::int64_t range_max, const FixedUnigramOptions& options = {},
    std::source_location at = std::source_location::current());

}  // namespace rill
