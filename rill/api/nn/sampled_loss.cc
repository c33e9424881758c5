#include "rill/api/nn/sampled_loss.h"

#include "rill/api/array/array_parts.h"
#include "rill/api/array/joining.h"
#include "rill/api/array/shapes.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/candidate_sampling.h"
#include "rill/api/gen/math.h"
#include "rill/api/gen/sparse.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/math_parts.h"
#include "rill/api/math/operators.h"
#include "rill/api/math/products.h"
#include "rill/api/nn/cross_entropy.h"
#include "rill/graph/random_seed.h"

namespace rill::nn {

AccidentalHits compute_accidental_hits(const Input& true_classes, const Input& sampled_candidates,
                                       std::int64_t num_true, const AccidentalHitsOptions& options,
                                       std::source_location at) {
  const RandomSeeds seeds = random_seeds(current_scope().graph(), options.seed);
  const auto hits = raw::ComputeAccidentalHits(
      true_classes, sampled_candidates, num_true,
      {.seed = seeds.seed, .seed2 = seeds.seed2, .name = options.name}, at);
  return {hits.indices, hits.ids, hits.weights};
}

namespace {

// The sum of each row, as a product with ones.
Output sum_rows(Output x) {
  const Output columns = parts::item(shape(x), 1);
  const Output ones =
      rill::ones(stack({columns, 1}), {.dtype = math_parts::type_of(x), .name = {}});
  return raw::Reshape(matmul(x, ones), parts::ints({-1}));
}

struct Logits {
  Output of_true, of_sampled;
};

// [how many classes are true, other]: where rows of the true classes end, or how many there are.
Output true_rows(Output flat_labels, int other) {
  return stack({parts::item(shape(flat_labels), 0), other});
}

// inputs * weights + biases for the true classes, of which each example has its own, and for the
// sampled ones.
Logits logits_of(Output all_ids, Output flat_labels, Output inputs, const EmbeddingTable& weights,
                 const EmbeddingTable& biases, const SampledLossOptions& options) {
  const DType dtype = math_parts::type_of(inputs);
  const EmbeddingOptions lookup{.partition_strategy = options.partition_strategy};
  const auto num_true = options.num_true;
  const Output all_w = cast(embedding_lookup(weights, all_ids, lookup), dtype);
  const Output count = true_rows(flat_labels, -1);
  const Output true_w = raw::Slice(all_w, parts::ints({0, 0}), count);
  const Output end = true_rows(flat_labels, 0);
  const Output sampled_w = raw::Slice(all_w, end, parts::ints({-1, -1}));
  const Output sampled = matmul(inputs, sampled_w, {.transpose_b = true});
  const Output all_b = cast(embedding_lookup(biases, all_ids, lookup), dtype);
  const Output true_b = raw::Slice(all_b, parts::ints({0}), shape(flat_labels));
  const Output sampled_b = raw::Slice(all_b, shape(flat_labels), parts::ints({-1}));
  const Output features = parts::range_of(shape(true_w), 1, 2);
  const Output by_example = concat({parts::ints({-1, num_true}), features}, 0);
  const Output rows = expand_dims(inputs, 1);
  const Output products = raw::Mul(rows, raw::Reshape(true_w, by_example));
  const Output flat = raw::Reshape(products, concat({parts::ints({-1}), features}, 0));
  const Output sums = raw::Reshape(sum_rows(flat), parts::ints({-1, num_true}));
  const Output of_true = sums + raw::Reshape(true_b, parts::ints({-1, num_true}));
  return {of_true, sampled + sampled_b};
}

// The logits of the sample without classes that are true ones.
Output without_hits(Output logits, Output labels, Output sampled, std::int64_t num_sampled,
                    std::int64_t num_true) {
  const AccidentalHits hits = compute_accidental_hits(labels, sampled, num_true);
  const Output rows = raw::Reshape(hits.indices, parts::ints({-1, 1}));
  const Output columns = raw::Reshape(cast(hits.ids, DType::i32), parts::ints({-1, 1}));
  const Output places = concat({rows, columns}, 1, {.name = "sparse_indices"});
  const Output batch = parts::range_of(shape(labels), {}, 1);
  const Output size = concat({batch, expand_dims(static_cast<int>(num_sampled), 0)}, 0);
  const Output weights = cast(hits.weights, math_parts::type_of(logits));
  return logits + raw::SparseToDense(places, size, weights, 0.0, {.validate_indices = false});
}

struct Sampled {
  Output logits, labels;
};

Sampled sampled_logits(const EmbeddingTable& weights, const EmbeddingTable& biases,
                       const Input& labels, const Input& inputs, std::int64_t num_sampled,
                       std::int64_t num_classes, bool remove_hits,
                       const SampledLossOptions& options, std::source_location at) {
  const Block in(options.name, "compute_sampled_logits", at);
  const Output classes = cast(as_tensor(labels), DType::i64), x = as_tensor(inputs);
  const Output flat_labels = raw::Reshape(classes, parts::ints({-1}));
  const CandidateSamples drawn =
      options.sampled_values
          ? *options.sampled_values
          : candidate_sampler(Sampler::kLogUniform, classes, options.num_true, num_sampled, true,
                              num_classes, {.seed = options.seed, .name = {}});
  const Output fixed = raw::StopGradient(drawn.sampled_candidates);
  const Output true_count = raw::StopGradient(drawn.true_expected_count);
  const Output sampled_count = raw::StopGradient(drawn.sampled_expected_count);
  const Output sampled = cast(fixed, DType::i64);
  const Output all_ids = concat({flat_labels, sampled}, 0);
  Logits logits = logits_of(all_ids, flat_labels, x, weights, biases, options);
  if (remove_hits)
    logits.of_sampled =
        without_hits(logits.of_sampled, classes, sampled, num_sampled, options.num_true);
  logits.of_true = logits.of_true - raw::Log(true_count);
  logits.of_sampled = logits.of_sampled - raw::Log(sampled_count);
  const Output all = concat({logits.of_true, logits.of_sampled}, 1);
  const Output share = ones_like(logits.of_true) / options.num_true;
  return {all, concat({share, zeros_like(logits.of_sampled)}, 1)};
}

}  // namespace

Output nce_loss(const EmbeddingTable& weights, const EmbeddingTable& biases, const Input& labels,
                const Input& inputs, std::int64_t num_sampled, std::int64_t num_classes,
                const SampledLossOptions& options, std::source_location at) {
  const MadeAt place(at);
  SampledLossOptions named = options;
  if (named.name.empty()) named.name = "nce_loss";
  const Sampled sampled = sampled_logits(weights, biases, labels, inputs, num_sampled, num_classes,
                                         options.remove_accidental_hits.value_or(false), named, at);
  return sum_rows(sigmoid_cross_entropy_with_logits(sampled.labels, sampled.logits,
                                                    {.name = "sampled_losses"}));
}

Output sampled_softmax_loss(const EmbeddingTable& weights, const EmbeddingTable& biases,
                            const Input& labels, const Input& inputs, std::int64_t num_sampled,
                            std::int64_t num_classes, const SampledLossOptions& options,
                            std::source_location at) {
  const MadeAt place(at);
  SampledLossOptions named = options;
  if (named.name.empty()) named.name = "sampled_softmax_loss";
  const Sampled sampled = sampled_logits(weights, biases, labels, inputs, num_sampled, num_classes,
                                         options.remove_accidental_hits.value_or(true), named, at);
  const Output fixed = raw::StopGradient(sampled.labels, {.name = "labels_stop_gradient"});
  return softmax_cross_entropy_with_logits_v2(fixed, sampled.logits);
}

}  // namespace rill::nn
