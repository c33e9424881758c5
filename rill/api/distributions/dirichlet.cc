#include <cmath>

#include "rill/api/array/array_parts.h"
#include "rill/api/array/diagonals.h"
#include "rill/api/array/joining.h"
#include "rill/api/array/picking.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/slicing.h"
#include "rill/api/debugging/rank_assertions.h"
#include "rill/api/distributions/checks.h"
#include "rill/api/distributions/classes.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/math/arithmetic.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/products.h"
#include "rill/api/math/reduce.h"
#include "rill/api/random/random_ops.h"

namespace rill::distributions {

using namespace formula;

namespace {

Formula lbeta_of(const Formula& x) {
  return Formula([=] { return lbeta(x.input()); });
}

}  // namespace

// --- vectors -------------------------------------------------------------------------------------

PartialShape VectorDistribution::do_batch_shape() const {
  return totals_.node ? totals_.shape() : all_but_last(vectors_.shape());
}
PartialShape VectorDistribution::do_event_shape() const { return last_dim(vectors_.shape()); }

Output VectorDistribution::do_batch_shape_tensor() {
  if (totals_.node) return shape(totals_);
  return slice(shape(vectors_), {SliceRange{.stop = -1}});
}
Output VectorDistribution::do_event_shape_tensor() {
  return slice(shape(vectors_), {SliceRange{.start = -1}});
}

Output VectorDistribution::class_count() { return slice(event_shape_tensor(), {Input(0)}); }

Formula VectorDistribution::centred_covariance(Output x) {
  return Formula([this, x] {
    const Output columns = with_new_axis(x);
    const Output rows = slice(x, {Ellipsis{}, NewAxis{}, SliceRange{}});
    const Output product = -Formula(matmul(columns, rows));
    return linalg::set_diag(product, ask(Question::kVariance));
  });
}

// --- Dirichlet -----------------------------------------------------------------------------------

namespace {

Output checked_concentration(Output x) {
  Node& positive =
      debugging::assert_positive(x, {.message = "Concentration parameter must be positive."});
  Node& rank = debugging::assert_rank_at_least(
      x, 1, {.message = "Concentration parameter must have >=1 dimensions."});
  const Output size = slice(shape(x), {Input(-1)});
  Node& large = debugging::assert_less(
      1, size, {.message = "Concentration parameter must have event_size >= 2."});
  return checked({&positive, &rank, &large}, x);
}

}  // namespace

Dirichlet::Dirichlet(const Input& concentration, const DistributionOptions& options,
                     std::source_location at) {
  const Block in(options.name, "Dirichlet", at);
  const Output given = as_tensor(concentration, "concentration");
  vectors_ = options.validate_args ? checked_concentration(given) : given;
  totals_ = reduce_sum(vectors_, {.axis = Input(-1)});
  add_parameter("concentration", vectors_);
  add_parameter("total_concentration", totals_);
  set_up({base_type(vectors_.dtype()), FULLY_REPARAMETERIZED, options.validate_args,
          options.allow_nan_stats, current_scope().name() + "/"});
}

Output Dirichlet::do_sample_n(const Input& n, std::optional<std::int64_t> seed) {
  const Output gamma =
      random_gamma(vector_of(n), concentration(), {.dtype = dtype(), .seed = seed});
  return Formula(gamma) / reduce_sum(gamma, {.axis = Input(-1), .keepdims = true});
}

Output Dirichlet::valid_sample(Output x) const {
  if (!validate_args()) return x;
  Node& positive = debugging::assert_positive(x, {.message = "samples must be positive"});
  const Output one = ones({}, {.dtype = dtype()});
  const Output total = reduce_sum(x, {.axis = Input(-1)});
  Node& sums =
      debugging::assert_near(one, total, {.message = "sample last-dimension must sum to `1`"});
  return checked({&positive, &sums}, x);
}

Output Dirichlet::do_log_prob(Output value) {
  const Formula x = valid_sample(value);
  const Output unnormalized = sum_over_last(node("Xlogy", {p("concentration") - 1.0, x}));
  return Formula(unnormalized) - lbeta_of(p("concentration"));
}
Output Dirichlet::do_prob(Output x) { return exp(Formula(ask(Question::kLogProb, x))); }

Output Dirichlet::do_entropy() {
  const Output k = cast(class_count(), dtype());
  return lbeta_of(p("concentration")) +
         (p("total_concentration") - k) * digamma(p("total_concentration")) -
         sum_over_last((p("concentration") - 1.0) * digamma(p("concentration")));
}

Output Dirichlet::do_mean() { return p("concentration") / with_new_axis(p("total_concentration")); }

Formula Dirichlet::variance_scale() const {
  return rsqrt(1.0 + with_new_axis(p("total_concentration")));
}

Output Dirichlet::do_covariance() {
  const Output scale = variance_scale();
  return centred_covariance(Formula(scale) * ask(Question::kMean));
}

Output Dirichlet::do_variance() {
  const Output scale = variance_scale();
  const Output x = Formula(scale) * ask(Question::kMean);
  return Formula(x) * (Formula(scale) - x);
}

Output Dirichlet::do_mode() {
  const Output k = cast(class_count(), dtype());
  const Output mode = (p("concentration") - 1.0) / (with_new_axis(p("total_concentration")) - k);
  if (allow_nan_stats()) {
    const Output nan = filled(shape(mode), dtype(), std::nan(""), "nan");
    const Output large = p("concentration") > 1.0;
    const Output all_large = reduce_all(large, {.axis = Input(-1)});
    // One answer for each distribution of the batch, whose modes are vectors.
    const bool is_batch = batch_shape() != PartialShape::scalar();
    return where(is_batch ? with_new_axis(all_large) : Formula(all_large), mode, nan);
  }
  const Output one = ones({}, {.dtype = dtype()});
  return checked(
      {&debugging::assert_less(one, concentration(),
                               {.message = "Mode undefined when any concentration <= 1"})},
      mode);
}

// --- DirichletMultinomial ------------------------------------------------------------------------

DirichletMultinomial::DirichletMultinomial(const Input& total_count, const Input& concentration,
                                           const DistributionOptions& options,
                                           std::source_location at) {
  const Block in(options.name, "DirichletMultinomial", at);
  Output count = as_tensor(total_count, "total_count");
  if (options.validate_args) count = with_counts_checked(count);
  vectors_ = as_tensor(concentration, "concentration");
  if (options.validate_args) {
    vectors_ = with_class_count_checked(vectors_);
    vectors_ = checked({&debugging::assert_positive(
                           vectors_, {.message = "Concentration parameter must be positive."})},
                       vectors_);
  }
  totals_ = reduce_sum(vectors_, {.axis = Input(-1)});
  add_parameter("total_count", count);
  add_parameter("concentration", vectors_);
  add_parameter("total_concentration", totals_);
  set_up({base_type(vectors_.dtype()), NOT_REPARAMETERIZED, options.validate_args,
          options.allow_nan_stats, current_scope().name() + "/"});
}

Output DirichletMultinomial::do_sample_n(const Input& n, std::optional<std::int64_t> seed) {
  const Output draw_count = cast(total_count(), DType::i32);
  const Output k = class_count();
  const Output gamma =
      random_gamma(vector_of(n), concentration(), {.dtype = dtype(), .seed = seed});
  const Output logits = raw::Reshape(Output(log(Formula(gamma))), parts::list_of({-1, k}));
  const Output draws =
      rill::multinomial(logits, draw_count, {.seed = new_seed(seed, "dirichlet_multinomial")});
  const Output counts = reduce_sum(one_hot(draws, k), {.axis = Input(-2)});
  const Output dims = shape_with(n, batch_shape_tensor(), {k});
  return cast(raw::Reshape(counts, dims), dtype());
}

Output DirichletMultinomial::do_log_prob(Output counts) {
  if (validate_args()) {
    counts = with_counts_checked(counts);
    const Output total = reduce_sum(counts, {.axis = Input(-1)});
    counts = checked({&debugging::assert_equal(
                         total_count(), total,
                         {.message = "counts last-dimension must sum to `self.total_count`"})},
                     counts);
  }
  const Output ordered = lbeta_of(p("concentration") + counts) - lbeta_of(p("concentration"));
  return Formula(ordered) + log_combinations(total_count(), counts);
}
Output DirichletMultinomial::do_prob(Output x) { return exp(Formula(ask(Question::kLogProb, x))); }

Output DirichletMultinomial::do_mean() {
  return p("total_count") * (p("concentration") / with_new_axis(p("total_concentration")));
}

Formula DirichletMultinomial::variance_scale() const {
  return Formula([this] {
    const Output total = with_new_axis(p("total_concentration"));
    const Formula c = total;
    return Output(sqrt((1.0 + c / p("total_count")) / (1.0 + c)));
  });
}

Output DirichletMultinomial::do_covariance() {
  const Output scale = variance_scale();
  return centred_covariance(Formula(scale) * ask(Question::kMean));
}

Output DirichletMultinomial::do_variance() {
  const Output scale = variance_scale();
  const Output x = Formula(scale) * ask(Question::kMean);
  return Formula(x) * (p("total_count") * scale - x);
}

}  // namespace rill::distributions
