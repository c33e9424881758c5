#include "math_functions.h"

#include "errors.h"
#include "inputs.h"
#include "rill/api/math/arithmetic.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/search.h"
#include "rill/api/math/segments.h"
#include "rill/api/math/sequences.h"
#include "rill/api/math/squeezable.h"
#include "rill/api/metrics/confusion_matrix.h"
#include "rill/api/sparse/sparse_facts.h"
#include "rows.h"
#include "sparse_tensors.h"

namespace rill::python {
namespace {

// Whatever can be gone through, as a list of tensors.
std::vector<Input> all_of(const Call& call, std::string_view name) {
  if (is_tensor(call[name]))
    type_error(
        "Tensor objects are only iterable when eager execution is enabled. To iterate over "
        "this tensor use tf.map_fn.");
  nb::list items;
  for (nb::handle item : call[name]) items.append(item);
  std::vector<Input> inputs;
  for (nb::handle item : items) inputs.push_back(input_of(item, DType::invalid, "", name));
  return inputs;
}

SparseSegmentOptions segment_options(const Call& call) {
  return {.num_segments = call.optional_input("num_segments"), .name = call.name()};
}

// A cast under its old name.
template <auto to_type_of_tensor, DType dtype>
nb::object to_type(const Call& call) {
  if (is_sparse(call["x"])) return give(sparse::cast(sparse_of(call["x"]), dtype, {call.name()}));
  return unary<to_type_of_tensor>(call);
}

template <auto F>
nb::object sparse_segment(const Call& call) {
  return give(F(call.input("data"), call.input("indices"), call.input("segment_ids"),
                segment_options(call), {}));
}

template <auto F>
nb::object unsorted_segment(const Call& call) {
  return give(F(call.input("data"), call.input("segment_ids"), call.input("num_segments"),
                {.name = call.name()}, {}));
}

template <auto F>
nb::object arg_of(const Call& call) {
  const std::string_view axis = call.given("axis", "dimension");
  return give(F(call.input("input"),
                {.axis = call.has(axis) ? call.input(axis) : Input(0),
                 .output_type = call.dtype("output_type", DType::i64),
                 .name = call.name()},
                {}));
}

nb::object range_of(const Call& call) {
  RangeOptions options{.delta = call.input("delta"), .dtype = call.dtype("dtype")};
  options.name = call.name();
  if (!call.has("limit")) return give(range(call.input("start"), options, {}));
  return give(range(call.input("start"), call.input("limit"), options, {}));
}

constexpr Function kFunctions[] = {
    {"math.add(x, y, name=None)", binary<add>, "x + y, element by element; strings are joined."},
    {"math.add_n(inputs, name=None)",
     [](const Call& call) {
       return give(add_n(all_of(call, "inputs"), {.name = call.name()}, {}));
     },
     "The sum of tensors of one shape."},
    {"math.accumulate_n(inputs, shape=None, tensor_dtype=None, name=None)",
     [](const Call& call) {
       return give(accumulate_n(all_of(call, "inputs"),
                                {.shape = call.shape("shape"),
                                 .tensor_dtype = call.dtype("tensor_dtype"),
                                 .name = call.name()},
                                {}));
     },
     "The sum of tensors of one shape, which may be given."},
    {"div(x, y, name=None)", binary<div>, "x / y; integers are divided downwards."},
    {"math.divide(x, y, name=None)", binary<divide>, "x / y, as the operator."},
    {"math.truediv(x, y, name=None)", binary<truediv>, "x / y; integers become floats first."},
    {"math.scalar_mul(scalar, x, name=None)",
     [](const Call& call) {
       if (const auto rows = rows_of(call["x"]))
         return give(Gradient(scalar_mul(call.input("scalar"), *rows, {.name = call.name()}, {})));
       return give(scalar_mul(call.input("scalar"), call.input("x"), {.name = call.name()}, {}));
     },
     "A scalar times a tensor."},
    {"math.abs(x, name=None)", unary<abs>, "The size of numbers."},
    {"math.round(x, name=None)", unary<round>, "The nearest whole numbers, halves to even."},
    {"math.logical_xor(x, y, name='LogicalXor')", binary<logical_xor>,
     "Whether one is true, but not both."},
    {"math.log_sigmoid(x, name=None)", unary<log_sigmoid>, "log(sigmoid(x))."},
    {"math.lbeta(x, name=None)", unary<lbeta>, "log(abs(Beta(x))), over the last axis."},
    {"math.reciprocal_no_nan(x, name=None)", unary<math::reciprocal_no_nan>,
     "1 / x, and 0 where x is 0."},
    {"math.xdivy(x, y, name=None)", binary<math::xdivy>, "x / y, and 0 where x is 0."},
    {"math.bessel_i0(x, name=None)", unary<math::bessel_i0>, "Modified Bessel function, order 0."},
    {"math.bessel_i0e(x, name=None)", unary<math::bessel_i0e>, "exp(-abs(x)) * bessel_i0(x)."},
    {"math.bessel_i1(x, name=None)", unary<math::bessel_i1>, "Modified Bessel function, order 1."},
    {"math.bessel_i1e(x, name=None)", unary<math::bessel_i1e>, "exp(-abs(x)) * bessel_i1(x)."},
    {"math.polyval(coeffs, x, name=None)",
     [](const Call& call) {
       if (!PyList_Check(call["coeffs"].ptr()))
         value_error("Argument coeffs must be list type. Received type <class '",
                     type_name_of(call["coeffs"]), "'>.");
       return give(
           math::polyval(call.inputs("coeffs"), call.input("x"), {.name = call.name()}, {}));
     },
     "The polynomial with these coefficients at x, the highest power first."},
    {"clip_by_value(t, clip_value_min, clip_value_max, name=None)",
     [](const Call& call) {
       if (const auto rows = rows_of(call["t"]))
         return give(
             Gradient(clip_by_value(*rows, call.input("clip_value_min"),
                                    call.input("clip_value_max"), {.name = call.name()}, {})));
       return give(clip_by_value(call.input("t"), call.input("clip_value_min"),
                                 call.input("clip_value_max"), {.name = call.name()}, {}));
     },
     "Values brought between two bounds."},
    {"cast(x, dtype, name=None)",
     [](const Call& call) {
       if (is_sparse(call["x"]))
         return give(sparse::cast(sparse_of(call["x"]), call.dtype("dtype"), {call.name()}));
       if (const auto rows = rows_of(call["x"]))
         return give(Gradient(
             IndexedSlices{cast(rows->values, call.dtype("dtype"), {.name = call.name()}, {}),
                           rows->indices, rows->dense_shape}));
       return give(cast(call.input("x"), call.dtype("dtype"), {.name = call.name()}, {}));
     },
     "A tensor as another type."},
    {"dtypes.saturate_cast(value, dtype, name=None)",
     [](const Call& call) {
       return give(
           saturate_cast(call.input("value"), call.dtype("dtype"), {.name = call.name()}, {}));
     },
     "A tensor as another type, with values that do not fit at the ends of its range."},
    {"to_float(x, name='ToFloat')", to_type<to_float, DType::f32>, "A tensor as float32."},
    {"to_double(x, name='ToDouble')", to_type<to_double, DType::f64>, "A tensor as float64."},
    {"to_int32(x, name='ToInt32')", to_type<to_int32, DType::i32>, "A tensor as int32."},
    {"to_int64(x, name='ToInt64')", to_type<to_int64, DType::i64>, "A tensor as int64."},
    {"to_bfloat16(x, name='ToBFloat16')", unary<to_bfloat16>, "A tensor as bfloat16."},
    {"to_complex64(x, name='ToComplex64')", unary<to_complex64>, "A tensor as complex64."},
    {"to_complex128(x, name='ToComplex128')", unary<to_complex128>, "A tensor as complex128."},
    {"dtypes.complex(real, imag, name=None)",
     [](const Call& call) {
       return give(complex(call.input("real"), call.input("imag"), {.name = call.name()}, {}));
     },
     "Complex numbers of their parts."},
    {"math.real(input, name=None)", unary<real>, "The real part."},
    {"math.imag(input, name=None)", unary<imag>, "The imaginary part."},
    {"math.conj(x, name=None)", unary<conj>, "The conjugate."},
    {"math.angle(input, name=None)", unary<angle>, "The angle of numbers in the complex plane."},
    {"math.argmax(input, axis=None, name=None, dimension=None, output_type=tf.int64)",
     arg_of<argmax>, "Where along an axis the largest value is."},
    {"math.argmin(input, axis=None, name=None, dimension=None, output_type=tf.int64)",
     arg_of<argmin>, "Where along an axis the smallest value is."},
    {"math.in_top_k(predictions, targets, k, name=None)",
     [](const Call& call) {
       return give(math::in_top_k(call.input("predictions"), call.input("targets"), call.input("k"),
                                  {.name = call.name()}, {}));
     },
     "Whether the target is among the k largest predictions."},
    {"range(start, limit=None, delta=1, dtype=None, name='range')", range_of,
     "Numbers from start up to, but without, limit."},
    {"sparse.segment_sum(data, indices, segment_ids, name=None, num_segments=None)",
     sparse_segment<sparse_segment_sum>, "Sums of chosen rows by segment."},
    {"sparse.segment_mean(data, indices, segment_ids, name=None, num_segments=None)",
     sparse_segment<sparse_segment_mean>, "Means of chosen rows by segment."},
    {"sparse.segment_sqrt_n(data, indices, segment_ids, name=None, num_segments=None)",
     sparse_segment<sparse_segment_sqrt_n>,
     "Sums of chosen rows by segment, divided by the root of their number."},
    {"math.unsorted_segment_mean(data, segment_ids, num_segments, name=None)",
     unsorted_segment<unsorted_segment_mean>, "Means by segment."},
    {"math.unsorted_segment_sqrt_n(data, segment_ids, num_segments, name=None)",
     unsorted_segment<unsorted_segment_sqrt_n>, "Sums by segment over the root of their number."},
    {"math.confusion_matrix(labels, predictions, num_classes=None, dtype=tf.int32, name=None, "
     "weights=None)",
     [](const Call& call) {
       return give(confusion_matrix(call.input("labels"), call.input("predictions"),
                                    {.num_classes = call.optional_input("num_classes"),
                                     .dtype = call.dtype("dtype", DType::i32),
                                     .weights = call.optional_input("weights"),
                                     .name = call.name()},
                                    {}));
     },
     "How often each label was predicted as each class."},
    {"__internal__.math.remove_squeezable_dimensions(labels, predictions, expected_rank_diff=0, "
     "name=None)",
     [](const Call& call) {
       const LabelsAndPredictions both = remove_squeezable_dimensions(
           call.input("labels"), call.input("predictions"),
           {.expected_rank_diff = static_cast<int>(call.integer("expected_rank_diff")),
            .name = call.name()},
           {});
       return nb::object(nb::make_tuple(give(both.labels), give(both.predictions)));
     },
     "Labels and predictions without a last dimension of 1 that the other does not have."},
    {"math.bincount(arr, weights=None, minlength=None, maxlength=None, dtype=tf.int32)",
     [](const Call& call) {
       return give(bincount(call.input("arr"),
                            {.weights = call.optional_input("weights"),
                             .minlength = call.optional_input("minlength"),
                             .maxlength = call.optional_input("maxlength"),
                             .dtype = call.dtype("dtype", DType::i32)},
                            {}));
     },
     "How often each number occurs."},
};

}  // namespace

void add_math_functions() { add_functions(kFunctions); }

}  // namespace rill::python
