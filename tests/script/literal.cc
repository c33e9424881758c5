#include "tests/script/literal.h"

#include <limits>

#include "rill/base/error.h"
#include "rill/tensor/dtype_visit.h"

namespace rill::script {
namespace {

bool is_dtype_word(const std::string& word) {
  DType dtype;
  return !word.empty() && parse_dtype(word, &dtype);
}

bool is_value_word(const std::string& word) {
  return word == "true" || word == "false" || word == "nan" || word == "inf";
}

void parse_element(Scanner& in, Literal* out) {
  using Kind = Literal::Kind;
  if (in.peek() == '"') {
    out->kind = Kind::kString;
    out->texts.push_back(in.text());
    return;
  }
  const std::string word = in.number();
  double value = 0;
  long long whole = 0;
  if (word == "true" || word == "false") {
    out->kind = Kind::kBool;
    value = word == "true";
  } else if (word == "nan") {
    value = std::numeric_limits<double>::quiet_NaN();
    out->kind = Kind::kFloat;
  } else if (word == "inf" || word == "-inf") {
    value = std::numeric_limits<double>::infinity() * (word[0] == '-' ? -1 : 1);
    out->kind = Kind::kFloat;
  } else if (parse_int(word, &whole)) {
    if (out->numbers.empty()) out->kind = Kind::kInt;
    value = static_cast<double>(whole);
  } else if (parse_float(word, &value)) {
    out->kind = Kind::kFloat;
  } else {
    raise(Code::kInvalidArgument, "not a value: ", word);
  }
  out->numbers.push_back(value);
}

// Appends the elements and returns the shape of what was read.
Shape parse_nested(Scanner& in, Literal* out) {
  if (!in.take("[")) {
    parse_element(in, out);
    return {};
  }
  std::int64_t count = 0;
  Shape inner;
  while (!in.take("]")) {
    const Shape item = parse_nested(in, out);
    require(count == 0 || item == inner, "rows of different shape: ", inner, " and ", item);
    inner = item;
    ++count;
    in.take(",");
  }
  Shape shape{count};
  for (const std::int64_t dim : inner.dims()) shape.add_dim(dim);
  return shape;
}

DType natural_dtype(Literal::Kind kind) {
  switch (kind) {
    case Literal::Kind::kInt:
      return DType::i32;
    case Literal::Kind::kBool:
      return DType::boolean;
    case Literal::Kind::kString:
      return DType::string;
    default:
      return DType::f32;
  }
}

template <class T>
T element(double number) {
  if constexpr (std::is_arithmetic_v<T>) {
    return static_cast<T>(number);
  } else if constexpr (kQuantizedTypes.contains(dtype_of<T>)) {
    return T{static_cast<decltype(T::value)>(number)};
  } else {
    return T(static_cast<float>(number));
  }
}

template <class T>
constexpr bool kIsNumber = !std::is_same_v<T, std::string> && !std::is_same_v<T, ResourceHandle> &&
                           !std::is_same_v<T, Variant>;

}  // namespace

Tensor Literal::tensor(DType wanted) const {
  if (dtype != DType::invalid) wanted = dtype;
  if (wanted == DType::invalid) wanted = natural_dtype(kind);
  const bool empty = shape.element_count() == 0;
  require(empty || (wanted == DType::string) == (kind == Kind::kString), "a value of type ", wanted,
          " was expected");
  Tensor result(wanted, shape);
  visit_dtype(wanted, [&]<class T>() {
    if constexpr (std::is_same_v<T, std::string>) {
      std::copy(texts.begin(), texts.end(), result.data<T>());
    } else if constexpr (kIsNumber<T>) {
      std::transform(numbers.begin(), numbers.end(), result.data<T>(), element<T>);
    } else {
      raise(Code::kInvalidArgument, "values of type ", wanted, " cannot be written");
    }
  });
  return result;
}

bool starts_literal(Scanner& in) {
  const char c = in.peek();
  const std::string word = in.peek_name();
  if (word.empty()) return c == '[' || c == '"' || c == '-' || c == '.' || (c >= '0' && c <= '9');
  return is_value_word(word) || is_dtype_word(word);
}

Literal parse_literal(Scanner& in) {
  Literal literal;
  if (const std::string word = in.peek_name(); is_dtype_word(word)) {
    parse_dtype(in.name(), &literal.dtype);
  }
  literal.shape = parse_nested(in, &literal);
  return literal;
}

}  // namespace rill::script
