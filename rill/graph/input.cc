#include "rill/graph/number.h"
#include "rill/graph/scope.h"

namespace rill {
namespace {

Input::MakeValue scalar_of(Number number) {
  return [number = std::move(number)](DType wanted) {
    const Tensor tensor =
        Tensor::zeros(wanted == DType::invalid ? natural_type(number) : base_type(wanted), {});
    store_number(tensor, 0, number);
    return tensor;
  };
}

}  // namespace

Input::Input(Tensor value) : make_([value = std::move(value)](DType) { return value; }) {}
Input::Input(int value) : make_(scalar_of(std::int64_t{value})) {}
Input::Input(std::int64_t value) : make_(scalar_of(value)) {}
Input::Input(float value) : make_(scalar_of(double{value})) {}
Input::Input(double value) : make_(scalar_of(value)) {}
Input::Input(bool value) : make_(scalar_of(value)) {}
Input::Input(const char* value) : make_(scalar_of(std::string(value))) {}
Input::Input(std::string value) : make_(scalar_of(std::move(value))) {}

Output Input::as_output(Scope& scope, std::string_view name, DType wanted) const {
  if (make_output_) return make_output_(scope, name, wanted);
  return make_ ? scope.constant(make_(wanted), name) : output_;
}

}  // namespace rill
