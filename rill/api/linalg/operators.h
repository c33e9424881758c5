#pragma once

#include "rill/api/linalg/linear_operator.h"

namespace rill::linalg {

// The operators that TensorFlow has. Each states below what it stores, what it costs where that is
// not the dense O(n**3), and which hints it sets or refuses; a refused hint throws InvalidArgument
// from the constructor. Which methods a class overrides says which have a fast way.
using Hint = std::optional<bool>;

// [..., m, n] as it is; the only one that gains nothing but the interface. Throws TypeError for a
// dtype that is neither float (bfloat16 is none here) nor complex.
class LinearOperatorFullMatrix : public LinearOperator {
 public:
  explicit LinearOperatorFullMatrix(const Input& matrix, const OperatorOptions& options = {},
                                    At at = At::current());
  std::string type_name() const override { return "LinearOperatorFullMatrix"; }
  PartialShape do_shape() const override;
  Output do_shape_tensor() override;
  Output do_matmul(Output x, const Adjoints& adjoints) override;
  Output do_to_dense() override;
};

// Only the lower half of `tril`, [..., n, n], is looked at. Solves by substitution in O(n**2) a
// column; the determinant is the diagonal's product. Refuses is_square = false.
class LinearOperatorLowerTriangular : public LinearOperator {
 public:
  explicit LinearOperatorLowerTriangular(const Input& tril, const OperatorOptions& options = {},
                                         At at = At::current());
  std::string type_name() const override { return "LinearOperatorLowerTriangular"; }
  Output tril() const { return tensor("tril"); }
  PartialShape do_shape() const override;
  Output do_shape_tensor() override;
  Output do_matmul(Output x, const Adjoints& adjoints) override;
  Output do_solve(Output rhs, const Adjoints& adjoints) override;
  Output do_determinant() override;
  Output do_log_abs_determinant() override;
  Output do_to_dense() override;
  Node& do_assert_non_singular() override;
  OperatorRef do_matmul_operator(const OperatorRef& left, const OperatorRef& right) override;
};

// diag(d) of d [..., n]: everything is elementwise. A real diagonal is self-adjoint, and square;
// the contrary is refused.
class LinearOperatorDiag : public LinearOperator {
 public:
  explicit LinearOperatorDiag(const Input& diag, const OperatorOptions& options = {},
                              At at = At::current());
  std::string type_name() const override { return "LinearOperatorDiag"; }
  Output diag() const { return tensor("diag"); }
  PartialShape do_shape() const override;
  Output do_shape_tensor() override;
  Output do_matmul(Output x, const Adjoints& adjoints) override;
  Output do_matvec(Output x, const Adjoints& adjoints) override;
  Output do_solve(Output rhs, const Adjoints& adjoints) override;
  Output do_determinant() override;
  Output do_log_abs_determinant() override;
  Output do_to_dense() override;
  Output do_diag_part() override { return diag(); }
  Output do_add_to_tensor(Output x) override;
  Node& do_assert_non_singular() override;
  Node& do_assert_positive_definite() override;
  Node& do_assert_self_adjoint() override;
  OperatorRef do_adjoint() override;
  OperatorRef do_inverse() override;
  OperatorRef do_cholesky() override;
  OperatorRef do_matmul_operator(const OperatorRef& left, const OperatorRef& right) override;
  OperatorRef do_solve_operator(const OperatorRef& left, const OperatorRef& right) override;
};

// The reflection I - 2 v v* at the plane that `reflection_axis` v, [..., n], is the normal of; v is
// normalized here. It is its own inverse, its determinant is -1. Always self-adjoint and never
// positive definite, so assert_positive_definite throws.
class LinearOperatorHouseholder : public LinearOperator {
 public:
  explicit LinearOperatorHouseholder(const Input& reflection_axis,
                                     const OperatorOptions& options = {}, At at = At::current());
  std::string type_name() const override { return "LinearOperatorHouseholder"; }
  PartialShape do_shape() const override;
  Output do_shape_tensor() override;
  Output do_matmul(Output x, const Adjoints& adjoints) override;
  Output do_solve(Output rhs, const Adjoints& adjoints) override;
  Output do_determinant() override;
  Output do_log_abs_determinant() override;
  Output do_to_dense() override;
  Output do_diag_part() override;
  Output do_trace() override;
  Node& do_assert_non_singular() override;
  Node& do_assert_positive_definite() override;
  Node& do_assert_self_adjoint() override;
  OperatorRef do_adjoint() override { return self(); }
  OperatorRef do_inverse() override { return self(); }
};

// --- of a number of rows -------------------------------------------------------------------------

// num_rows and batch_shape must be integers and not negative; constants are checked at once
// (TypeError, InvalidArgument), tensors in every step with assert_proper_shapes.
struct SizedOperatorOptions {
  std::optional<bool> is_non_singular{}, is_self_adjoint{}, is_positive_definite{}, is_square{};
  OptionalInput batch_shape{};  // a vector; none: one matrix
  DType dtype = DType::f32;
  bool assert_proper_shapes = false;  // sizes are checked in every step
  std::string name{};

