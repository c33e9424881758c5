#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <source_location>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rill/api/core/default_graph.h"

namespace rill::linalg {

class LinearOperator;
using OperatorRef = std::shared_ptr<LinearOperator>;

// What is known of a matrix before anything runs; nothing where it is not. Hints are promises, not
// checks: they choose faster algorithms, and a wrong one gives wrong numbers. positive_definite
// implies non_singular, and that and self_adjoint imply square.
struct OperatorHints {
  std::optional<bool> is_non_singular{}, is_self_adjoint{}, is_positive_definite{}, is_square{};
};
struct OperatorOptions {
  std::optional<bool> is_non_singular{}, is_self_adjoint{}, is_positive_definite{}, is_square{};
  std::string name{};

  operator OperatorHints() const {
    return {.is_non_singular = is_non_singular,
            .is_self_adjoint = is_self_adjoint,
            .is_positive_definite = is_positive_definite,
            .is_square = is_square};
  }
};

// The hints of one form of options in another.
template <class Options>
void take_hints(Options& options, const OperatorHints& hints) {
  options.is_non_singular = hints.is_non_singular;
  options.is_self_adjoint = hints.is_self_adjoint;
  options.is_positive_definite = hints.is_positive_definite;
  options.is_square = hints.is_square;
}
inline OperatorOptions options_of(const OperatorHints& hints) {
  OperatorOptions options;
  take_hints(options, hints);
  return options;
}

// What an operator answers with a tensor, and the checks that it makes.
enum class OperatorQuestion {
  kShapeTensor,
  kMatmul,
  kMatvec,
  kSolve,
  kSolvevec,
  kDeterminant,
  kLogAbsDeterminant,
  kToDense,
  kDiagPart,
  kTrace,
  kAddToTensor,
  kAssertNonSingular,
  kAssertPositiveDefinite,
  kAssertSelfAdjoint,
};
// The name as TensorFlow's method has it; the inverse gives nothing for other names.
const char* name_of(OperatorQuestion question);  // "matmul"
std::optional<OperatorQuestion> operator_question_of(std::string_view name);

// Which sides of a product are replaced by their adjoints.
struct Adjoints {
  bool adjoint = false;      // the operator's
  bool adjoint_arg = false;  // the argument's
};

// What a class of another language answers in place of the C++ class that it inherits from.
class ForeignOperator {
 public:
  virtual ~ForeignOperator() = default;
  virtual std::string type_name() const = 0;
  // The operator, with what it is in the other language kept alive.
  virtual OperatorRef self() = 0;
  virtual std::optional<PartialShape> shape() = 0;
  // Nothing where the class has no answer of its own. Of checks, the first output of the operation.
  virtual std::optional<Output> answer(OperatorQuestion question, Output argument,
                                       const Adjoints& adjoints) = 0;
};

// The name scope of the nodes, below the operator's own; "" means the method's name.
struct OperatorCall {
  std::string name{};
};
struct OperatorMatmul {
  bool adjoint = false;      // the operator's
  bool adjoint_arg = false;  // the argument's
  std::string name{};

  operator Adjoints() const { return {.adjoint = adjoint, .adjoint_arg = adjoint_arg}; }
};

inline OperatorMatmul applied(const Adjoints& adjoints) {
  return {.adjoint = adjoints.adjoint, .adjoint_arg = adjoints.adjoint_arg};
}

// A matrix [..., m, n], or a batch of them, that is stored in few numbers and used without writing
// all of them down. Subclasses say what their shape is and how they are multiplied; the rest has
// slower defaults that need a dense matrix. It must live in a shared_ptr, since operators keep the
// operators that they are made of alive.
//
//   OperatorOptions known;
//   known.is_non_singular = true;
//   auto d = std::make_shared<linalg::LinearOperatorDiag>(diag, known);
//   Output x = d->solve(rhs);  // rhs / diag, no matrix is made
//
// Constructors throw InvalidArgument when hints contradict each other, and a method throws
// Unimplemented where a hint rules it out. Arguments must have the operator's dtype (TypeError
// otherwise) and fit its dimensions as far as these are known (InvalidArgument). Like a graph, an
// operator is built by one thread at a time.
class LinearOperator : public std::enable_shared_from_this<LinearOperator> {
 public:
  using At = std::source_location;

  // The name "" becomes "LinearOperator".
  LinearOperator(DType dtype, const OperatorOptions& options);
  virtual ~LinearOperator() = default;
  LinearOperator(const LinearOperator&) = delete;
  LinearOperator& operator=(const LinearOperator&) = delete;

