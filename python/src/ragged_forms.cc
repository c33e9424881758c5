// The forms that functions of plain tensors have for ragged ones.
#include "array_functions.h"
#include "dispatch.h"
#include "errors.h"
#include "ragged_tensors.h"
#include "rill/api/math/math_parts.h"
#include "rill/api/ragged/ragged_joining.h"
#include "rill/api/ragged/ragged_picking.h"
#include "rill/api/ragged/ragged_reduce.h"

namespace rill::python {
namespace {

using ragged::RaggedOrDense;
using ragged::Reduction;
using ragged::Segments;

std::vector<RaggedOrDense> ragged_values(nb::handle values) {
  std::vector<RaggedOrDense> all;
  if (is_ragged(values) || !is_sequence(values)) return {ragged_or_dense(values)};
  DType type = DType::invalid;
  for (nb::handle value : values)
    if (is_ragged(value)) type = std::get<RaggedTensor>(ragged_or_dense(value)).dtype();
  for (nb::handle value : values) all.push_back(ragged_or_dense(value, type));
  return all;
}

RaggedTensor ragged_argument(const Call& call, const char* name) {
  const RaggedOrDense value = ragged_or_dense(call[name]);
  if (const auto* rows = std::get_if<RaggedTensor>(&value)) return *rows;
  type_error("'", name, "' must be a RaggedTensor here");
}

std::vector<int> axes_of(nb::handle value) {
  const std::vector<std::int64_t> all =
      is_tensor(value) ? math_parts::known_integers(tensor_object(value).output, "axis")
                       : integers(value);
  return {all.begin(), all.end()};
}

int axis_of(nb::handle value) {
  const std::vector<int> axes = axes_of(value);
  if (axes.size() != 1) value_error("one axis is needed, got ", repr_of(value));
  return axes[0];
}

nb::object gather_rows(const Call& call) {
  const int batch_dims = static_cast<int>(call.integer("batch_dims"));
  const RaggedOrDense params = ragged_or_dense(call["params"]);
  const int axis = call.has("axis") ? axis_of(call["axis"]) : batch_dims;
  if (axis != batch_dims)
    value_error("tf.gather of ragged tensors takes axis=batch_dims, not axis=", axis,
                " with batch_dims=", batch_dims);
  return give(
      ragged::gather(params, ragged_or_dense(call["indices"]), batch_dims, {.name = call.name()}));
}

nb::object gather_rows_nd(const Call& call) {
  if (call.integer("batch_dims") != 0)
    value_error("batch_dims is not supported for gather_nd of ragged tensors");
  return give(ragged::gather_nd(ragged_or_dense(call["params"]), ragged_or_dense(call["indices"]),
                                {.name = call.name()}));
}

nb::object batch_gather_rows(const Call& call) {
  return give(ragged::batch_gather(ragged_or_dense(call["params"]),
                                   ragged_or_dense(call["indices"]), {.name = call.name()}));
}

template <bool kBroadcasts>
nb::object where_rows(const Call& call) {
  if (call.has("x") != call.has("y")) value_error("x and y must both be non-None or both be None.");
  if (!call.has("x"))
    return give(ragged::where(ragged_argument(call, "condition"), {.name = call.name()}));
  const RaggedOrDense condition = ragged_or_dense(call["condition"], DType::boolean);
  const RaggedOrDense x = ragged_or_dense(call["x"]);
  const auto* rows = std::get_if<RaggedTensor>(&x);
  const DType type = rows != nullptr ? rows->dtype() : base_type(std::get<Output>(x).dtype());
  const RaggedOrDense y = ragged_or_dense(call["y"], type);
  if (kBroadcasts) return give(ragged::where_v2(condition, x, y, {.name = call.name()}));
  return give(ragged::where(condition, x, y, {.name = call.name()}));
}

nb::object mask_rows(const Call& call) {
  if (call.has("axis") && call.integer("axis") != 0)
    value_error("boolean_mask of ragged tensors takes axis=0 alone");
  return give(ragged::boolean_mask(ragged_or_dense(call["tensor"]),
                                   ragged_or_dense(call["mask"], DType::boolean),
                                   {.name = call.name()}));
}

ragged::RaggedReduceOptions reduction_options(const Call& call) {
  return {.axes = axes_of(call[call.given("axis", "reduction_indices")]),
          .keepdims = call.flag(call.given("keepdims", "keep_dims")),
          .name = call.name()};
}

template <Reduction kHow>
nb::object reduce_rows(const Call& call) {
  return give(ragged::reduce(kHow, ragged_argument(call, "input_tensor"), reduction_options(call)));
}

template <Segments kHow>
nb::object segment_rows(const Call& call) {
  return give(ragged::unsorted_segment(kHow, ragged_or_dense(call["data"]),
                                       ragged_or_dense(call["segment_ids"]),
                                       call.input("num_segments"), call.name()));
}

constexpr RaggedForm kForms[] = {
    {"concat",
     [](const Call& call) {
       return give(ragged::concat(ragged_values(call["values"]), axis_of(call["axis"])));
     }},
    {"stack",
     [](const Call& call) {
       return give(ragged::stack(ragged_values(call["values"]), axis_of(call["axis"])));
     }},
    {"expand_dims",
     [](const Call& call) {
       return give(ragged::expand_dims(ragged_or_dense(call["input"]),
                                       axis_of(either(call, "axis", "dim")),
                                       {.name = call.name()}));
     }},
    {"squeeze",
     [](const Call& call) {
       return give(ragged::squeeze(ragged_or_dense(call["input"]),
                                   axes_of(either(call, "axis", "squeeze_dims")),
                                   {.name = call.name()}));
     }},
    {"tile",
     [](const Call& call) {
       return give(ragged::tile(ragged_argument(call, "input"), call.input("multiples"),
                                {.name = call.name()}));
     }},
    {"reverse",
     [](const Call& call) {
       return give(ragged::reverse(ragged_argument(call, "tensor"), axes_of(call["axis"]),
                                   {.name = call.name()}));
     }},
    {"rank",
     [](const Call& call) {
       return give(ragged::rank(ragged_argument(call, "input"), {.name = call.name()}));
     }},
    {"size",
     [](const Call& call) {
       return give(ragged::size(ragged_argument(call, "input"), call.dtype("out_type"),
                                {.name = call.name()}));
     }},
    {"gather", gather_rows},
    {"gather_nd", gather_rows_nd},
    {"batch_gather", batch_gather_rows},
    {"where", where_rows<false>},
    {"where_v2", where_rows<true>},
    {"boolean_mask", mask_rows},
    {"math.reduce_sum", reduce_rows<Reduction::kSum>},
    {"math.reduce_prod", reduce_rows<Reduction::kProd>},
    {"math.reduce_max", reduce_rows<Reduction::kMax>},
    {"math.reduce_min", reduce_rows<Reduction::kMin>},
    {"math.reduce_any", reduce_rows<Reduction::kAny>},
    {"math.reduce_all", reduce_rows<Reduction::kAll>},
    {"math.reduce_mean", reduce_rows<Reduction::kMean>},
    {"math.unsorted_segment_sum", segment_rows<Segments::kSum>},
    {"math.unsorted_segment_prod", segment_rows<Segments::kProd>},
    {"math.unsorted_segment_max", segment_rows<Segments::kMax>},
    {"math.unsorted_segment_min", segment_rows<Segments::kMin>},
    {"math.unsorted_segment_mean", segment_rows<Segments::kMean>},
    {"math.unsorted_segment_sqrt_n", segment_rows<Segments::kSqrtN>},
    {"strings.reduce_join",
     [](const Call& call) {
       return give(ragged::reduce_join(ragged_argument(call, "inputs"), call.text("separator"),
                                       reduction_options(call)));
     }},
};

}  // namespace

std::span<const RaggedForm> ragged_forms() { return kForms; }

}  // namespace rill::python
