#include "rill/api/core/shape_input.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "rill/base/error.h"

namespace rill {

ShapeInput::ShapeInput(std::span<const std::int64_t> dims)
    : Input(Input::MakeValue([list = std::vector(dims.begin(), dims.end())](DType wanted) {
        const bool small = std::ranges::all_of(
            list, [](std::int64_t dim) { return std::in_range<std::int32_t>(dim); });
        const DType type = wanted == DType::i64 || !small ? DType::i64 : DType::i32;
        Tensor shape(type, {static_cast<std::int64_t>(list.size())});
        for (std::size_t i = 0; i < list.size(); ++i) {
          if (type == DType::i64) {
            shape.data<std::int64_t>()[i] = list[i];
          } else {
            shape.data<std::int32_t>()[i] = static_cast<std::int32_t>(list[i]);
          }
        }
        return shape;
      })) {}

Shape shape_of_value(const Tensor& dims) {
  const bool is_integer = dims.dtype() == DType::i32 || dims.dtype() == DType::i64;
  require(is_integer && dims.shape().rank() <= 1,
          "a shape must be a vector of int32 or int64, not ", dims.dtype(), dims.shape());
  std::vector<std::int64_t> list;
  for (std::int64_t i = 0; i < dims.element_count(); ++i)
    list.push_back(dims.dtype() == DType::i64 ? dims.data<std::int64_t>()[i]
                                              : std::int64_t{dims.data<std::int32_t>()[i]});
  return Shape(list);
}

}  // namespace rill