  operator OperatorHints() const {
    return {.is_non_singular = is_non_singular,
            .is_self_adjoint = is_self_adjoint,
            .is_positive_definite = is_positive_definite,
            .is_square = is_square};
  }
};

// What the next three share: they know how many rows they have, and perhaps a batch's shape.
class SizedOperator : public LinearOperator {
 public:
  PartialShape do_shape() const override;
  Output do_shape_tensor() override;

 protected:
  // Each checks its argument: TypeError unless it is of integers, InvalidArgument where it is known
  // and negative or has another rank.
  void take_rows(const Input& rows);
  void take_columns(const Input& columns);
  void take_batch(const Input& batch_shape);
  // x, after a check that its rows are ours where assert_proper_shapes asks for one.
  Output with_checked_shape(Output x);
  Output with_batch(Output x);  // broadcast to our batch
  Output constant_batch(double value);
  Output constant_diagonal(double value);
  std::int64_t min_dim() const;
  Output min_dim_tensor();

  bool checks_shapes_ = false;
  Output rows_, columns_, batch_;                          // `columns_` and `batch_` may be empty
  PartialShape known_rows_, known_columns_, known_batch_;  // what is known of them
};

// I of `num_rows`, which is a scalar. Nothing is stored and a product is its argument, broadcast to
// the batch. All four hints are true; false is refused.
//
//   auto one = std::make_shared<linalg::LinearOperatorIdentity>(3);
//   one->matmul(x);
class LinearOperatorIdentity : public SizedOperator {
 public:
  explicit LinearOperatorIdentity(const Input& num_rows, const SizedOperatorOptions& options = {},
                                  At at = At::current());
  std::string type_name() const override { return "LinearOperatorIdentity"; }
  Output do_matmul(Output x, const Adjoints& adjoints) override;
  Output do_solve(Output rhs, const Adjoints& adjoints) override;
  Output do_determinant() override;
  Output do_log_abs_determinant() override;
  Output do_diag_part() override;
  Output do_trace() override;
  Output add_input(const Input& x, const OperatorCall& call, At at) override;
  Node& do_assert_non_singular() override;
  Node& do_assert_positive_definite() override;
  Node& do_assert_self_adjoint() override;
  OperatorRef do_adjoint() override { return self(); }
  OperatorRef do_inverse() override { return self(); }
  OperatorRef do_cholesky() override;
  OperatorRef do_matmul_operator(const OperatorRef&, const OperatorRef& right) override {
    return right;
  }
  OperatorRef do_solve_operator(const OperatorRef&, const OperatorRef& right) override {
    return right;
  }
};

// The dtype and the batch are the multiplier's.
struct ScaledIdentityOptions {
  std::optional<bool> is_non_singular{}, is_self_adjoint{}, is_positive_definite{}, is_square{};
  bool assert_proper_shapes = false;
  std::string name{};

