#include "rill/api/metrics/class_sets.h"

#include "rill/api/array/array_parts.h"
#include "rill/api/array/joining.h"
#include "rill/api/array/picking.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/core/texts.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/data_flow.h"
#include "rill/api/gen/math.h"
#include "rill/api/losses/weights_broadcast.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/operators.h"
#include "rill/api/math/reduce.h"
#include "rill/api/math/sequences.h"
#include "rill/api/sparse/sparse_ops.h"
#include "rill/graph/whole_number.h"

namespace rill::metrics {
namespace {

constexpr std::source_location kHere{};  // said by the metric's block already

const SparseTensor* sparse_of(const Labels& labels) { return std::get_if<SparseTensor>(&labels); }
Output dense_of(const Labels& labels) { return as_tensor(std::get<Input>(labels)); }

std::vector<Output> parts_of(const SparseTensor& x) { return {x.indices, x.values, x.dense_shape}; }

using MakeSparse = std::function<SparseTensor()>;
SparseTensor cond_sparse(Output pred, const MakeSparse& if_true, const MakeSparse& if_false) {
  const auto made = cond(
      pred, [&] { return parts_of(if_true()); }, [&] { return parts_of(if_false()); });
  return {made[0], made[1], made[2]};
}

SparseTensor sparse_with_last(const SparseTensor& labels, Output predictions,
                              const std::string& name) {
  const Output wanted = rank(predictions);
  const Output given = operators::add(size(labels.dense_shape), 1, kHere);
  return cond_sparse(
      raw::Equal(wanted, given),
      [&] {
        const Output shape = concat({labels.dense_shape, parts::ints({1})}, 0);
        return sparse::reshape(labels, shape, {.name = name});
      },
      [&] { return labels; });
}

// The shape with ones in place of `axes`.
Output reduced_shape(Output given, Output axes) {
  const Output dims = cast(given, DType::i32);
  const Output count = size(dims);
  const Output positive = operators::mod(operators::add(axes, count, kHere), count, kHere);
  const Output axes_shape = shape(positive);
  const Output all = range(count);
  const Output single = ones(axes_shape, {.dtype = DType::i32});
  return raw::DynamicStitch({all, positive}, {dims, single});
}

Labels select_class(const Labels& ids, std::int64_t class_id) {
  if (const SparseTensor* sparse = sparse_of(ids))
    return sparse::retain(*sparse, raw::Equal(sparse->values, class_id));
  const Output dense = dense_of(ids);
  const Output dims = shape(dense, {.out_type = DType::i64});
  const Output last = operators::sub(size(dims), 1, kHere);
  const Output filled_shape = reduced_shape(dims, raw::Reshape(last, parts::ints({1})));
  const Output filled = raw::Fill(filled_shape, cast(whole_number(class_id), DType::i64));
  const SparseTensor found = sets::intersection(filled, dense);
  return SparseTensor(found.indices, found.values, dims);
}

SparseTensor combined(SetCount what, const Labels& labels, const Labels& predictions) {
  if (what == SetCount::kTruePositive) return sets::intersection(predictions, labels);
  return sets::difference(predictions, labels, {.b_minus_a = what == SetCount::kFalseNegative});
}

const char* scope_name(SetCount what) {
  if (what == SetCount::kTruePositive) return "true_positives";
  return what == SetCount::kFalsePositive ? "false_positives" : "false_negatives";
}

Output in_range(Output values, Output num_classes) {
  const Output is_unknown = raw::GreaterEqual(values, num_classes);
  const Output none = operators::mul(-1, ones_like(values), kHere);
  return raw::SelectV2(is_unknown, none, values);
}

Labels tiled_sparse(const SparseTensor& x, std::int64_t multiple, int dim,
                    const std::string& name) {
  const Input place =
      dim < 0
          ? Input(raw::Reshape(operators::add(size(x.dense_shape), dim, kHere), parts::ints({1})))
          : parts::ints({dim});
  const Output before = raw::Slice(x.dense_shape, parts::ints({0}), place);
  const Output after = raw::Slice(x.dense_shape, place, parts::ints({-1}));
  const Output shape = concat({before, parts::ints({1}), after}, 0, {.name = "expanded_shape"});
  const SparseTensor expanded = sparse::reshape(x, shape, {.name = "expand"});
  if (multiple == 1) return expanded;
  const std::vector<SparseTensor> copies(static_cast<std::size_t>(multiple), expanded);
  return sparse::concat(dim < 0 ? dim - 1 : dim, copies, {.name = name});
}

}  // namespace

std::string at_k_name(const char* name, std::optional<std::int64_t> k,
                      std::optional<std::int64_t> class_id) {
  const std::string at = k ? str_cat(name, "_at_", *k) : str_cat(name, "_at_k");
  return class_id ? str_cat(at, "_class", *class_id) : at;
}

Labels with_last_dimension(const Labels& labels, Output predictions) {
  const Block in("", "expand_labels", kHere);
  if (const SparseTensor* sparse = sparse_of(labels))
    return sparse_with_last(*sparse, predictions, in.own_name());
  const Output dense = dense_of(labels);
  const PartialShape &given = dense.shape(), &wanted = predictions.shape();
  const auto expanded = [&] { return expand_dims(dense, -1, {.name = in.own_name()}); };
  if (given.has_rank() && wanted.has_rank()) {
    if (wanted.rank() == given.rank()) return Input(dense);
    require(wanted.rank() == given.rank() + 1, "Unexpected labels shape ", shape_text(given),
            " for predictions shape ", shape_text(wanted),
            ". Predictions rank should be the same rank as labels rank or labels rank plus one .");
    return Input(expanded());
  }
  const Output predictions_rank = rank(predictions);
  const Output one_more = operators::add(rank(dense), 1, kHere);
  return Input(cond_one(raw::Equal(predictions_rank, one_more), expanded, [&] { return dense; }));
}

Labels without_unknown(const Labels& labels, Output num_classes) {
  const SparseTensor* sparse = sparse_of(labels);
  const Output values = sparse ? sparse->values : dense_of(labels);
  const Output is_any = raw::GreaterEqual(reduce_max(values), num_classes);
  const auto cleaned = [&] { return in_range(values, num_classes); };
  if (!sparse) return Input(cond_one(is_any, cleaned, [&] { return values; }));
  return cond_sparse(
      is_any, [&] { return SparseTensor(sparse->indices, cleaned(), sparse->dense_shape); },
      [&] { return *sparse; });
}

Labels expand_and_tile(const Labels& labels, std::int64_t multiple, int dim, const char* name) {
  const Block in(name, "expand_and_tile", kHere);
  if (const SparseTensor* sparse = sparse_of(labels))
    return tiled_sparse(*sparse, multiple, dim, in.own_name());
  const Output dense = dense_of(labels);
  const Output expanded = expand_dims(dense, dim >= 0 ? dim : dim - 1, {.name = "expand"});
  if (multiple == 1) return Input(expanded);
  const Output single = ones_like(shape(dense));
  const Output before = slice(single, {SliceRange{.stop = dim}});
  const Output after = slice(single, {SliceRange{.start = dim}});
  const Output multiples =
      concat({before, parts::ints({multiple}), after}, 0, {.name = "multiples"});
  return Input(raw::Tile(expanded, multiples, {.name = in.own_name()}));
}

Output num_relevant(const Labels& labels, std::int64_t k) {
  const Block in("", "num_relevant", kHere);
  if (const SparseTensor* sparse = sparse_of(labels))
    return raw::Minimum(sets::size(*sparse), k, {.name = in.own_name()});
  const Output dense = dense_of(labels);
  const Output is_class = raw::GreaterEqual(dense, 0);
  const Output single = ones_like(dense);
  const Output counted = raw::SelectV2(is_class, single, zeros_like(dense));
  return raw::Minimum(reduce_sum(counted, {.axis = -1}), k, {.name = in.own_name()});
}

Output count_sets(SetCount what, const Labels& given_labels, const Input& given_predictions,
                  const SetCountOptions& options) {
  const Block in(options.name, scope_name(what), kHere);
  Labels labels = given_labels, predictions = given_predictions;
  if (options.class_id) {
    labels = select_class(labels, *options.class_id);
    predictions = select_class(predictions, *options.class_id);
  }
  const Output number = cast(sets::size(combined(what, labels, predictions)), DType::f64);
  if (!options.weights) return number;
  Node* const fits = &assert_broadcastable(*options.weights, number);
  const ControlDependencies wait(std::span(&fits, 1));
  return raw::Mul(number, cast(*options.weights, DType::f64));
}

}  // namespace rill::metrics
