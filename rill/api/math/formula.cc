#include "rill/api/math/formula.h"

#include "rill/api/array/picking.h"
#include "rill/api/math/arithmetic.h"
#include "rill/api/math/operators.h"
#include "rill/api/math/reduce.h"

namespace rill::formula {
namespace {

using Binary = Output (*)(const Input& x, const Input& y, std::source_location at);

Formula binary(Binary build, const Formula& x, const Formula& y) {
  return Formula([=] {
    const Input left = x.input();
    return build(left, y.input(), {});
  });
}

}  // namespace

Formula node(const char* op, std::vector<Formula> operands) {
  return Formula([op, operands = std::move(operands)] {
    std::vector<InputArg> inputs;
    for (const Formula& operand : operands) inputs.emplace_back(operand.input());
    return current_scope().add(op, std::move(inputs)).output(0);
  });
}

Formula in_scope(std::string name, Formula inside) {
  return Formula([name = std::move(name), inside = std::move(inside)] {
    const NameScope scope(name);
    return Output(inside);
  });
}

Formula operator+(const Formula& x, const Formula& y) { return binary(operators::add, x, y); }
Formula operator-(const Formula& x, const Formula& y) { return binary(operators::sub, x, y); }
Formula operator*(const Formula& x, const Formula& y) { return binary(operators::mul, x, y); }
Formula operator/(const Formula& x, const Formula& y) { return binary(operators::truediv, x, y); }
Formula operator<(const Formula& x, const Formula& y) { return binary(operators::less, x, y); }
Formula operator<=(const Formula& x, const Formula& y) {
  return binary(operators::less_equal, x, y);
}
Formula operator>(const Formula& x, const Formula& y) { return binary(operators::greater, x, y); }
Formula operator>=(const Formula& x, const Formula& y) {
  return binary(operators::greater_equal, x, y);
}
Formula operator-(const Formula& x) { return node("Neg", {x}); }
Formula power(const Formula& x, const Formula& y) { return binary(operators::pow, x, y); }

Formula where(const Formula& condition, const Formula& x, const Formula& y) {
  return Formula([=] {
    const Input chosen = condition.input();
    const Input first = x.input();
    return where_v2(chosen, first, y.input());
  });
}

Formula abs(const Formula& x) {
  return Formula([=] { return rill::abs(x.input()); });
}

Formula sum_over_last(const Formula& x) {
  return Formula([=] { return reduce_sum(x.input(), {.axis = Input(-1)}); });
}

}  // namespace rill::formula
