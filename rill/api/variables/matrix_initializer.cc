// Initializers that make constants and matrices.
#include "rill/api/core/basic_ops.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/random/random_ops.h"
#include "rill/api/variables/initializer.h"
#include "rill/graph/builders.h"

namespace rill {
namespace {

Tensor scalar_one(DType dtype) {
  return dtype == DType::boolean ? Input(true).value(dtype) : Input(1).value(dtype);
}

// The rows of the smaller side of a matrix of random numbers, made orthogonal; `rows` x `columns`.
Output orthogonal_rows(std::int64_t rows, std::int64_t columns, DType dtype,
                       std::optional<std::int64_t> seed) {
  const Shape flat{std::max(rows, columns), std::min(rows, columns)};
  const Output random = random_normal(Input(shape_tensor(flat)), {.dtype = dtype, .seed = seed});
  Node& qr = current_scope().add("Qr", {random}, {{"full_matrices", false}});
  // The signs make the distribution uniform.
  const Output signs = raw::Sign(raw::DiagPart(qr.output(1)));
  return raw::Mul(qr.output(0), signs, {.name = "mul"});
}

Output transposed(Output matrix) {
  const Block named("", "matrix_transpose", std::source_location::current());
  const Tensor swap = Tensor::vector<std::int32_t>({1, 0});
  return raw::Transpose(matrix, Input(swap), {.name = "transpose"});
}

Output times_gain(double gain, Output x) {
  return raw::Mul(Input(Input(gain).value(x.dtype())), x, {.name = "mul"});
}

Output orthogonal(const OrthogonalOptions& o, const Initializer::Request& r) {
  require(r.shape.rank() >= 2,
          "The tensor to initialize must be at least two-dimensional. Received: shape=", r.shape,
          " of rank ", r.shape.rank(), ".");
  const std::int64_t columns = r.shape[r.shape.rank() - 1];
  const std::int64_t rows = columns == 0 ? 0 : r.shape.element_count() / columns;
  Output q = orthogonal_rows(rows, columns, r.dtype, o.seed);
  if (rows < columns) q = transposed(q);
  return times_gain(o.gain, raw::Reshape(q, Input(shape_tensor(r.shape))));
}

// Zero but for the middle of the kernel, where it is orthogonal.
Output delta_orthogonal(const OrthogonalOptions& o, const Initializer::Request& r) {
  const int rank = r.shape.rank();
  require(rank >= 3 && rank <= 5,
          "The tensor to initialize must be at least three-dimensional and at most "
          "five-dimensional. Received: shape=",
          r.shape);
  const std::int64_t in = r.shape[rank - 2], out = r.shape[rank - 1];
  require(in <= out, "In_filters cannot be greater than out_filters. Received: ", r.shape);
  Output q = orthogonal_rows(out, out, r.dtype, o.seed);
  Tensor first = Tensor::vector<std::int32_t>({0, 0});
  Tensor last =
      Tensor::vector<std::int32_t>({static_cast<std::int32_t>(in), static_cast<std::int32_t>(out)});
  q = raw::Slice(q, Input(first), Input(last));
  q = times_gain(o.gain, q);
  Tensor middle(DType::i32, {1, rank - 2});
  for (int i = 0; i < rank - 2; ++i)
    middle.data<std::int32_t>()[i] = static_cast<std::int32_t>((r.shape[i] - 1) / 2);
  const Output updates = raw::ExpandDims(q, 0);
  return raw::ScatterNd(Input(middle), updates, Input(shape_tensor(r.shape)));
}

}  // namespace

Initializer ones_initializer() {
  return Initializer::Make([](const Initializer::Request& r) {
    const Block named("", "ones", std::source_location::current());
    const Tensor one = scalar_one(r.dtype);
    if (r.shape.element_count() < 1000)
      return filled_constant(current_scope(), one, r.shape, named.own_name());
    const Output dims = as_tensor(Input(shape_tensor(r.shape)), "shape_as_tensor");
    return fill(current_scope(), dims, as_tensor(Input(one), "Const"), named.own_name());
  });
}

Initializer constant_initializer(Input value, const ConstantInitializerOptions& options) {
  return Initializer::Make([value, options](const Initializer::Request& r) {
    const Tensor given = value.value(r.dtype);
    require_type(!options.verify_shape || given.shape() == r.shape,
                 "Expected Tensor's shape: ", r.shape, ", got ", given.shape(), ".");
    return constant(value, {.dtype = r.dtype, .shape = r.shape});
  });
}

Initializer orthogonal_initializer(const OrthogonalOptions& o) {
  return Initializer::Make([o](const Initializer::Request& r) { return orthogonal(o, r); });
}

Initializer convolutional_delta_orthogonal_initializer(const OrthogonalOptions& o) {
  return Initializer::Make([o](const Initializer::Request& r) { return delta_orthogonal(o, r); });
}

Initializer identity_initializer(double gain) {
  return Initializer::Make([gain](const Initializer::Request& r) {
    const Shape whole = r.part == nullptr ? r.shape : Shape(r.part->full_shape);
    require(whole.rank() == 2, "Identity matrix initializer can only be used for 2D matrices.");
    const std::int64_t diagonal = std::min(whole[0], whole[1]);
    Output eye;
    {
      const Block named("", "eye", std::source_location::current());
      const Output line = filled_constant(current_scope(), scalar_one(r.dtype), {diagonal}, "ones");
      if (whole[0] == whole[1]) {
        eye = raw::MatrixDiag(line, {.name = "diag"});
      } else {
        eye = raw::MatrixSetDiag(zeros(current_scope(), whole, r.dtype), line,
                                 {.name = named.own_name()});
      }
    }
    if (r.part != nullptr) {
      Tensor offset =
          Tensor::vector<std::int32_t>({static_cast<std::int32_t>(r.part->var_offset.at(0)),
                                        static_cast<std::int32_t>(r.part->var_offset.at(1))});
      eye = raw::Slice(eye, Input(offset), Input(shape_tensor(r.shape)));
    }
    return times_gain(gain, eye);
  });
}

}  // namespace rill
