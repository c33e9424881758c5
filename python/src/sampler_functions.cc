// The candidate samplers of tf.random.
#include "array_functions.h"
#include "errors.h"
#include "plain_values.h"
#include "rill/api/random/candidate_samplers.h"

namespace rill::python {
namespace {

nb::object give_samples(const char* name, const CandidateSamples& samples) {
  nb::object type = nb::module_::import_("collections")
                        .attr("namedtuple")(
                            name, "sampled_candidates true_expected_count sampled_expected_count");
  return type(give(samples.sampled_candidates), give(samples.true_expected_count),
              give(samples.sampled_expected_count));
}

SamplerOptions sampler_options(const Call& call) {
  return {.seed = call.optional_integer("seed"), .name = call.name()};
}

CandidateSamples draw_candidates(const Call& call, Sampler kind) {
  return candidate_sampler(kind, call.input("true_classes", DType::i64), call.integer("num_true"),
                           call.integer("num_sampled"), call.flag("unique"),
                           call.integer("range_max"), sampler_options(call));
}

std::vector<float> numbers(nb::handle list) {
  std::vector<float> result;
  for (nb::handle item : nb::object(nb::borrow(list))) result.push_back(plain_value<float>(item));
  return result;
}

const Function kSamplers[] = {
    {"random.uniform_candidate_sampler(true_classes, num_true, num_sampled, unique, range_max, "
     "seed=None, name=None)",
     [](const Call& call) {
       return give_samples("UniformCandidateSampler", draw_candidates(call, Sampler::kUniform));
     },
     "Classes, all equally likely."},
    {"random.log_uniform_candidate_sampler(true_classes, num_true, num_sampled, unique, "
     "range_max, seed=None, name=None)",
     [](const Call& call) {
       return give_samples("LogUniformCandidateSampler",
                           draw_candidates(call, Sampler::kLogUniform));
     },
     "Classes, lower ones more likely."},
    {"random.learned_unigram_candidate_sampler(true_classes, num_true, num_sampled, unique, "
     "range_max, seed=None, name=None)",
     [](const Call& call) {
       return give_samples("LearnedUnigramCandidateSampler",
                           draw_candidates(call, Sampler::kLearnedUnigram));
     },
     "Classes, as likely as they were seen before."},
    {"random.all_candidate_sampler(true_classes, num_true, num_sampled, unique, seed=None, "
     "name=None)",
     [](const Call& call) {
       return give_samples(
           "AllCandidateSampler",
           all_candidate_sampler(call.input("true_classes", DType::i64), call.integer("num_true"),
                                 call.integer("num_sampled"), call.flag("unique"),
                                 sampler_options(call)));
     },
     "All classes."},
    {"random.fixed_unigram_candidate_sampler(true_classes, num_true, num_sampled, unique, "
     "range_max, vocab_file='', distortion=1.0, num_reserved_ids=0, num_shards=1, shard=0, "
     "unigrams=(), seed=None, name=None)",
     [](const Call& call) {
       return give_samples(
           "FixedUnigramCandidateSampler",
           fixed_unigram_candidate_sampler(
               call.input("true_classes", DType::i64), call.integer("num_true"),
               call.integer("num_sampled"), call.flag("unique"), call.integer("range_max"),
               {.vocab_file = call.text("vocab_file"),
                .distortion = static_cast<float>(call.number("distortion")),
                .num_reserved_ids = call.integer("num_reserved_ids"),
                .num_shards = call.integer("num_shards"),
                .shard = call.integer("shard"),
                .unigrams = numbers(call["unigrams"]),
                .seed = call.optional_integer("seed"),
                .name = call.name()}));
     },
     "Classes in proportion to their weights."},
};

}  // namespace

void bind_samplers() { add_functions(kSamplers); }

}  // namespace rill::python
