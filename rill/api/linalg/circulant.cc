// Operators that are convolutions: they multiply frequencies.
#include "rill/api/array/array_parts.h"
#include "rill/api/array/joining.h"
#include "rill/api/array/picking.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/basic_ops.h"
#include "rill/api/core/slicing.h"
#include "rill/api/core/texts.h"
#include "rill/api/debugging/assertions.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/gen/spectral.h"
#include "rill/api/linalg/operator_parts.h"
#include "rill/api/math/math.h"

namespace rill::linalg {
namespace {

PartialShape last_dims_of_shape(const PartialShape& shape, int count) {
  if (!shape.has_rank()) return {};
  return PartialShape(shape.dims().last(static_cast<std::size_t>(count)));
}
PartialShape first_dims(const PartialShape& shape, int without) {
  if (!shape.has_rank()) return {};
  return PartialShape(shape.dims().first(static_cast<std::size_t>(shape.rank() - without)));
}

std::vector<std::int64_t> last_axes(int depth) {
  std::vector<std::int64_t> axes;
  for (int i = 1; i <= depth; ++i) axes.push_back(-i);
  return axes;
}

}  // namespace

void CirculantOperator::take(int depth, const Input& given, const CirculantOptions& options,
                             const char* type, At at) {
  depth_ = depth;
  const Block in(options.name, type, at);
  const Output x = as_tensor(given, "spectrum");
  require(!x.shape().has_rank() || x.shape().rank() >= depth,
          "Argument `spectrum` must have at least ", depth,
          " dimensions.  Found: ", tensor_text(x));
  add_tensor("spectrum", x);
  OperatorHints hints = options;
  if (!is_complex(base_type(x.dtype()))) {
    require(hints.is_self_adjoint != false,
            "A real spectrum always corresponds to a self-adjoint operator.");
    hints.is_self_adjoint = true;
  }
  require(hints.is_square != false, "A [[nested] block] circulant operator is always square.");
  hints.is_square = true;
  set_up(options.input_output_dtype, hints, options.name.empty() ? type : options.name);
}

PartialShape CirculantOperator::block_shape() const {
  return last_dims_of_shape(spectrum().shape(), depth_);
}

Output CirculantOperator::block_shape_tensor() {
  const PartialShape known = block_shape();
  if (known.is_full()) return as_tensor(rill::shape_tensor(known.full()), "block_shape");
  return slice(rill::shape(spectrum()), {SliceRange{.start = -depth_}});
}

PartialShape CirculantOperator::do_shape() const {
  const PartialShape block = block_shape();
  const std::int64_t size = block.is_full() ? block.element_count() : kUnknownDim;
  return joined(first_dims(spectrum().shape(), depth_), PartialShape{size, size});
}

Output CirculantOperator::shape_tensor_of(Output spectrum) const {
  const Output dims = rill::shape(spectrum);
  const Output batch = slice(dims, {SliceRange{.stop = -depth_}});
  const Output size = reduce_prod(slice(dims, {SliceRange{.start = -depth_}}));
  return concat({batch, parts::list_of({size, size})}, 0);
}
Output CirculantOperator::do_shape_tensor() { return shape_tensor_of(spectrum()); }

Output CirculantOperator::transformed(Output x, bool back) const {
  const Output complex = to_complex(x);
  switch (depth_) {
    case 1:
      return back ? Output(raw::IFFT(complex)) : Output(raw::FFT(complex));
    case 2:
      return back ? Output(raw::IFFT2D(complex)) : Output(raw::FFT2D(complex));
    default:
      return back ? Output(raw::IFFT3D(complex)) : Output(raw::FFT3D(complex));
  }
}

// Columns as vectors, and these in the shape of blocks.
Output CirculantOperator::in_blocks(Output matrix) {
  const Output vectors = rotated(matrix, 1);
  const PartialShape block = block_shape();
  if (vectors.shape().is_full() && block.is_full())
    return raw::Reshape(vectors, ShapeInput(joined(first_dims(vectors.shape(), 1), block).full()));
  const Output leading = slice(rill::shape(vectors), {SliceRange{.stop = -1}});
  return raw::Reshape(vectors, concat({leading, block_shape_tensor()}, 0));
}

Output CirculantOperator::flattened(Output x) const {
  if (x.shape().is_full()) {
    PartialShape flat = first_dims(x.shape(), depth_);
    flat.add_dim(last_dims_of_shape(x.shape(), depth_).element_count());
    return raw::Reshape(x, ShapeInput(flat.full()));
  }
  const Output dims = rill::shape(x);
  const Output leading = slice(dims, {SliceRange{.stop = -depth_}});
  const Output size = reduce_prod(slice(dims, {SliceRange{.start = -depth_}}));
  return raw::Reshape(x, concat({leading, parts::list_of({size})}, 0));
}

Output CirculantOperator::by_frequencies(Output x, const Adjoints& a, bool solves) {
  if (a.adjoint_arg) x = linalg::adjoint(x);
  Output frequencies = to_complex(spectrum());
  if (a.adjoint) frequencies = conj(frequencies);
  if (!solves) x = cast(x, base_type(frequencies.dtype()));
  const Output batch = batch_dims(shape_tensor_of(frequencies));
  const Output columns = raw::Reshape(frequencies, concat({batch, parts::ints({-1, 1})}, 0));
  const std::vector<Output> both = with_common_batch({x, columns});
  const Output x_batch = slice(rill::shape(both[0]), {SliceRange{.stop = -2}});
  const Output dims = rill::shape(frequencies);
  const PartialShape known_block = block_shape();
  const Output block = known_block.is_full()
                           ? as_tensor(rill::shape_tensor(known_block.full()), "block_shape")
                           : slice(dims, {SliceRange{.start = -depth_}});
  frequencies = raw::Reshape(both[1], concat({x_batch, block}, 0));
  const Output at_frequencies = transformed(in_blocks(both[0]), false);
  const Output product = solves ? at_frequencies / frequencies : frequencies * at_frequencies;
  return cast(rotated(flattened(transformed(product, true)), -1), dtype());
}
Output CirculantOperator::do_matmul(Output x, const Adjoints& a) {
  return by_frequencies(x, a, false);
}
Output CirculantOperator::do_solve(Output rhs, const Adjoints& a) {
  return by_frequencies(rhs, a, true);
}

Output CirculantOperator::do_determinant() {
  return cast(reduce_prod(spectrum(), {.axis = parts::ints(last_axes(depth_))}), dtype());
}
Output CirculantOperator::do_log_abs_determinant() {
  const Output log = raw::Log(rill::abs(spectrum()));
  return cast(reduce_sum(log, {.axis = parts::ints(last_axes(depth_))}), dtype());
}

Output CirculantOperator::do_diag_part() {
  const PartialShape known = shape();
  Output line;
  Input size = 0;
  if (known.is_full()) {
    line = ones(first_dims(known, 1).full(), {.dtype = dtype()});
    size = static_cast<int>(domain_dimension());
  } else {
    const Output dims = slice(shape_tensor(), {SliceRange{.stop = -1}});
    size = domain_dimension_tensor();
    line = ones(Input(dims), {.dtype = dtype()});
  }
  const Output total = trace();
  const Output value = total / cast(size, dtype());
  return slice(value, {Ellipsis{}, NewAxis{}}) * line;
}

Output CirculantOperator::do_trace() {
  const PartialShape& known = spectrum().shape();
  Input axis = 0;
  if (known.is_full()) {
    std::vector<std::int64_t> axes;
    for (int i = known.rank() - depth_; i < known.rank(); ++i) axes.push_back(i);
    axis = parts::ints(axes);
  } else {
    const Output rank = rill::rank(spectrum());
    const Output first = rank - depth_;
    axis = range(first, rank);
  }
  const Output real_sum = reduce_sum(real(spectrum()), {.axis = axis});
  if (!is_complex(dtype())) return cast(real_sum, dtype());
  const Output imag_sum = is_self_adjoint() == true ? zeros_like(real_sum)
                                                    : reduce_sum(imag(spectrum()), {.axis = axis});
  return cast(complex(real_sum, imag_sum), dtype());
}

Output CirculantOperator::convolution_kernel(const OperatorCall& call, At at) {
  const Inside in(*this, call.name, "convolution_kernel", at);
  return cast(transformed(to_complex(spectrum()), true), dtype());
}

Node& CirculantOperator::assert_hermitian_spectrum(const OperatorCall& call, At at) {
  const Inside in(*this, call.name, "assert_hermitian_spectrum", at);
  const Output most = precision_of(dtype()) * cast(domain_dimension_tensor(), real_type(dtype()));
  const Output part = imag(convolution_kernel());
  return debugging::assert_less(rill::abs(part), most, {.message = "Spectrum was not Hermitian"});
}

Node& CirculantOperator::do_assert_non_singular() {
  return assert_no_zeros(spectrum(), "Singular operator:  Spectrum contained zero values.");
}
Node& CirculantOperator::do_assert_positive_definite() {
  return debugging::assert_positive(
      real(spectrum()),
      {.message = "Not positive definite:  Real part of spectrum was not all positive."});
}
Node& CirculantOperator::do_assert_self_adjoint() {
  return assert_zero_imag(spectrum(),
                          "Not self-adjoint:  The spectrum contained non-zero imaginary part.");
}

OperatorRef CirculantOperator::with_spectrum(Output spectrum, const OperatorHints& hints,
                                             DType dtype) {
  CirculantOptions options;
  take_hints(options, hints);
  options.is_square = true;
  options.input_output_dtype = dtype;
  switch (depth_) {
    case 1:
      return std::make_shared<LinearOperatorCirculant>(spectrum, options);
    case 2:
      return std::make_shared<LinearOperatorCirculant2D>(spectrum, options);
    default:
      return std::make_shared<LinearOperatorCirculant3D>(spectrum, options);
  }
}
OperatorRef CirculantOperator::do_adjoint() {
  const bool complex = is_complex(base_type(spectrum().dtype()));
  return with_spectrum(complex ? conj(spectrum()) : spectrum(), hints(), dtype());
}
OperatorRef CirculantOperator::do_inverse() {
  return with_spectrum(1.0 / spectrum(), hints(), dtype());
}

OperatorRef CirculantOperator::do_matmul_operator(const OperatorRef& left,
                                                  const OperatorRef& right) {
  const auto* a = dynamic_cast<CirculantOperator*>(left.get());
  const auto* b = dynamic_cast<CirculantOperator*>(right.get());
  if (a == nullptr || b == nullptr || a->block_depth() != b->block_depth())
    return LinearOperator::do_matmul_operator(left, right);
  return with_spectrum(a->spectrum() * b->spectrum(), commuting_hints(*left, *right), dtype());
}
OperatorRef CirculantOperator::do_solve_operator(const OperatorRef& left,
                                                 const OperatorRef& right) {
  const auto* a = dynamic_cast<CirculantOperator*>(left.get());
  const auto* b = dynamic_cast<CirculantOperator*>(right.get());
  if (a == nullptr || b == nullptr || a->block_depth() != b->block_depth())
    return LinearOperator::do_solve_operator(left, right);
  return with_spectrum(b->spectrum() / a->spectrum(), commuting_hints(*left, *right), dtype());
}

// --- Toeplitz ------------------------------------------------------------------------------------

LinearOperatorToeplitz::LinearOperatorToeplitz(const Input& col, const Input& row,
                                               const OperatorOptions& options, At at) {
  const Block in(options.name, "LinearOperatorToeplitz", at);
  add_tensor("row", as_tensor(row, "row"));
  add_tensor("col", as_tensor(col, "col"));
  for (const char* name : {"row", "col"})
    require(!tensor(name).shape().has_rank() || tensor(name).shape().rank() >= 1, "Argument ", name,
            " must have at least 1 dimension.  Found: ", tensor_text(tensor(name)));
  const PartialShape rows = last_dims_of_shape(this->row().shape(), 1),
                     columns = last_dims_of_shape(this->col().shape(), 1);
  require(!rows.is_full() || !columns.is_full() || rows == columns,
          "Expected square matrix, got row and col with mismatched dimensions.");
  require(options.is_square != false, "Only square Toeplitz operators currently supported.");
  OperatorHints hints = options;
  hints.is_square = true;
  set_up(base_type(this->row().dtype()), hints,
         options.name.empty() ? "LinearOperatorToeplitz" : options.name);
}

PartialShape LinearOperatorToeplitz::do_shape() const {
  const PartialShape vectors = broadcast(row().shape(), col().shape());
  return joined(vectors, last_dims_of_shape(vectors, vectors.has_rank() ? 1 : 0));
}
Output LinearOperatorToeplitz::do_shape_tensor() {
  const Output rows = rill::shape(row());
  const Output vectors = raw::BroadcastArgs(rows, rill::shape(col()));
  const Output size = slice(vectors, {Input(-1)});
  return concat({vectors, parts::list_of({size})}, 0);
}

Output LinearOperatorToeplitz::do_matmul(Output x, const Adjoints& a) {
  if (a.adjoint_arg) x = linalg::adjoint(x);
  const Output padded = concat({x, zeros_like(x)}, -2);
  const Output first = slice(col(), {Ellipsis{}, SliceRange{.start = 0, .stop = 1}});
  const Output gap = zeros_like(first);
  const Output rest = slice(row(), {Ellipsis{}, SliceRange{.start = 1}});
  const Output back = raw::ReverseV2(rest, parts::ints({-1}));
  const Output line = concat({col(), gap, back}, -1);
  CirculantOptions options;
  options.input_output_dtype = dtype();
  const bool is_double = dtype() == DType::f64 || dtype() == DType::c128;
  const Output complex_line = cast(line, is_double ? DType::c128 : DType::c64);
  const auto circulant =
      std::make_shared<LinearOperatorCirculant>(Output(raw::FFT(complex_line)), options);
  const Output result = circulant->matmul(padded, {.adjoint = a.adjoint});
  const Output dims = do_shape_tensor();
  const Output size = domain_dim(dims);
  return cast(slice(result, {Ellipsis{}, SliceRange{.stop = size}, SliceRange{}}), dtype());
}

Output LinearOperatorToeplitz::do_trace() {
  const Output size = cast(domain_dimension_tensor(), dtype());
  return size * slice(col(), {Ellipsis{}, Input(0)});
}
Output LinearOperatorToeplitz::do_diag_part() {
  const Output entry = slice(col(), {Ellipsis{}, SliceRange{.start = 0, .stop = 1}});
  const Output size = domain_dimension_tensor();
  return entry * ones(parts::list_of({size}), {.dtype = dtype()});
}

Output LinearOperatorToeplitz::do_to_dense() {
  const Output row_shape = rill::shape(row());
  const Output all = raw::BroadcastArgs(row_shape, rill::shape(col()));
  const Output n = slice(rill::shape(row()), {Input(-1)});
  const Output rows = raw::BroadcastTo(row(), all);
  const Output columns = raw::BroadcastTo(col(), all);
  const Output back = raw::ReverseV2(columns, parts::ints({-1}));
  const Output rest = slice(rows, {Ellipsis{}, SliceRange{.start = 1}});
  const Output elements = concat({back, rest}, -1);
  const Output forward = range(0, n);
  const Output last = n - 1;
  const Output backward = slice(range(last, -1, {.delta = -1}), {Ellipsis{}, NewAxis{}});
  const Output sum = forward + backward;
  const Output twice = 2 * n;
  const Output indices = raw::FloorMod(sum, twice - 1, {.name = "mod"});
  return gather(elements, indices, {.axis = Input(-1)});
}

Node& LinearOperatorToeplitz::do_assert_self_adjoint() {
  return debugging::assert_equal(
      row(), col(),
      {.message = "row and col are not the same, and so this operator is not self-adjoint."});
}

}  // namespace rill::linalg
