#include "rill/api/array/array_parts.h"
#include "rill/api/array/diagonals.h"
#include "rill/api/array/picking.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/slicing.h"
#include "rill/api/debugging/assertions.h"
#include "rill/api/distributions/checks.h"
#include "rill/api/distributions/classes.h"
#include "rill/api/functional/functional_ops.h"
#include "rill/api/gen/array.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/products.h"
#include "rill/api/math/reduce.h"
#include "rill/api/nn/softmax.h"
#include "rill/api/random/random_ops.h"

namespace rill::distributions {

using namespace formula;

Multinomial::Multinomial(const Input& total_count, const MultinomialOptions& options,
                         std::source_location at) {
  const Block in(options.name, "Multinomial", at);
  Output count = as_tensor(total_count, "total_count");
  if (options.validate_args) count = with_counts_checked(count);
  const LogitsAndProbs both =
      logits_and_probs(options.logits, options.probs, true, options.validate_args);
  add_parameter("total_count", count);
  add_parameter("logits", both.logits);
  add_parameter("probs", both.probs);
  vectors_ = with_new_axis(count) * both.probs;
  set_up({base_type(both.probs.dtype()), NOT_REPARAMETERIZED, options.validate_args,
          options.allow_nan_stats, current_scope().name() + "/"});
}

Output Multinomial::do_sample_n(const Input& n, std::optional<std::int64_t> seed) {
  const Output counts = cast(total_count(), DType::i32);
  const Output k = class_count();
  const PartialShape event = event_shape();
  const std::int64_t known_count = event.has_rank() ? event.dim(0) : kUnknownDim;
  const Output first = slice(logits(), {Ellipsis{}, Input(0)});
  const Output all_counts = Formula(ones_like(first, {.dtype = DType::i32})) * counts;
  const Output places = with_new_axis(all_counts);
  const Output all_logits =
      Formula(ones_like(places, {.dtype = base_type(logits().dtype())})) * logits();
  const Output flat_logits = raw::Reshape(all_logits, parts::list_of({-1, k}));
  const Output flat_counts = raw::Reshape(all_counts, parts::ints({-1}));
  const Output draw_counts = Formula(n) * flat_counts;
  const auto sample_one = [&](const std::vector<Output>& of) -> std::vector<Input> {
    const Output row = slice(of[0], {NewAxis{}, Ellipsis{}});
    const Output draws = rill::multinomial(row, of[1], {.seed = seed});
    const Output shaped = raw::Reshape(draws, parts::list_of({n, -1}));
    const Output counted = reduce_sum(one_hot(shaped, k), {.axis = Input(-2)});
    counted.node->graph().refine_shape(counted, counted.shape().with_dim(1, known_count));
    return {counted};
  };
  MapFnOptions options;
  options.dtype = {dtype()};
  const Output drawn = map_fn(sample_one, {flat_logits, draw_counts}, options)[0];
  const Output samples = transpose(drawn, {.perm = parts::ints({1, 0, 2})});
  return raw::Reshape(samples, shape_with(n, batch_shape_tensor(), {k}));
}

Output Multinomial::valid_sample(Output counts) const {
  if (!validate_args()) return counts;
  counts = with_counts_checked(counts);
  const Output total = reduce_sum(counts, {.axis = Input(-1)});
  return checked({&debugging::assert_equal(total_count(), total,
                                           {.message = "counts must sum to `self.total_count`"})},
                 counts);
}

Output Multinomial::do_log_prob(Output counts) {
  const Formula valid = valid_sample(counts);
  const Formula logs([this] { return nn::log_softmax(logits()); });
  const Output unnormalized = sum_over_last(valid * logs);
  const Output again = valid_sample(counts);
  const Output normalization = -Formula(log_combinations(total_count(), again));
  return Formula(unnormalized) - normalization;
}

Output Multinomial::do_mean() { return raw::Identity(vectors_); }

Formula Multinomial::all_probs() const {
  return p("probs") * with_new_axis(Formula([this] { return ones_like(total_count()); }));
}

Output Multinomial::do_covariance() {
  const Output probs = all_probs();
  const Output columns = with_new_axis(vectors_);
  const Output rows = slice(probs, {Ellipsis{}, NewAxis{}, SliceRange{}});
  const Output product = -Formula(matmul(columns, rows));
  return linalg::set_diag(product, ask(Question::kVariance));
}

Output Multinomial::do_variance() {
  const Output probs = all_probs();
  return Formula(vectors_) - Formula(vectors_) * probs;
}

}  // namespace rill::distributions
