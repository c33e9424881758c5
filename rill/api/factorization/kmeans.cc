#include "rill/api/factorization/kmeans.h"

#include <algorithm>

#include "rill/api/array/joining.h"
#include "rill/api/array/picking.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/core/slicing.h"
#include "rill/api/factorization/first_centers.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/clustering.h"
#include "rill/api/gen/math.h"
#include "rill/api/math/arithmetic.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/norms.h"
#include "rill/api/math/operators.h"
#include "rill/api/math/reduce.h"
#include "rill/api/variables/state_ops.h"

namespace rill::contrib::factorization {
namespace {

Variable centers_variable(const char* name) {
  const Tensor none(DType::f32, {0});
  return Variable(Input(none), {.validate_shape = false, .name = name});
}

Output sum_of(const std::vector<Output>& parts) {
  return parts.size() == 1 ? parts[0] : add_n(Inputs(parts.begin(), parts.end()));
}

Output normalized(Output x) { return math::l2_normalize(x, {.axis = Input(1)}); }

}  // namespace

// The variables behind the centers. `counts`: of points that each has seen, of mini-batches;
// `updated` and `steps_left`: what moves while `now` is what counts.
struct KMeans::Centers {
  Variable now, initialized, updated, steps_left, counts;
  Variable moving() const { return updated ? updated : now; }
};
struct KMeans::Scored {
  std::vector<Output> points, all, nearest, distance;
};

KMeans::KMeans(std::vector<Output> inputs, Input num_clusters, KMeansOptions options,
               std::source_location at)
    : inputs_(std::move(inputs)),
      num_clusters_(std::move(num_clusters)),
      options_(std::move(options)) {
  require(!inputs_.empty(), "KMeans needs inputs.");
  const std::string& metric = options_.distance_metric;
  require(metric == SQUARED_EUCLIDEAN_DISTANCE || metric == COSINE_DISTANCE,
          "Unsupported distance metric '", metric, "'");
  if (const auto* kind = std::get_if<std::string>(&options_.initial_clusters))
    require(*kind == RANDOM_INIT || *kind == KMEANS_PLUS_PLUS_INIT || *kind == KMC2_INIT,
            "Unsupported initialization algorithm '", *kind, "'");
  require(options_.mini_batch_steps_per_iteration > 0 && options_.kmc2_chain_length > 0,
          "mini_batch_steps_per_iteration and kmc2_chain_length must be positive.");
  if (auto* given = std::get_if<Input>(&options_.initial_clusters)) {
    const Block in({}, "", at);
    *given = as_tensor(*given, "initial_clusters");
  }
}

bool KMeans::centers_are_normalized() const {
  return is_cosine() && (!options_.use_mini_batch || options_.mini_batch_steps_per_iteration > 1);
}

KMeans::Centers KMeans::make_variables(Output count) const {
  Centers c;
  c.now = centers_variable("clusters");
  c.initialized = Variable(false, {.name = "initialized"});
  if (!options_.use_mini_batch) return c;
  const std::int64_t steps = options_.mini_batch_steps_per_iteration;
  if (steps > 1) {
    c.updated = centers_variable("clusters_updated");
    c.steps_left = Variable(Input(steps - 1), {.dtype = DType::i64, .name = "update_in_steps"});
    c.counts = Variable(zeros(stack({count}), {.dtype = DType::i64}));
  } else {
    c.counts = Variable(ones(stack({count}), {.dtype = DType::i64}));
  }
  return c;
}

KMeans::Scored KMeans::score(const Centers& centers) const {
  Scored s;
  const Output given = centers.now.value();
  for (const Output& input : inputs_) {
    const Output points = is_cosine() ? normalized(input) : input;
    const Output now = is_cosine() && !centers_are_normalized() ? normalized(given) : given;
    const Output product = raw::BatchMatMulV2(points, now, {.adj_y = true});
    if (is_cosine()) {
      s.all.push_back(Input(1.0F) - product);
    } else {
      const Output squares = reduce_sum(raw::Square(now), {.axis = Input(1), .keepdims = true});
      s.all.push_back(reduce_sum(raw::Square(points), {.axis = Input(1), .keepdims = true}) -
                      Input(2.0F) * product + transpose(squares));
    }
    const auto found = raw::NearestNeighbors(points, now, std::int64_t{1});
    const Output distance = found.nearest_center_distances;
    s.points.push_back(points);
    s.distance.push_back(squeeze(is_cosine() ? distance * 0.5F : distance, {.axis = {1}}));
    s.nearest.push_back(squeeze(found.nearest_center_indices, {.axis = {1}}));
  }
  return s;
}

// Each center goes to the mean of the points that are nearest to it.
train::Runnable KMeans::train_on_all(const Centers& centers, const Scored& scored) const {
  std::vector<Output> sums, counts;
  const Output count = as_tensor(num_clusters_, "num_clusters", DType::i32);
  for (std::size_t i = 0; i < scored.points.size(); ++i) {
    const Output points = scored.points[i], nearest = scored.nearest[i];
    sums.push_back(raw::UnsortedSegmentSum(points, nearest, count));
    const Output one_each = ones(raw::Reshape(slice(shape(points), {Input(0)}), {-1}));
    counts.push_back(raw::UnsortedSegmentSum(raw::Reshape(one_each, {-1, 1}), nearest, count));
  }
  constexpr float kNotZero = 1e-6F;  // under the count of a center that no point is near to
  const Output means = raw::RealDiv(sum_of(sums), sum_of(counts) + kNotZero);
  return assign(centers.now, centers_are_normalized() ? normalized(means) : means);
}

// After mini_batch_steps_per_iteration steps the moved centers take over.
std::optional<Output> KMeans::take_over(const Centers& c) const {
  if (!c.updated) return {};
  const std::int64_t again = options_.mini_batch_steps_per_iteration - 1;
  return cond_one(
      raw::LessEqual(c.steps_left.value(), std::int64_t{0}),
      [&] {
        const Output counted = assign(c.steps_left, Input(again));
        const ControlDependencies first({counted});
        const Output moved = c.updated.read_value();
        const Output centers = raw::Assign(c.now.handle(), is_cosine() ? normalized(moved) : moved,
                                           {.validate_shape = false});
        const Output forgotten = assign(c.counts, zeros_like(c.counts.value()));
        const ControlDependencies all({centers, forgotten});
        return raw::Identity(c.steps_left.value());
      },
      [&] { return assign_sub(c.steps_left, Input(std::int64_t{1})); });
}

// Each center moves by the mean of all it has seen; of a batch only those that points are near to.
train::Runnable KMeans::train_on_batch(const Centers& c, const Scored& scored) const {
  std::vector<Dependency> done;
  for (std::size_t i = 0; i < scored.points.size(); ++i) {
    const Output points = scored.points[i];
    const auto near = raw::Unique(raw::Reshape(scored.nearest[i], {-1}));
    const Output count = size(near.y);
    const Output seen = gather(c.counts.value(), near.y);
    const Output before = gather(c.moving().value(), near.y);
    const Output more =
        raw::UnsortedSegmentSum(ones_like(near.idx, {.dtype = DType::i64}), near.idx, count);
    const Output sums = raw::UnsortedSegmentSum(points, near.idx, count);
    const Output column = stack({Input(count), Input(1)});
    const Output change = sums - cast(raw::Reshape(more, column), DType::f32) * before;
    const Output rate = raw::Reshape(raw::Reciprocal(cast(seen + more, DType::f32)), column);
    const ControlDependencies read({seen});
    done.emplace_back(scatter_add(c.counts, near.y, more));
    done.emplace_back(scatter_add(c.moving(), near.y, change * rate));
  }
  const ControlDependencies moved(done);
  if (const std::optional<Output> taken = take_over(c)) done.emplace_back(*taken);
  return group(done);
}

KMeansTraining KMeans::training_graph(std::source_location at) {
  const Block in({}, "", at);
  const auto* given = std::get_if<Input>(&options_.initial_clusters);
  const Output count = given ? slice(shape(as_tensor(*given, "initial_clusters")), {Input(0)})
                             : as_tensor(num_clusters_, "num_clusters", DType::i32);
  num_clusters_ = count;
  const Centers centers = make_variables(count);
  KMeansTraining result{.cluster_centers_initialized = centers.initialized,
                        .cluster_centers = centers.now};
  result.init_op = choose_centers({.inputs = inputs_,
                                   .count = count,
                                   .options = options_,
                                   .centers = centers.now,
                                   .updated = centers.updated,
                                   .initialized = centers.initialized});
  const Scored scored = score(centers);
  result.all_scores = scored.all;
  result.cluster_idx = scored.nearest;
  result.scores = scored.distance;
  result.training_op =
      options_.use_mini_batch ? train_on_batch(centers, scored) : train_on_all(centers, scored);
  return result;
}

}  // namespace rill::contrib::factorization
