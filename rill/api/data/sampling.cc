// Elements chosen at random, or by another dataset.
#include <limits>

#include "rill/api/array/picking.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/default_graph.h"
#include "rill/api/core/static_value.h"
#include "rill/api/data/experimental.h"
#include "rill/api/data/function_stage.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/gen/random.h"
#include "rill/api/math/reduce.h"
#include "rill/api/random/random_ops.h"
#include "rill/base/error.h"

namespace rill::data::experimental {
namespace {

Dataset directed_interleave(const Dataset& selector, const std::vector<Dataset>& datasets) {
  ElementSpec element = datasets[0].element();
  std::vector<Input> variants;
  Options options;
  for (std::size_t i = 0; i < datasets.size(); ++i) {
    const ElementSpec& other = datasets[i].element();
    for (std::size_t k = 0; k < element.parts.size() && k < other.parts.size(); ++k)
      require_type(element.parts[k].dtype == other.parts[k].dtype,
                   "Datasets to interleave have different types ", element.parts[k].dtype, " and ",
                   other.parts[k].dtype);
    element = most_specific_compatible(element, other);
    variants.emplace_back(datasets[i].variant());
    options = options.merged(datasets[i].options());
  }
  return {Stage("DirectedInterleaveDataset")
              .in(selector.variant())
              .in(variants)
              .element(element)
              .made(),
          element, options};
}

Output drawn(const Input& logits, Output seed) {
  return raw::Squeeze(raw::StatelessMultinomial(logits, 1, seed), {.squeeze_dims = {0, 1}});
}

// Counts of the classes so far, and a row of their shares for each element of the batch.
Components updated_estimate(Output seen, Output classes, std::int64_t class_count,
                            std::int64_t rows) {
  const Output ones = one_hot(classes, class_count, {.dtype = DType::i64});
  const Output counts = raw::Add(seen, reduce_sum(ones, {.axis = 0}));
  const Output as_float = raw::Cast(counts, DType::f32);
  const Output shares = raw::RealDiv(as_float, reduce_sum(as_float));
  const std::int32_t multiples[] = {static_cast<std::int32_t>(rows), 1};
  return {counts,
          raw::Tile(expand_dims(shares, 0),
                    Tensor::of<std::int32_t>({2}, std::span<const std::int32_t>(multiples)))};
}

// How often each class is accepted by the sampler, and how often it is not asked at all: the share
// that needs no change. a_i = (t_i / p_i - m) / (max(t / p) - m), m = min(t / p).
Components acceptance(Output initial, const Input& target) {
  const float tiny = std::numeric_limits<float>::min();
  const Output ratio = raw::RealDiv(target, raw::Add(initial, Tensor::scalar<float>(tiny)));
  const Output highest = reduce_max(ratio), lowest = reduce_min(ratio);
  return {raw::RealDiv(raw::Sub(ratio, lowest), raw::Sub(highest, lowest)), lowest};
}

std::optional<float> known_share(const std::optional<Output>& initial, Output target) {
  if (!initial) return {};
  const auto p = static_value(*initial), t = static_value(target);
  if (!p || !t || p->element_count() != t->element_count()) return {};
  float lowest = std::numeric_limits<float>::infinity();
  for (std::int64_t i = 0; i < p->element_count(); ++i)
    lowest = std::min(lowest, t->data<float>()[static_cast<std::size_t>(i)] /
                                  (p->data<float>()[static_cast<std::size_t>(i)] +
                                   std::numeric_limits<float>::min()));
  return lowest;
}

}  // namespace

Dataset choose_from_datasets(const std::vector<Dataset>& datasets, const Dataset& choice_dataset) {
  require(!datasets.empty(), "`datasets` must not be empty");
  const std::vector<ComponentSpec>& choice = choice_dataset.element().parts;
  require_type(choice.size() == 1 && choice[0].kind == ComponentKind::kTensor &&
                   choice[0].dtype == DType::i64 &&
                   choice[0].shape.is_compatible(PartialShape::scalar()),
               "`choice_dataset` must be a dataset of scalar `tf.int64` tensors.");
  return directed_interleave(choice_dataset, datasets);
}

Dataset sample_from_datasets(const std::vector<Dataset>& datasets, const OptionalInput& weights,
                             const OptionalInput& seed) {
  require(!datasets.empty(), "`datasets` must not be empty");
  Output logits;
  if (weights) {
    const Output given = as_tensor(*weights, "weights");
    const DType type = given.dtype();
    require_type(type == DType::f32 || type == DType::f64,
                 "`weights` must be convertible to a tensor of `tf.float32` or `tf.float64` "
                 "elements.");
    require(given.shape().is_compatible(PartialShape{static_cast<std::int64_t>(datasets.size())}),
            "`weights` must be a vector of length `len(datasets)`.");
    logits = expand_dims(raw::Log(given, {.name = "logits"}), 0);
  } else {
    logits = as_tensor(Tensor::of<float>({1, static_cast<std::int64_t>(datasets.size())},
                                         std::vector<float>(datasets.size(), 1.0F)));
  }
  if (datasets.size() == 1) return datasets[0];
  const Dataset selector =
      random(seed).batch(2).map([logits](Output seeds) { return drawn(logits, seeds); });
  return directed_interleave(selector, datasets);
}

Dataset sample_from_datasets(const std::vector<Dataset>& datasets, const Dataset& weights,
                             const OptionalInput& seed) {
  require(!datasets.empty(), "`datasets` must not be empty");
  const Dataset logits = weights.map([](const Components& parts) {
    std::vector<Input> all;
    for (const Component& part : parts) all.emplace_back(part.tensor());
    return raw::Log(raw::Pack(all), {.name = "logits"});
  });
  const Dataset selector =
      Dataset::zip({logits, random(seed).batch(2)}).map([](Output row, Output seeds) {
        return drawn(row, seeds);
      });
  return directed_interleave(selector, datasets);
}

Dataset counter(const Input& start, const Input& step, DType dtype) {
  const Block in("", "counter", std::source_location::current());
  const Output first = as_tensor(start, "start", dtype), by = as_tensor(step, "step", dtype);
  const Dataset forever = Dataset::from_tensors({Component(0)}).repeat();
  return scan(forever, {Component(first)}, [by](Output state, Output) {
    return std::vector<Output>{raw::AddV2(state, by), state};
  });
}

Dataset random(const OptionalInput& seed) {
  const SeedTensors seeds = seed_tensors(seed);
  const ElementSpec element{ComponentSpec::tensor(DType::i64, PartialShape::scalar())};
  return {Stage("RandomDataset").in(seeds.seed).in(seeds.seed2).element(element).made(), element};
}

Dataset rejection_resample(const Dataset& dataset, const ElementFunction& class_func,
                           const Input& target_dist, const OptionalInput& initial_dist,
                           std::optional<std::int64_t> seed) {
  const Output target = as_tensor(target_dist, "target_dist", DType::f32);
  const PartialShape shape = target.shape();
  require(shape.has_rank() && shape.rank() == 1 && shape.dim(0) > 0,
          "target_dist must be a vector of known length");
  const std::int64_t class_count = shape.dim(0);
  const auto class_of = [class_func](const Components& parts) {
    return class_func(parts).parts.at(0).as_tensors("class").tensor();
  };
  std::optional<Output> initial;
  Dataset shares = dataset;  // of each class, one row for each element
  if (initial_dist) {
    initial = as_tensor(*initial_dist, "initial_dist", DType::f32);
    shares = Dataset::from_tensors({Component(*initial)}).repeat();
  } else {
    constexpr std::int64_t kRows = 32, kSmoothing = 10;
    const Output seen = raw::Fill(Tensor::vector<std::int64_t>({class_count}),
                                  Tensor::scalar<std::int64_t>(kSmoothing));
    shares = scan(dataset.map(class_of).batch(kRows), {Component(seen)},
                  [class_count](Output counts, Output classes) {
                    return updated_estimate(counts, classes, class_count, kRows);
                  })
                 .unbatch();
  }
  const Dataset accepted = shares.map([target](Output row) { return acceptance(row, target); });
  const auto with_class = [class_of](const Components& parts) {
    Components all{class_of(parts)};
    all.insert(all.end(), parts.begin(), parts.end());
    return all;
  };
  // Parts: how often each class is accepted, how often nothing is filtered, then the element's.
  const Dataset filtered =
      Dataset::zip({accepted, dataset})
          .map([class_of](const Components& parts) {
            const Components element(parts.begin() + 2, parts.end());
            const Output of_class = class_of(element);
            Components all{of_class, raw::GatherV2(parts[0].tensor(), of_class, 0)};
            all.insert(all.end(), element.begin(), element.end());
            return all;
          })
          .filter([seed](const Components& parts) {
            return raw::Less(random_uniform({}, {.seed = seed}), parts[1].tensor());
          })
          .map([](const Components& parts) {
            Components all{parts[0]};
            all.insert(all.end(), parts.begin() + 2, parts.end());
            return all;
          })
          .prefetch(3);
  const std::optional<float> share = known_share(initial, target);
  if (share == 1.0F) return dataset.map(with_class);
  if (share == 0.0F) return filtered;
  const Dataset weights = accepted.map([](Output, Output unfiltered) {
    return std::vector<Output>{
        expand_dims(raw::Pack({unfiltered, raw::Sub(Tensor::scalar<float>(1), unfiltered)}), 0)};
  });
  const Dataset logits = weights.map([](Output row) { return raw::Log(row, {.name = "logits"}); });
  const OptionalInput op_seed = seed ? OptionalInput(*seed) : std::nullopt;
  const Dataset selector =
      Dataset::zip({logits, random(op_seed).batch(2)}).map([](Output row, Output seeds) {
        return drawn(row, seeds);
      });
  return directed_interleave(selector, {dataset.map(with_class), filtered});
}

}  // namespace rill::data::experimental
