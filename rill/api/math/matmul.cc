#include "rill/api/core/default_graph.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/math_parts.h"
#include "rill/api/math/products.h"
#include "rill/base/error_place.h"

namespace rill {
namespace {

using namespace math_parts;

void check_flags(const MatmulOptions& o) {
  require(!(o.transpose_a && o.adjoint_a),
          "Only one of `transpose_a` and `adjoint_a` can be True. Received `transpose_a`=True, "
          "`adjoint_a`=True.");
  require(!(o.transpose_b && o.adjoint_b),
          "Only one of `transpose_b` and `adjoint_b` can be True. Received `transpose_b`=True, "
          "`adjoint_b`=True.");
}

bool may_have_batches(Output x) { return !x.shape().has_rank() || x.shape().rank() > 2; }

// Complex matrices are conjugated beforehand where the op cannot.
Output conjugated(Output x, bool wanted) { return wanted ? conj(x) : x; }

Output batch_product(Output a, Output b, const MatmulOptions& o, const std::string& name) {
  a = conjugated(a, o.transpose_a);
  b = conjugated(b, o.transpose_b);
  return raw::BatchMatMulV2(
      a, b,
      {.adj_x = o.transpose_a || o.adjoint_a, .adj_y = o.transpose_b || o.adjoint_b, .name = name});
}

// Of mostly empty matrices there are products of float32 and bfloat16 only; the result is float32.
bool has_sparse_kernel(Output a, Output b) {
  constexpr TypeSet kTypes = DType::f32 | DType::bf16;
  return kTypes.contains(type_of(a)) && kTypes.contains(type_of(b));
}

}  // namespace

namespace {

bool is_matrix(const Input& x) {
  return x.is_output() && x.output().node != nullptr && x.output().node->is_executed() &&
         x.output().shape().rank() == 2;
}

// Matrices with values: one op, which needs no name.
Output product_of_matrices(const Input& a, const Input& b, const MatmulOptions& options,
                           const std::source_location& at) {
  Scope& scope = current_scope();
  const ErrorPlace place(scope.has_origin() ? nullptr : &at);
  std::vector<InputArg> inputs;
  inputs.reserve(2);
  inputs.emplace_back(a);
  inputs.emplace_back(b);
  return scope
      .add("MatMul", std::move(inputs),
           {{"transpose_a", options.transpose_a}, {"transpose_b", options.transpose_b}})
      .output();
}

}  // namespace

Output matmul(const Input& first, const Input& second, const MatmulOptions& options,
              std::source_location at) {
  const bool is_plain =
      !options.adjoint_a && !options.adjoint_b && !options.a_is_sparse && !options.b_is_sparse;
  if (executing_eagerly() && is_plain && is_matrix(first) && is_matrix(second))
    return product_of_matrices(first, second, options, at);
  const Block in(options.name, "MatMul", at);
  check_flags(options);
  Output a = as_tensor(first, "a");
  Output b = second.is_output() ? second.output() : as_tensor(second, "b", type_of(a));
  const bool is_sparse = options.a_is_sparse || options.b_is_sparse;
  if (!is_sparse && (may_have_batches(a) || may_have_batches(b)))
    return batch_product(a, b, options, in.own_name());
  a = conjugated(a, options.adjoint_a);
  b = conjugated(b, options.adjoint_b);
  const bool transpose_a = options.transpose_a || options.adjoint_a;
  const bool transpose_b = options.transpose_b || options.adjoint_b;
  if (is_sparse && has_sparse_kernel(a, b)) {
    const Output product = raw::SparseMatMul(a, b,
                                             {.transpose_a = transpose_a,
                                              .transpose_b = transpose_b,
                                              .a_is_sparse = options.a_is_sparse,
                                              .b_is_sparse = options.b_is_sparse,
                                              .name = in.own_name()});
    const bool is_short = type_of(a) == DType::bf16 && type_of(b) == DType::bf16;
    return is_short ? cast(product, DType::bf16) : product;
  }
  return raw::MatMul(
      a, b, {.transpose_a = transpose_a, .transpose_b = transpose_b, .name = in.own_name()});
}

Output linalg::matvec(const Input& a, const Input& b, const MatvecOptions& options,
                      std::source_location at) {
  const Block in(options.name, "MatVec", at);
  const Output column = raw::ExpandDims(b, -1);
  const Output product = matmul(a, column,
                                {.transpose_a = options.transpose_a,
                                 .adjoint_a = options.adjoint_a,
                                 .a_is_sparse = options.a_is_sparse,
                                 .b_is_sparse = options.b_is_sparse});
  return raw::Squeeze(product, {.squeeze_dims = {-1}});
}

}  // namespace rill
