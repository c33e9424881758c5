#pragma once

#include <utility>

#include "rill/api/random/candidate_samplers.h"
#include "rill/api/random/random_ops.h"
#include "rill/api/random/random_seed.h"
#include "rill/api/random/stateless_random_ops.h"
#include "rill/api/variables/generator.h"

// tf.random: the functions of tf under their shorter names. Candidate samplers are in tf.nn, too.
namespace rill {

// Classes drawn evenly; by falling frequency (kLogUniform); as often as they were seen. See
// Sampler.
#define RILL_SAMPLER(function, kind)                                                              \
  inline CandidateSamples function(const Input& true_classes, std::int64_t num_true,              \
                                   std::int64_t num_sampled, bool unique, std::int64_t range_max, \
                                   const SamplerOptions& options = {},                            \
                                   std::source_location at = std::source_location::current()) {   \
    return candidate_sampler(Sampler::kind, true_classes, num_true, num_sampled, unique,          \
                             range_max, options, at);                                             \
  }
namespace random {
RILL_SAMPLER(uniform_candidate_sampler, kUniform)
RILL_SAMPLER(log_uniform_candidate_sampler, kLogUniform)
RILL_SAMPLER(learned_unigram_candidate_sampler, kLearnedUnigram)
}  // namespace random
#undef RILL_SAMPLER
namespace nn {
using random::learned_unigram_candidate_sampler;
using random::log_uniform_candidate_sampler;
using random::uniform_candidate_sampler;
using rill::all_candidate_sampler;
using rill::fixed_unigram_candidate_sampler;
}  // namespace nn
}  // namespace rill
namespace rill::random {
inline Output normal(const ShapeInput& shape, const RandomNormalOptions& options = {},
                     std::source_location at = std::source_location::current()) {
  return ::rill::random_normal(shape, options, at);
}
inline Output uniform(const ShapeInput& shape, const RandomUniformOptions& options = {},
                      std::source_location at = std::source_location::current()) {
  return ::rill::random_uniform(shape, options, at);
}
using ::rill::truncated_normal;
inline Output shuffle(const Input& value, const RandomShuffleOptions& options = {},
                      std::source_location at = std::source_location::current()) {
  return ::rill::random_shuffle(value, options, at);
}
inline Output gamma(const ShapeInput& shape, const Input& alpha,
                    const RandomGammaOptions& options = {},
                    std::source_location at = std::source_location::current()) {
  return ::rill::random_gamma(shape, alpha, options, at);
}
using ::rill::all_candidate_sampler;
using ::rill::categorical;
using ::rill::fixed_unigram_candidate_sampler;
using ::rill::get_seed;
using ::rill::multinomial;
using ::rill::set_random_seed;
using ::rill::stateless_categorical;
using ::rill::stateless_multinomial;
using ::rill::stateless_normal;
using ::rill::stateless_truncated_normal;
using ::rill::stateless_uniform;
}  // namespace rill::random
namespace rill::random {

// As rill::random_poisson, with the shape first, as in tf.random.
inline Output poisson(const Input& lam, const ShapeInput& shape,
                      const RandomPoissonOptions& options = {},
                      std::source_location at = std::source_location::current()) {
  return random_poisson(lam, shape, options, at);
}
}  // namespace rill::random
namespace rill::random::experimental {
using ::rill::random::create_rng_state;
using ::rill::random::Generator;
}  // namespace rill::random::experimental
