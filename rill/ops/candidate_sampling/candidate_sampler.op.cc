#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

Shapes sampler_shape(const ShapeCtx& c) {
  require(!c.input(0).has_rank() || c.input(0).rank() == 2, "true_classes must be a matrix, not ",
          c.input(0));
  const auto [rows, columns] = c.matrix(0);
  const auto num_true = c.attr<std::int64_t>("num_true");
  const auto num_sampled = c.attr<std::int64_t>("num_sampled");
  require(compatible(columns, num_true),
          "true_classes must have num_true columns, expected: ", columns, " was: ", num_true);
  return {{num_sampled}, {rows, num_true}, {num_sampled}};
}

bool names_file(std::string_view vocab_file) { return !vocab_file.empty(); }

}  // namespace

extern constexpr OpDecl kUniformCandidateSampler{
    .name = "UniformCandidateSampler",
    .doc =
        "num_sampled classes below range_max, each equally likely, and how often the true and the "
        "sampled ones are to be expected among so many.",
    .inputs = {"true_classes: int64"},
    .outputs = {"sampled_candidates: int64", "true_expected_count: float",
                "sampled_expected_count: float"},
    .attrs = {"num_true: int >= 1", "num_sampled: int >= 1", "unique: bool", "range_max: int >= 1",
              "seed: int = 0", "seed2: int = 0"},
    .traits = kStateful | kNoAccess,
    .shape = sampler_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kUniformCandidateSampler));

extern constexpr OpDecl kLogUniformCandidateSampler{
    .name = "LogUniformCandidateSampler",
    .doc =
        "As UniformCandidateSampler; class i is drawn with probability log((i + 2) / (i + 1)) / "
        "log(range_max + 1).",
    .inputs = {"true_classes: int64"},
    .outputs = {"sampled_candidates: int64", "true_expected_count: float",
                "sampled_expected_count: float"},
    .attrs = {"num_true: int >= 1", "num_sampled: int >= 1", "unique: bool", "range_max: int >= 1",
              "seed: int = 0", "seed2: int = 0"},
    .traits = kStateful | kNoAccess,
    .shape = sampler_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kLogUniformCandidateSampler));

extern constexpr OpDecl kLearnedUnigramCandidateSampler{
    .name = "LearnedUnigramCandidateSampler",
    .doc =
        "As UniformCandidateSampler; a class is drawn in proportion to how often it was a true one "
        "in earlier runs, plus one.",
    .inputs = {"true_classes: int64"},
    .outputs = {"sampled_candidates: int64", "true_expected_count: float",
                "sampled_expected_count: float"},
    .attrs = {"num_true: int >= 1", "num_sampled: int >= 1", "unique: bool", "range_max: int >= 1",
              "seed: int = 0", "seed2: int = 0"},
    .traits = kStateful | kNoAccess,
    .shape = sampler_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kLearnedUnigramCandidateSampler));

extern constexpr OpDecl kThreadUnsafeUnigramCandidateSampler{
    .name = "ThreadUnsafeUnigramCandidateSampler",
    .doc = "The same as LearnedUnigramCandidateSampler, safe as well.",
    .inputs = {"true_classes: int64"},
    .outputs = {"sampled_candidates: int64", "true_expected_count: float",
                "sampled_expected_count: float"},
    .attrs = {"num_true: int >= 1", "num_sampled: int >= 1", "unique: bool", "range_max: int >= 1",
              "seed: int = 0", "seed2: int = 0"},
    .traits = kStateful | kNoAccess,
    .shape = sampler_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kThreadUnsafeUnigramCandidateSampler));

extern constexpr OpDecl kFixedUnigramCandidateSampler{
    .name = "FixedUnigramCandidateSampler",
    .doc =
        "As UniformCandidateSampler; a class is drawn in proportion to its weight, to the power of "
        "`distortion`. Weights are `unigrams` or the last fields of vocab_file's lines.",
    .inputs = {"true_classes: int64"},
    .outputs = {"sampled_candidates: int64", "true_expected_count: float",
                "sampled_expected_count: float"},
    .attrs = {"num_true: int >= 1", "num_sampled: int >= 1", "unique: bool", "range_max: int >= 1",
              "vocab_file: string = ''", "distortion: float = 1.0", "num_reserved_ids: int = 0",
              "num_shards: int >= 1 = 1", "shard: int >= 0 = 0", "unigrams: list(float) = []",
              "seed: int = 0", "seed2: int = 0"},
    .traits = kStateful,
    .file_attr = {"vocab_file", names_file},
    .shape = sampler_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kFixedUnigramCandidateSampler));

extern constexpr OpDecl kAllCandidateSampler{
    .name = "AllCandidateSampler",
    .doc = "All classes below num_sampled, in order, each expected once.",
    .inputs = {"true_classes: int64"},
    .outputs = {"sampled_candidates: int64", "true_expected_count: float",
                "sampled_expected_count: float"},
    .attrs = {"num_true: int >= 1", "num_sampled: int >= 1", "unique: bool", "seed: int = 0",
              "seed2: int = 0"},
    .traits = kStateful | kNoAccess,
    .shape = sampler_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kAllCandidateSampler));

}  // namespace rill