  operator OperatorHints() const {
    return {.is_non_singular = is_non_singular,
            .is_self_adjoint = is_self_adjoint,
            .is_positive_definite = is_positive_definite,
            .is_square = is_square};
  }
};
// multiplier * I, one number for each matrix of the batch. With a real multiplier it is
// self-adjoint, and it is always square; the contrary is refused.
class LinearOperatorScaledIdentity : public SizedOperator {
 public:
  LinearOperatorScaledIdentity(const Input& num_rows, const Input& multiplier,
                               const ScaledIdentityOptions& options = {}, At at = At::current());
  std::string type_name() const override { return "LinearOperatorScaledIdentity"; }
  Output multiplier() const { return tensor("multiplier"); }
  PartialShape do_shape() const override;
  Output do_shape_tensor() override;
  Output do_matmul(Output x, const Adjoints& adjoints) override;
  Output do_solve(Output rhs, const Adjoints& adjoints) override;
  Output do_determinant() override;
  Output do_log_abs_determinant() override;
  Output do_diag_part() override;
  Output do_trace() override;
  Output add_input(const Input& x, const OperatorCall& call, At at) override;
  Node& do_assert_non_singular() override;
  Node& do_assert_positive_definite() override;
  Node& do_assert_self_adjoint() override;
  OperatorRef do_adjoint() override;
  OperatorRef do_inverse() override;
  OperatorRef do_cholesky() override;
  OperatorRef do_matmul_operator(const OperatorRef& left, const OperatorRef& right) override;
  OperatorRef do_solve_operator(const OperatorRef& left, const OperatorRef& right) override;

 private:
  OperatorRef with_multiplier(Output multiplier, const OperatorHints& hints);
  Output multiplier_matrix(bool conjugate);

  Output rows_as_dtype_, rows_as_real_;
};

struct ZerosOperatorOptions {
  std::optional<bool> is_non_singular{}, is_self_adjoint{}, is_positive_definite{}, is_square{};
  OptionalInput batch_shape{};  // a vector; none: one matrix
  DType dtype = DType::f32;
  bool assert_proper_shapes = false;  // sizes are checked in every step
  std::string name{};
  OptionalInput num_columns{};  // as many as rows

  operator SizedOperatorOptions() const {
    return {.is_non_singular = is_non_singular,
            .is_self_adjoint = is_self_adjoint,
            .is_positive_definite = is_positive_definite,
            .is_square = is_square,
            .batch_shape = batch_shape,
            .dtype = dtype,
            .assert_proper_shapes = assert_proper_shapes,
            .name = name};
  }
};
// All zeros, the only sized operator that need not be square. Always singular, so that
// assert_non_singular and assert_positive_definite throw InvalidArgument when called. Products with
// other operators are for square ones only.
class LinearOperatorZeros : public SizedOperator {
 public:
  explicit LinearOperatorZeros(const Input& num_rows, const ZerosOperatorOptions& options = {},
                               At at = At::current());
  std::string type_name() const override { return "LinearOperatorZeros"; }
  Output do_matmul(Output x, const Adjoints& adjoints) override;
  Output do_determinant() override;
  Output do_diag_part() override;
  Output do_trace() override;
  Output add_input(const Input& x, const OperatorCall& call, At at) override;
  Node& do_assert_non_singular() override;
  Node& do_assert_positive_definite() override;
  Node& do_assert_self_adjoint() override;
  OperatorRef do_matmul_operator(const OperatorRef& left, const OperatorRef& right) override;
};

// --- of other operators --------------------------------------------------------------------------

// The conjugate transpose of another operator. Hints that are given and the operand's must agree.
class LinearOperatorAdjoint : public LinearOperator {
 public:
  explicit LinearOperatorAdjoint(OperatorRef of, const OperatorOptions& options = {},
                                 At at = At::current());
  std::string type_name() const override { return "LinearOperatorAdjoint"; }
  // What this is the adjoint of.
  const OperatorRef& inner() const { return operands()[0]; }
  PartialShape do_shape() const override;
  Output do_shape_tensor() override;
  Output do_matmul(Output x, const Adjoints& adjoints) override;
  Output do_matvec(Output x, const Adjoints& adjoints) override;
  Output do_solve(Output rhs, const Adjoints& adjoints) override;
  Output do_solvevec(Output rhs, const Adjoints& adjoints) override;
  Output do_determinant() override;
  Output do_log_abs_determinant() override;
  Output do_to_dense() override;
  Output do_trace() override;
  Node& do_assert_non_singular() override { return inner()->assert_non_singular(); }
  Node& do_assert_positive_definite() override { return inner()->assert_positive_definite(); }
  Node& do_assert_self_adjoint() override { return inner()->assert_self_adjoint(); }
  OperatorRef do_adjoint() override { return inner(); }
};

// The inverse of another operator: matmul solves, and solve multiplies. Refuses operands that are
// known to be singular or not square.
class LinearOperatorInversion : public LinearOperator {
 public:
  explicit LinearOperatorInversion(OperatorRef of, const OperatorOptions& options = {},
                                   At at = At::current());
  std::string type_name() const override { return "LinearOperatorInversion"; }
  // What this is the inverse of.
  const OperatorRef& inner() const { return operands()[0]; }
  PartialShape do_shape() const override { return inner()->shape(); }
  Output do_shape_tensor() override { return inner()->shape_tensor(); }
  Output do_matmul(Output x, const Adjoints& adjoints) override;
  Output do_solve(Output rhs, const Adjoints& adjoints) override;
  Output do_determinant() override;
  Output do_log_abs_determinant() override;
  Node& do_assert_non_singular() override { return inner()->assert_non_singular(); }
  Node& do_assert_positive_definite() override { return inner()->assert_positive_definite(); }
  Node& do_assert_self_adjoint() override { return inner()->assert_self_adjoint(); }
  OperatorRef do_inverse() override { return inner(); }
  OperatorRef do_solve_operator(const OperatorRef& left, const OperatorRef& right) override;
};

// Several operators, of one type and at least one; TypeError or InvalidArgument otherwise.
class OperatorOfMany : public LinearOperator {
 public:
  const std::vector<OperatorRef>& operators() const { return operands(); }
  Output do_determinant() override;
  Output do_log_abs_determinant() override;

