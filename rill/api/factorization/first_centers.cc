#include "rill/api/factorization/first_centers.h"

#include "rill/api/array/joining.h"
#include "rill/api/array/picking.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/core/slicing.h"
#include "rill/api/debugging/assertions.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/clustering.h"
#include "rill/api/gen/math.h"
#include "rill/api/math/arithmetic.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/norms.h"
#include "rill/api/math/operators.h"
#include "rill/api/math/reduce.h"
#include "rill/api/random/random_ops.h"
#include "rill/api/variables/state_ops.h"

namespace rill::contrib::factorization {
namespace {

Output rows(Output x) { return slice(shape(x), {Input(0)}); }

class Chooser {
 public:
  explicit Chooser(const FirstCentersChoice& c) : c_(c) {}

  Output choose() {
    selected_ = rows(c_.centers.value());
    remaining_ = c_.count - selected_;
    std::vector<Output> sizes;
    for (const Output& input : c_.inputs) sizes.push_back(rows(input));
    points_ = sizes.size() == 1 ? sizes[0] : add_n(sizes);
    return cond_one(
        raw::Equal(remaining_, 0),
        [&] {
          const ControlDependencies checked(
              {&debugging::assert_equal(c_.initialized.value(), Input(true))});
          return raw::Identity(as_tensor(Input(true), "done"));
        },
        [&] {
          const ControlDependencies checked({&debugging::assert_positive(remaining_)});
          return choose_more();
        });
  }

 private:
  bool is(const char* name) const {
    const auto* kind = std::get_if<std::string>(&c_.options.initial_clusters);
    return kind != nullptr && *kind == name;
  }
  bool is_cosine() const { return c_.options.distance_metric == COSINE_DISTANCE; }
  Output on_sphere(Output x) const {
    return is_cosine() ? math::l2_normalize(x, {.axis = Input(1)}) : x;
  }
  Output all_points() const {
    return c_.inputs.size() == 1 ? c_.inputs[0]
                                 : concat(Inputs(c_.inputs.begin(), c_.inputs.end()), 0);
  }

  // Of the ops that draw by themselves.
  std::int64_t seed() const {
    require(c_.options.random_seed.has_value(),
            "Tried to convert 'seed' to a tensor and failed. Error: None values not supported: ",
            "these initial clusters need a seed.");
    return *c_.options.random_seed;
  }

  Output choose_more() {
    const Output left = is(KMC2_INIT) ? chain() : c_.count - rows(add(new_centers()));
    return cond_one(
        raw::Equal(left, 0), [&] { return c_.initialized.assign(true); },
        [] { return raw::Identity(as_tensor(Input(false), "not_done")); });
  }

  // All centers there are now, with these behind.
  Output add(Output centers) {
    Output all = cond_one(
        raw::Equal(selected_, 0), [&] { return centers; },
        [&] {
          return concat({c_.centers.value(), centers}, 0);
        });
    return assign(all);
  }
  Output assign(Output all) {
    const Output centers = raw::Assign(c_.centers.handle(), all, {.validate_shape = false});
    if (!c_.updated) return centers;
    return raw::Assign(c_.updated.handle(), centers, {.validate_shape = false});
  }

  Output new_centers() {
    Output chosen;
    if (const auto* given = std::get_if<Input>(&c_.options.initial_clusters))
      chosen = fitting(as_tensor(*given, "initial_clusters"));
    else if (const auto* make = std::get_if<FirstCenters>(&c_.options.initial_clusters))
      chosen = fitting((*make)(c_.inputs, remaining_));
    else
      chosen = is(RANDOM_INIT) ? random_points() : spread_points();
    return on_sphere(chosen);
  }
  Output fitting(Output centers) {
    const ControlDependencies checked({&debugging::assert_less_equal(
        rows(centers), remaining_, {.message = "More centers than clusters were given. "})});
    return raw::Identity(centers);
  }

  // All points where there are not more than wanted; else some, perhaps one twice.
  Output random_points() {
    return cond_one(
        raw::LessEqual(points_, remaining_), [&] { return all_points(); },
        [&] {
          const Output which =
              random_uniform(raw::Reshape(remaining_, {-1}), {.maxval = cast(points_, DType::i64),
                                                              .dtype = DType::i64,
                                                              .seed = c_.options.random_seed});
          return gather(all_points(), which);
        });
  }
  Output spread_points() {
    return raw::KmeansPlusPlusInitialization(on_sphere(all_points()), cast(remaining_, DType::i64),
                                             seed(), c_.options.kmeans_plus_plus_num_retries);
  }

  // A center after the other, each the end of a Markov chain over a part of the points. As many as
  // there are parts; gives how many are left then.
  Output chain() {
    const std::int64_t length = c_.options.kmc2_chain_length;
    const Output parts =
        cast(raw::Div(cast(points_, DType::f64), static_cast<double>(length)), DType::i32);
    const Output wanted = raw::Maximum(raw::Minimum(parts, remaining_), 1);
    const auto more = [&](const std::vector<Output>& v) { return raw::Less(v[0], wanted); };
    const auto one = [&](const std::vector<Output>& v) {
      const Output all = cond_one(
          raw::Equal(rows(c_.centers.read_value()), 0),
          [&] {
            return on_sphere(raw::Reshape(slice(all_points(), {Input(0)}), {1, -1}));
          },
          [&] { return next_of_chain(v[0]); });
      return std::vector<Output>{v[0] + 1, c_.count - rows(assign(all))};
    };
    return while_loop(more, one, {0, 0}, {.parallel_iterations = 1, .back_prop = false})[1];
  }
  Output next_of_chain(Output step) {
    const Output begin = step * static_cast<std::int32_t>(c_.options.kmc2_chain_length);
    const Output end = begin + static_cast<std::int32_t>(c_.options.kmc2_chain_length);
    const Output part = slice(all_points(), {SliceRange{Input(begin), Input(end)}});
    const Output now = c_.centers.read_value();
    const Output distances = squeeze(
        raw::NearestNeighbors(on_sphere(part), now, std::int64_t{1}).nearest_center_distances,
        {.axis = {1}});
    const Output found = raw::KMC2ChainInitialization(distances, seed());
    const Output center = raw::Reshape(gather(part, found), {1, -1});
    return concat({now, on_sphere(center)}, 0);
  }

  const FirstCentersChoice& c_;
  Output selected_, remaining_, points_;
};

}  // namespace

Output choose_centers(const FirstCentersChoice& choice) { return Chooser(choice).choose(); }

}  // namespace rill::contrib::factorization
