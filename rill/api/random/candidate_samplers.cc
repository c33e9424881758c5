#include "rill/api/random/candidate_samplers.h"

#include "rill/api/gen/candidate_sampling.h"
#include "rill/graph/random_seed.h"

namespace rill {
namespace {

template <class Made>
CandidateSamples samples(const Made& made) {
  return {made.sampled_candidates, made.true_expected_count, made.sampled_expected_count};
}

}  // namespace

CandidateSamples candidate_sampler(Sampler kind, const Input& true_classes, std::int64_t num_true,
                                   std::int64_t num_sampled, bool unique, std::int64_t range_max,
                                   const SamplerOptions& options, std::source_location at) {
  const RandomSeeds seeds = random_seeds(*default_graph(), options.seed);
  switch (kind) {
    case Sampler::kUniform:
      return samples(raw::UniformCandidateSampler(
          true_classes, num_true, num_sampled, unique, range_max,
          {.seed = seeds.seed, .seed2 = seeds.seed2, .name = options.name}, at));
    case Sampler::kLogUniform:
      return samples(raw::LogUniformCandidateSampler(
          true_classes, num_true, num_sampled, unique, range_max,
          {.seed = seeds.seed, .seed2 = seeds.seed2, .name = options.name}, at));
    default:
      return samples(raw::LearnedUnigramCandidateSampler(
          true_classes, num_true, num_sampled, unique, range_max,
          {.seed = seeds.seed, .seed2 = seeds.seed2, .name = options.name}, at));
  }
}

CandidateSamples all_candidate_sampler(const Input& true_classes, std::int64_t num_true,
                                       std::int64_t num_sampled, bool unique,
                                       const SamplerOptions& options, std::source_location at) {
  const RandomSeeds seeds = random_seeds(*default_graph(), options.seed);
  return samples(raw::AllCandidateSampler(
      true_classes, num_true, num_sampled, unique,
      {.seed = seeds.seed, .seed2 = seeds.seed2, .name = options.name}, at));
}

CandidateSamples fixed_unigram_candidate_sampler(const Input& true_classes, std::int64_t num_true,
                                                 std::int64_t num_sampled, bool unique,
                                                 std::int64_t range_max,
                                                 const FixedUnigramOptions& options,
                                                 std::source_location at) {
  const RandomSeeds seeds = random_seeds(*default_graph(), options.seed);
  return samples(raw::FixedUnigramCandidateSampler(true_classes, num_true, num_sampled, unique,
                                                   range_max,
                                                   {.vocab_file = options.vocab_file,
                                                    .distortion = options.distortion,
                                                    .num_reserved_ids = options.num_reserved_ids,
                                                    .num_shards = options.num_shards,
                                                    .shard = options.shard,
                                                    .unigrams = options.unigrams,
                                                    .seed = seeds.seed,
                                                    .seed2 = seeds.seed2,
                                                    .name = options.name},
                                                   at));
}

}  // namespace rill