 protected:
  // Takes the operands, which must have one type; throws InvalidArgument otherwise. Their names
  // with `between` in between are the operator's, where it is given none.
  void take(std::vector<OperatorRef> operators);
  std::string joined_names(const std::string& given, const char* between) const;
  // Sets a hint that all operands fulfil; throws InvalidArgument where it is denied.
  void imply(Hint& hint, Hint (LinearOperator::*of)() const, const char* denied) const;
  // What the batches of all operands broadcast to.
  PartialShape common_batch() const;
  bool all_square() const;
  // One operation that runs the check of every operand.
  Node& all_of(Node& (LinearOperator::*check)(const OperatorCall&, At));
  std::vector<OperatorRef> each(OperatorRef (LinearOperator::*make)(const OperatorCall&, At)) const;
};

// A B C ...: a product applies the last one first. Its shape throws InvalidArgument where
// neighbours do not fit. A A* is recognized as self-adjoint, and as positive definite where A is
// non-singular.
class LinearOperatorComposition : public OperatorOfMany {
 public:
  explicit LinearOperatorComposition(std::vector<OperatorRef> operators,
                                     const OperatorOptions& options = {}, At at = At::current());
  std::string type_name() const override { return "LinearOperatorComposition"; }
  PartialShape do_shape() const override;
  Output do_shape_tensor() override;
  Output do_matmul(Output x, const Adjoints& adjoints) override;
  Output do_solve(Output rhs, const Adjoints& adjoints) override;
  Node& do_assert_non_singular() override;
  OperatorRef do_cholesky() override;
};

// Kronecker's product of the operators. Sizes multiply, yet a product costs only the factors' own
// products. Arguments need known last two dimensions. Checks that need square factors throw
// InvalidArgument when one is not.
class LinearOperatorKronecker : public OperatorOfMany {
 public:
  explicit LinearOperatorKronecker(std::vector<OperatorRef> operators,
                                   const OperatorOptions& options = {}, At at = At::current());
  std::string type_name() const override { return "LinearOperatorKronecker"; }
  PartialShape do_shape() const override;
  Output do_shape_tensor() override;
  Output do_matmul(Output x, const Adjoints& adjoints) override;
  Output do_solve(Output rhs, const Adjoints& adjoints) override;
  Output do_determinant() override;
  Output do_log_abs_determinant() override;
  Output do_to_dense() override;
  Output do_diag_part() override;
  Output do_trace() override;
  Node& do_assert_non_singular() override;
  Node& do_assert_self_adjoint() override;
  OperatorRef do_adjoint() override;
  OperatorRef do_inverse() override;
  OperatorRef do_cholesky() override;

