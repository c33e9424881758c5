#include "errors.h"
#include "math_functions.h"
#include "plain_values.h"
#include "rill/api/math/histogram.h"
#include "rill/api/math/norms.h"
#include "rill/api/math/reduce.h"

namespace rill::python {
namespace {

// Arguments under their new or their old names.
ReduceOptions reduce_options(const Call& call) {
  return {.axis = call.optional_input(call.given("axis", "reduction_indices")),
          .keepdims = call.flag(call.given("keepdims", "keep_dims")),
          .name = call.name()};
}

template <auto F>
nb::object reduce(const Call& call) {
  return give(F(call.input("input_tensor"), reduce_options(call), {}));
}

// Of functions without old names.
template <auto F>
nb::object reduce_new(const Call& call) {
  return give(F(
      call.input("input_tensor"),
      {.axis = call.optional_input("axis"), .keepdims = call.flag("keepdims"), .name = call.name()},
      {}));
}

nb::object count_nonzeros(const Call& call) {
  return give(count_nonzero(call.input(call.given("input_tensor", "input")),
                            {.axis = call.optional_input(call.given("axis", "reduction_indices")),
                             .keepdims = call.flag(call.given("keepdims", "keep_dims")),
                             .dtype = call.dtype("dtype", DType::i64),
                             .name = call.name()},
                            {}));
}

NormOrder order_of(nb::handle ord) {
  if (PyUnicode_Check(ord.ptr())) return NormOrder(str_of(ord));
  return NormOrder(number_of(ord));
}

std::vector<std::int64_t> norm_axes(const Call& call) {
  if (!call.has("axis")) return {};
  const bool is_list = PyList_Check(call["axis"].ptr()) || PyTuple_Check(call["axis"].ptr());
  if (is_list && nb::len(call["axis"]) != 2)
    value_error("'axis' must be None, an integer, or a tuple of 2 unique integers, got ",
                repr_of(call["axis"]));
  return call.integers("axis");
}

nb::object norm_of(const Call& call) {
  return give(norm(call.input("tensor"),
                   {.ord = order_of(call["ord"]),
                    .axis = norm_axes(call),
                    .keepdims = call.flag(call.given("keepdims", "keep_dims")),
                    .name = call.name()},
                   {}));
}

constexpr Function kFunctions[] = {
    {"math.reduce_sum(input_tensor, axis=None, keepdims=None, name=None, reduction_indices=None, "
     "keep_dims=None)",
     reduce<reduce_sum>, "The sum over axes."},
    {"math.reduce_mean(input_tensor, axis=None, keepdims=None, name=None, reduction_indices=None, "
     "keep_dims=None)",
     reduce<reduce_mean>, "The mean over axes."},
    {"math.reduce_max(input_tensor, axis=None, keepdims=None, name=None, reduction_indices=None, "
     "keep_dims=None)",
     reduce<reduce_max>, "The largest value over axes."},
    {"math.reduce_min(input_tensor, axis=None, keepdims=None, name=None, reduction_indices=None, "
     "keep_dims=None)",
     reduce<reduce_min>, "The smallest value over axes."},
    {"math.reduce_prod(input_tensor, axis=None, keepdims=None, name=None, reduction_indices=None, "
     "keep_dims=None)",
     reduce<reduce_prod>, "The product over axes."},
    {"math.reduce_any(input_tensor, axis=None, keepdims=None, name=None, reduction_indices=None, "
     "keep_dims=None)",
     reduce<reduce_any>, "Whether any is true over axes."},
    {"math.reduce_all(input_tensor, axis=None, keepdims=None, name=None, reduction_indices=None, "
     "keep_dims=None)",
     reduce<reduce_all>, "Whether all are true over axes."},
    {"math.reduce_logsumexp(input_tensor, axis=None, keepdims=None, name=None, "
     "reduction_indices=None, "
     "keep_dims=None)",
     reduce<reduce_logsumexp>, "log(sum(exp(x))) over axes, without overflow."},
    {"math.reduce_euclidean_norm(input_tensor, axis=None, keepdims=False, name=None)",
     reduce_new<math::reduce_euclidean_norm>, "The root of the sum of squares over axes."},
    {"math.reduce_variance(input_tensor, axis=None, keepdims=False, name=None)",
     reduce_new<math::reduce_variance>, "The variance over axes."},
    {"math.reduce_std(input_tensor, axis=None, keepdims=False, name=None)",
     reduce_new<math::reduce_std>, "The standard deviation over axes."},
    {"math.count_nonzero(input_tensor=None, axis=None, keepdims=None, dtype=tf.int64, name=None, "
     "reduction_indices=None, keep_dims=None, input=None)",
     count_nonzeros, "How many elements are not zero, over axes."},
    {"math.zero_fraction(value, name=None)",
     [](const Call& call) {
       return give(math::zero_fraction(call.input("value"), call.name(), {}));
     },
     "The share of elements that are zero."},
    {"norm(tensor, ord='euclidean', axis=None, keepdims=None, name=None, keep_dims=None)", norm_of,
     "The norm of vectors or matrices."},
    {"linalg.normalize(tensor, ord='euclidean', axis=None, name=None)",
     [](const Call& call) {
       const Normalized result = linalg::normalize(
           call.input("tensor"),
           {.ord = order_of(call["ord"]), .axis = norm_axes(call), .name = call.name()}, {});
       return nb::object(nb::make_tuple(give(result.normalized), give(result.norm)));
     },
     "A tensor divided by its norm, and that norm."},
    {"histogram_fixed_width_bins(values, value_range, nbins=100, dtype=tf.int32, name=None)",
     [](const Call& call) {
       return give(histogram_fixed_width_bins(call.input("values"), call.input("value_range"),
                                              {.nbins = call.input("nbins"),
                                               .dtype = call.dtype("dtype", DType::i32),
                                               .name = call.name()},
                                              {}));
     },
     "Which of equal parts of a range each value falls into."},
    {"linalg.trace(x, name=None)", unary<trace>, "The sums of main diagonals."},
    {"math.l2_normalize(x, axis=None, epsilon=1e-12, name=None, dim=None)",
     [](const Call& call) {
       return give(math::l2_normalize(call.input("x"),
                                      {.axis = call.optional_input(call.given("axis", "dim")),
                                       .epsilon = call.input("epsilon"),
                                       .name = call.name()},
                                      {}));
     },
     "Vectors scaled to length 1."},
};

}  // namespace

void add_reduce_functions() { add_functions(kFunctions); }

}  // namespace rill::python
