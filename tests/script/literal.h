#pragma once

#include <string>
#include <variant>
#include <vector>

#include "rill/tensor/tensor.h"
#include "tests/script/scanner.h"

namespace rill::script {

// A value as written: [[1 2] [3 4]], int64 7, "text". Its dtype follows from where it is used
// unless it is written in front.
struct Literal {
  enum class Kind : std::uint8_t { kInt, kFloat, kBool, kString };

  DType dtype = DType::invalid;  // as written; invalid when it was not
  Kind kind = Kind::kFloat;      // of the elements, the widest found
  Shape shape;
  std::vector<double> numbers;
  std::vector<std::string> texts;

  // `wanted` is invalid when any type will do. Throws InvalidArgument when the value does not fit.
  Tensor tensor(DType wanted) const;
};

bool starts_literal(Scanner& in);
Literal parse_literal(Scanner& in);

}  // namespace rill::script