 private:
  // Applies the factors one after the other, each to its own dimension of x.
  Output through_factors(Output x, const Adjoints& adjoints, bool solves);
};

// Blocks along the diagonal, the rest zero; each question is put to the blocks one by one.
// diag_part and trace throw Unimplemented unless all blocks are known to be square. Two of them are
// multiplied block by block, and must have equally many.
class LinearOperatorBlockDiag : public OperatorOfMany {
 public:
  explicit LinearOperatorBlockDiag(std::vector<OperatorRef> operators,
                                   const OperatorOptions& options = {}, At at = At::current());
  std::string type_name() const override { return "LinearOperatorBlockDiag"; }
  PartialShape do_shape() const override;
  Output do_shape_tensor() override;
  Output do_matmul(Output x, const Adjoints& adjoints) override;
  Output do_matvec(Output x, const Adjoints& adjoints) override;
  Output do_solve(Output rhs, const Adjoints& adjoints) override;
  Output do_to_dense() override;
  Output do_diag_part() override;
  Output do_trace() override;
  Node& do_assert_non_singular() override;
  Node& do_assert_positive_definite() override;
  Node& do_assert_self_adjoint() override;
  OperatorRef do_adjoint() override;
  OperatorRef do_inverse() override;
  OperatorRef do_cholesky() override;
  OperatorRef do_matmul_operator(const OperatorRef& left, const OperatorRef& right) override;
  OperatorRef do_solve_operator(const OperatorRef& left, const OperatorRef& right) override;

 private:
  // x cut along its rows (or, along_last, its last dimension) into what each block is applied to.
  std::vector<Output> blocks(Output x, bool by_columns, bool along_last);
  Output by_blocks(Output x, const Adjoints& adjoints, bool solves);
};

// is_diag_update_positive: a hint about diag_update. Without one the diagonal is ones, which are
// positive; false is then refused.
struct LowRankOptions {
  std::optional<bool> is_non_singular{}, is_self_adjoint{}, is_positive_definite{}, is_square{};
  std::string name{};
  OptionalInput diag_update{}, v{};  // ones, and u
  std::optional<bool> is_diag_update_positive{};

  operator OperatorOptions() const {
    return {.is_non_singular = is_non_singular,
            .is_self_adjoint = is_self_adjoint,
            .is_positive_definite = is_positive_definite,
            .is_square = is_square,
            .name = name};
  }
};
// base + u diag(diag_update) v*, with u and v [..., n, r]. For small r a solution costs one of base
// and one of an r x r system (the formula of Woodbury). solve throws InvalidArgument when base is
// known to be singular. With base self-adjoint and positive definite, diag_update positive and v =
// u, the update has both properties too and the r x r system uses Cholesky's factor.
class LinearOperatorLowRankUpdate : public LinearOperator {
 public:
  LinearOperatorLowRankUpdate(OperatorRef base_operator, const Input& u,
                              const LowRankOptions& options = {}, At at = At::current());
  std::string type_name() const override { return "LinearOperatorLowRankUpdate"; }
  const OperatorRef& base_operator() const { return operands()[0]; }
  const OperatorRef& diag_operator() const { return operands()[1]; }
  std::optional<bool> is_diag_update_positive() const { return diag_is_positive_; }
  PartialShape do_shape() const override;
  Output do_shape_tensor() override;
  Output do_matmul(Output x, const Adjoints& adjoints) override;
  Output do_solve(Output rhs, const Adjoints& adjoints) override;
  Output do_determinant() override;
  Output do_log_abs_determinant() override;
  Output do_diag_part() override;
  Node& do_assert_self_adjoint() override;

 private:
  OperatorHints implied(const LinearOperator& base, const LowRankOptions& options);
  // diag**-1 + v* base**-1 u, the r x r matrix of Woodbury's formula.
  Output capacitance(Output u, Output v);

  std::optional<bool> diag_is_positive_;
  bool uses_cholesky_ = false;
};

// --- of the frequencies of a convolution ---------------------------------------------------------

// The default dtype is complex64 even for a real spectrum, as TensorFlow has it: the arguments of
// matmul are complex then. float32 gives the real part.
struct CirculantOptions {
  std::optional<bool> is_non_singular{}, is_self_adjoint{}, is_positive_definite{}, is_square{};
  DType input_output_dtype = DType::c64;
  std::string name{};

