#pragma once

#include "tests/optest/op_case.h"

// What case tables of sparse ops share.
namespace rill {

inline Tensor longs(Shape shape, std::initializer_list<std::int64_t> v) {
  return tensor<std::int64_t>(std::move(shape), v);
}
// A matrix of indices of this rank.
inline Tensor places(std::int64_t rank, std::initializer_list<std::int64_t> v) {
  return longs({rank == 0 ? 0 : static_cast<std::int64_t>(v.size()) / rank, rank}, v);
}
inline Tensor floats(std::initializer_list<float> v) {
  return tensor<float>({static_cast<std::int64_t>(v.size())}, v);
}
inline Tensor dims(std::initializer_list<std::int64_t> v) {
  return longs({static_cast<std::int64_t>(v.size())}, v);
}

constexpr std::int64_t kHuge = std::int64_t{1} << 40;  // its square is no int64

}  // namespace rill
