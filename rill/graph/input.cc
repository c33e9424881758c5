#include <algorithm>

#include "rill/graph/number.h"
#include "rill/graph/scope.h"
#include "rill/graph/whole_number.h"

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

// `values` as another type that can hold them; other tensors stay as they are, for whoever wants
// them to complain.
Tensor converted(const Tensor& values, DType wanted) {
  if (values.dtype() == wanted) return values;
  const auto as = [&]<class T>(T) {
    Tensor result(wanted, values.shape());
    for (std::size_t i = 0; i < values.flat<T>().size(); ++i) {
      const T value = values.data<T>()[i];
      if constexpr (std::is_integral_v<T>) {
        store_number(result, i, static_cast<std::int64_t>(value));
      } else {
        store_number(result, i, static_cast<double>(value));
      }
    }
    return result;
  };
  switch (values.dtype()) {
    case DType::u8:
      return as(std::uint8_t());
    case DType::i8:
      return as(std::int8_t());
    case DType::u16:
      return as(std::uint16_t());
    case DType::i16:
      return as(std::int16_t());
    case DType::u32:
      return as(std::uint32_t());
    case DType::i32:
      return as(std::int32_t());
    case DType::u64:
      return as(std::uint64_t());
    case DType::i64:
      return as(std::int64_t());
    case DType::f32:
      return as(float());
    case DType::f64:
      return as(double());
    default:
      return values;
  }
}

// Values of one shape and type, one after the other under a new first dimension.
Tensor stacked(const std::vector<Input>& items, DType wanted) {
  std::vector<Tensor> rows;
  for (const Input& item : items) {
    rows.push_back(item.value(wanted));
    if (wanted == DType::invalid) wanted = rows[0].dtype();
  }
  if (rows.empty()) return Tensor(wanted == DType::invalid ? DType::f32 : wanted, Shape{0});
  Shape shape{static_cast<std::int64_t>(rows.size())};
  for (const std::int64_t dim : rows[0].shape().dims()) shape.add_dim(dim);
  Tensor result(rows[0].dtype(), shape);
  auto* dst = static_cast<char*>(result.raw_data());
  const auto count = static_cast<std::size_t>(rows[0].element_count());
  const std::size_t size = count * element_size(rows[0].dtype());
  for (const Tensor& row : rows) {
    require(row.shape() == rows[0].shape() && row.dtype() == rows[0].dtype(),
            "the items of a list have different shapes or types: ", rows[0].shape(), " and ",
            row.shape());
    copy_elements(row.dtype(), dst, row.raw_data(), count);
    dst += size;
  }
  return result;
}

bool is_list_value(const Input& item) { return item.is_value() || item.is_output(); }

Output pack(Scope& scope, const std::vector<Input>& items, std::string_view name, DType wanted) {
  Scope inner = scope.named(name);
  std::vector<Input> tensors = items;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!is_list_value(items[i])) tensors[i] = items[i].as_output(inner, std::to_string(i), wanted);
    // A list that became a constant has taken its name for a scope before.
    if (items[i].is_value() && items[i].value(wanted).shape().rank() > 0)
      inner.named(std::to_string(i));
    if (tensors[i].is_output()) wanted = base_type(tensors[i].output().dtype());
  }
  for (std::size_t i = 0; i < items.size(); ++i)
    if (tensors[i].is_value()) tensors[i] = tensors[i].as_output(inner, std::to_string(i), wanted);
  return inner.add("Pack", {InputArg(std::move(tensors))}, {}, inner.name() + "/").output();
}

}  // namespace

Input::Input(Tensor value) : make_([value = std::move(value)](DType) { return value; }) {}
Input::Input(Tensor values, NumbersOfAnyType)
    : make_([values = std::move(values)](DType wanted) {
        return wanted == DType::invalid ? values : converted(values, base_type(wanted));
      }) {}
Input::Input(const std::vector<bool>& values)
    : Input([&] {
        Tensor tensor(DType::boolean, {std::ssize(values)});
        std::ranges::copy(values, tensor.data<bool>());
        return tensor;
      }()) {}
Input::Input(int value) : make_(scalar_of(std::int64_t{value})) {}
Input::Input(std::int64_t value)
    : make_([value](DType wanted) {
        return scalar_of(value)(wanted == DType::invalid ? DType::i64 : wanted);
      }) {}
Input::Input(float value) : make_(scalar_of(double{value})) {}
Input::Input(double value) : make_(scalar_of(value)) {}
Input::Input(bool value) : make_(scalar_of(value)) {}
Input::Input(const char* value) : make_(scalar_of(std::string(value))) {}
Input::Input(std::string value) : make_(scalar_of(std::move(value))) {}

Input whole_number(std::int64_t value) { return Input::MakeValue(scalar_of(value)); }

Input Input::list_of(std::vector<Input> items) {
  if (std::ranges::all_of(items, &Input::is_value))
    return MakeValue([items = std::move(items)](DType wanted) { return stacked(items, wanted); });
  return MakeOutput([items = std::move(items)](Scope& scope, std::string_view name, DType wanted) {
    // What is packed without an argument's name is called so.
    return pack(scope, items, name == "Const" ? "packed" : name, wanted);
  });
}

Output Input::as_output(Scope& scope, std::string_view name, DType wanted) const {
  if (make_output_) return make_output_(scope, name, wanted);
  return make_ ? scope.constant(make_(wanted), name) : output_;
}

}  // namespace rill
