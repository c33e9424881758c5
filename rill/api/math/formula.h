#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "rill/api/core/default_graph.h"

// In a namespace of its own, so that its functions do not stand beside those of tensors.
namespace rill::formula {

// A formula of tensors and numbers that becomes nodes when it is turned into a tensor: the left
// side of every operation before the right one, as Python's expressions do. (C++ leaves the order
// of two calls in one expression open.) Each use of a formula makes its nodes anew; what is used
// twice is first made an Output.
//
//   Output z = (Formula(x) - mean) / sqrt(variance);  // Sub, Sqrt, RealDiv, in this order
class Formula {
 public:
  Formula(Output x) : leaf_(x) {}
  Formula(Node& node) : leaf_(node.output(0)) {}
  Formula(double number) : leaf_(number) {}
  Formula(int number) : leaf_(number) {}
  explicit Formula(Input input) : leaf_(std::move(input)) {}
  explicit Formula(std::function<Output()> build)
      : leaf_(0), build_(std::make_shared<std::function<Output()>>(std::move(build))) {}

  // The tensor, made now; a number stays a number, which takes the type of what it meets.
  Input input() const { return build_ ? Input((*build_)()) : leaf_; }
  operator Output() const { return as_tensor(input()); }

 private:
  Input leaf_;
  std::shared_ptr<std::function<Output()>> build_;
};

// One op of these operands.
Formula node(const char* op, std::vector<Formula> operands);
// The formula's nodes in a name scope.
Formula in_scope(std::string name, Formula inside);

// Each makes one node when it is its turn. Two plain numbers give a tensor, not a number.
Formula operator+(const Formula& x, const Formula& y);
Formula operator-(const Formula& x, const Formula& y);
Formula operator*(const Formula& x, const Formula& y);
Formula operator/(const Formula& x, const Formula& y);
Formula operator-(const Formula& x);
Formula operator<(const Formula& x, const Formula& y);
Formula operator<=(const Formula& x, const Formula& y);
Formula operator>(const Formula& x, const Formula& y);
Formula operator>=(const Formula& x, const Formula& y);

// x to the power of y, as the operator names it.
Formula power(const Formula& x, const Formula& y);
// x where the condition holds, y elsewhere; broadcast.
Formula where(const Formula& condition, const Formula& x, const Formula& y);
Formula abs(const Formula& x);
Formula sum_over_last(const Formula& x);

inline Formula log(const Formula& x) { return node("Log", {x}); }
inline Formula log1p(const Formula& x) { return node("Log1p", {x}); }
inline Formula exp(const Formula& x) { return node("Exp", {x}); }
inline Formula sqrt(const Formula& x) { return node("Sqrt", {x}); }
inline Formula rsqrt(const Formula& x) { return node("Rsqrt", {x}); }
inline Formula square(const Formula& x) { return node("Square", {x}); }
inline Formula sign(const Formula& x) { return node("Sign", {x}); }
inline Formula lgamma(const Formula& x) { return node("Lgamma", {x}); }
inline Formula digamma(const Formula& x) { return node("Digamma", {x}); }
inline Formula sigmoid(const Formula& x) { return node("Sigmoid", {x}); }
inline Formula softplus(const Formula& x) { return node("Softplus", {x}); }
inline Formula identity(const Formula& x) { return node("Identity", {x}); }

}  // namespace rill::formula