  virtual std::string type_name() const { return "LinearOperator"; }
  const std::string& name() const { return name_; }
  DType dtype() const { return dtype_; }
  std::optional<bool> is_non_singular() const { return hints_.is_non_singular; }
  std::optional<bool> is_self_adjoint() const { return hints_.is_self_adjoint; }
  std::optional<bool> is_positive_definite() const { return hints_.is_positive_definite; }
  // By the hint, else by the shape. Throws InvalidArgument when the hint is false and the shape is
  // square.
  std::optional<bool> is_square() const;
  OperatorHints hints() const;  // with what is known of squareness

  // What is known when the graph is built. batch_shape throws InvalidArgument for a rank below 2.
  PartialShape shape() const;
  PartialShape batch_shape() const;
  std::int64_t domain_dimension() const;  // columns; kUnknownDim where not known
  std::int64_t range_dimension() const;   // rows
  // The same as int32 tensors; constants where they are known already.
  Output shape_tensor(const OperatorCall& call = {}, At at = At::current());
  Output batch_shape_tensor(const OperatorCall& call = {}, At at = At::current());
  Output tensor_rank_tensor(const OperatorCall& call = {}, At at = At::current());
  Output domain_dimension_tensor(const OperatorCall& call = {}, At at = At::current());
  Output range_dimension_tensor(const OperatorCall& call = {}, At at = At::current());

  // Products with [..., n, k] and with vectors [..., n], and solutions of A x = rhs. Batches
  // broadcast. solve throws Unimplemented when hints say singular or not square. Its default
  // factors a dense matrix: Cholesky's factor when the operator is self-adjoint and positive
  // definite, else LU.
  Output matmul(const Input& x, const OperatorMatmul& call = {}, At at = At::current());
  // The same for vectors [..., n]; adjoint_arg means nothing here.
  Output matvec(const Input& x, const OperatorMatmul& call = {}, At at = At::current());
  Output solve(const Input& rhs, const OperatorMatmul& call = {}, At at = At::current());
  Output solvevec(const Input& rhs, const OperatorMatmul& call = {}, At at = At::current());
  // Products A x and A**-1 rhs as operators. Pairs with structure in common keep it (two diagonals
  // give a diagonal); others become a LinearOperatorComposition. Throws InvalidArgument when inner
  // dimensions are known to differ.
  OperatorRef matmul(const OperatorRef& x, const OperatorMatmul& call = {}, At at = At::current());
  OperatorRef solve(const OperatorRef& rhs, const OperatorMatmul& call = {}, At at = At::current());

  // Of each matrix of the batch. Throws Unimplemented when it is known not to be square.
  Output determinant(const OperatorCall& call = {}, At at = At::current());
  // log |det|, which does not overflow where the determinant does.
  Output log_abs_determinant(const OperatorCall& call = {}, At at = At::current());
  // As a tensor [..., m, n]. By default the product with an identity matrix.
  Output to_dense(const OperatorCall& call = {}, At at = At::current());
  // The main diagonal, and its sum.
  Output diag_part(const OperatorCall& call = {}, At at = At::current());
  Output trace(const OperatorCall& call = {}, At at = At::current());
  // A + x, where x is [..., m, n] or broadcasts with it.
  Output add_to_tensor(const Input& x, const OperatorCall& call = {}, At at = At::current()) {
    return add_input(x, call, at);
  }

  // The operator itself where it is known to be self-adjoint.
  OperatorRef adjoint(const OperatorCall& call = {}, At at = At::current());
  // Throws InvalidArgument when hints or shape say singular or not square.
  OperatorRef inverse(const OperatorCall& call = {}, At at = At::current());
  // Lower triangular L with A = L L*. Throws InvalidArgument unless the hints say both self-adjoint
  // and positive definite.
  OperatorRef cholesky(const OperatorCall& call = {}, At at = At::current());

  // Operations that fail the step unless the matrix is what they say. The default for non_singular
  // compares the condition number with 1 / (max(100, m, n) epsilon); that for positive_definite
  // throws Unimplemented unless the hints say self-adjoint. Where the class settles the answer
  // (zeros are never invertible) the call itself throws InvalidArgument.
  Node& assert_non_singular(const OperatorCall& call = {}, At at = At::current());
  Node& assert_positive_definite(const OperatorCall& call = {}, At at = At::current());
  Node& assert_self_adjoint(const OperatorCall& call = {}, At at = At::current());