  operator OperatorHints() const {
    return {.is_non_singular = is_non_singular,
            .is_self_adjoint = is_self_adjoint,
            .is_positive_definite = is_positive_definite,
            .is_square = is_square};
  }
};
// Blocks of blocks, `depth` deep, that are the ones before, turned by one. Such matrices are F* D F
// with F the Fourier transform and D the spectrum, so products and solutions cost O(n log n). A
// real spectrum means self-adjoint; a Hermitian one a real matrix.
class CirculantOperator : public LinearOperator {
 public:
  int block_depth() const { return depth_; }
  Output spectrum() const { return tensor("spectrum"); }
  // The sizes of the nested blocks, whose product is the number of rows: the last dimensions of the
  // spectrum.
  PartialShape block_shape() const;
  Output block_shape_tensor();
  // The inverse transform of the spectrum: for depth 1 the matrix's first column.
  Output convolution_kernel(const OperatorCall& call = {}, At at = At::current());
  // Fails the step unless the matrix is real, up to rounding.
  Node& assert_hermitian_spectrum(const OperatorCall& call = {}, At at = At::current());

  PartialShape do_shape() const override;
  Output do_shape_tensor() override;
  Output do_matmul(Output x, const Adjoints& adjoints) override;
  Output do_solve(Output rhs, const Adjoints& adjoints) override;
  Output do_determinant() override;
  Output do_log_abs_determinant() override;
  Output do_diag_part() override;
  Output do_trace() override;
  Node& do_assert_non_singular() override;
  Node& do_assert_positive_definite() override;
  Node& do_assert_self_adjoint() override;
  OperatorRef do_adjoint() override;
  OperatorRef do_inverse() override;
  OperatorRef do_matmul_operator(const OperatorRef& left, const OperatorRef& right) override;
  OperatorRef do_solve_operator(const OperatorRef& left, const OperatorRef& right) override;

 protected:
  void take(int depth, const Input& spectrum, const CirculantOptions& options, const char* type,
            At at);

 private:
  Output shape_tensor_of(Output spectrum) const;
  Output by_frequencies(Output x, const Adjoints& adjoints, bool solves);
  Output transformed(Output x, bool back) const;
  Output in_blocks(Output matrix);
  Output flattened(Output x) const;
  OperatorRef with_spectrum(Output spectrum, const OperatorHints& hints, DType dtype);

  int depth_ = 1;
};

// Of one, two or three dimensions.
template <int depth>
class Circulant : public CirculantOperator {
 public:
  explicit Circulant(const Input& spectrum, const CirculantOptions& options = {},
                     At at = At::current()) {
    take(depth, spectrum, options, kName, at);
  }
  std::string type_name() const override { return kName; }

 private:
  static constexpr const char* kName = depth == 1   ? "LinearOperatorCirculant"
                                       : depth == 2 ? "LinearOperatorCirculant2D"
                                                    : "LinearOperatorCirculant3D";
};
using LinearOperatorCirculant = Circulant<1>;
using LinearOperatorCirculant2D = Circulant<2>;
using LinearOperatorCirculant3D = Circulant<3>;

// Equal numbers along each diagonal, given by the first column and the first row, both [..., n]; at
// the corner the column counts. Products go by way of a circulant of twice the size, O(n log n);
// solutions are dense.
class LinearOperatorToeplitz : public LinearOperator {
 public:
  LinearOperatorToeplitz(const Input& col, const Input& row, const OperatorOptions& options = {},
                         At at = At::current());
  std::string type_name() const override { return "LinearOperatorToeplitz"; }
  Output col() const { return tensor("col"); }
  Output row() const { return tensor("row"); }
  PartialShape do_shape() const override;
  Output do_shape_tensor() override;
  Output do_matmul(Output x, const Adjoints& adjoints) override;
  Output do_to_dense() override;
  Output do_diag_part() override;
  Output do_trace() override;
  Node& do_assert_self_adjoint() override;
};

}  // namespace rill::linalg