  // What it is made of: tensors by name, and other operators.
  Output tensor(std::string_view name) const;  // throws InvalidArgument when there is none
  bool has_tensor(std::string_view name) const;
  const std::vector<std::pair<std::string, Output>>& tensors() const { return tensors_; }
  const std::vector<OperatorRef>& operands() const { return operands_; }

  // --- what subclasses define ---
  // Called inside the method's name scope, with arguments that have been checked. The first three
  // have no default and throw Unimplemented; the others go by way of to_dense().
  virtual PartialShape do_shape() const;
  virtual Output do_shape_tensor();
  virtual Output do_matmul(Output x, const Adjoints& adjoints);
  // Vectors go through the matrix functions by default, as matrices of one column.
  virtual Output do_matvec(Output x, const Adjoints& adjoints);
  virtual Output do_solve(Output rhs, const Adjoints& adjoints);
  virtual Output do_solvevec(Output rhs, const Adjoints& adjoints);
  virtual Output do_determinant();
  virtual Output do_log_abs_determinant();
  virtual Output do_to_dense();
  virtual Output do_diag_part();
  virtual Output do_trace();
  virtual Output do_add_to_tensor(Output x);
  virtual Node& do_assert_non_singular();
  virtual Node& do_assert_positive_definite();
  virtual Node& do_assert_self_adjoint();
  virtual Output add_input(const Input& x, const OperatorCall& call,
                           At at);  // all of add_to_tensor
  virtual OperatorRef do_adjoint();
  virtual OperatorRef do_inverse();
  virtual OperatorRef do_cholesky();
  // `left` and `right` have been made adjoint already where that was asked for. An override looks
  // for right-hand sides of its own kind and leaves others to the base class.
  virtual OperatorRef do_matmul_operator(const OperatorRef& left, const OperatorRef& right);
  virtual OperatorRef do_solve_operator(const OperatorRef& left, const OperatorRef& right);

  // The answer of this C++ class, with nothing around it: what super() reaches from a foreign
  // class.
  Output own_answer(OperatorQuestion question, Output argument, const Adjoints& adjoints);
  Node& own_check(OperatorQuestion question);

  ForeignOperator* foreign = nullptr;  // not owned
  OperatorRef self() { return foreign != nullptr ? foreign->self() : shared_from_this(); }

 protected:
  // For classes whose type follows from their arguments: they call set_up in their scope.
  LinearOperator() = default;
  // Adds what the hints imply. Throws InvalidArgument where they contradict each other.
  void set_up(DType dtype, const OperatorHints& hints, std::string name);
  // Makes a tensor or operator part of this one: tensor(name) and operands() find it.
  void add_tensor(std::string name, Output tensor) {
    tensors_.emplace_back(std::move(name), tensor);
  }
  void add_operand(OperatorRef operand) { operands_.push_back(std::move(operand)); }
  bool can_use_cholesky() const {
    return is_self_adjoint() == true && is_positive_definite() == true;
  }
  // By way of a dense matrix.
  Output dense_solve(Output rhs, const Adjoints& adjoints);
  // Parts of a shape, constants where they are known; `shape` is asked for where it is not given.
  Output batch_dims(std::optional<Output> shape = {});
  Output domain_dim(std::optional<Output> shape = {});
  Output range_dim(std::optional<Output> shape = {});
  Output answer(OperatorQuestion question, Output argument = {}, const Adjoints& adjoints = {});
  Node& check(OperatorQuestion question);
  Output checked_argument(const Input& x, const char* name);
  // Throws InvalidArgument when two dimensions are known to differ.
  static void require_compatible(std::int64_t a, std::int64_t b);

  // The name scope that a function's nodes stand in.
  class Inside {
   public:
    Inside(const LinearOperator& op, const std::string& name, const char* otherwise, At at)
        : made_(at), scope_(op.name() + "/" + (name.empty() ? otherwise : name)) {}

   private:
    MadeAt made_;
    NameScope scope_;
  };

 private:
  Output asked(OperatorQuestion question, const char* scope, const OperatorCall& call, At at);
  Output multiplied(OperatorQuestion question, const Input& x, const OperatorMatmul& call, At at);
  Node& checked(OperatorQuestion question, const OperatorCall& call, At at);
  std::pair<OperatorRef, OperatorRef> both(const OperatorRef& x, const OperatorMatmul& call);
  void require_solvable() const;
  void require_square() const;

  DType dtype_ = DType::invalid;
  OperatorHints hints_;
  std::string name_;
  std::vector<std::pair<std::string, Output>> tensors_;
  std::vector<OperatorRef> operands_;
};

}  // namespace rill::linalg
