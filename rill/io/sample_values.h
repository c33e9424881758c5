#pragma once

// For tests alone: what tools/io_goldens.py writes with TensorFlow and tests/interop/write_files.cc
// with Rill.
#include <map>
#include <string>
#include <vector>

#include "rill/tensor/tensor.h"

namespace rill {

inline std::vector<std::string> sample_records() {
  std::string all_bytes;
  for (int i = 0; i < 256; ++i) all_bytes.push_back(static_cast<char>(i));
  return {"hello", "", all_bytes, std::string(1000, 'x')};
}

// [rows, columns] of 0, 1, 2, ...
inline Tensor counted_floats(std::int64_t rows, std::int64_t columns) {
  Tensor tensor(DType::f32, {rows, columns});
  float value = 0;
  for (float& element : tensor.flat<float>()) element = value++;
  return tensor;
}

// "t/<type>" of every type of fixed size, shape [2,3]: 0 to 5, halves added to real ones, the
// imaginary part negative; "step", "empty", "strings", "text".
inline std::map<std::string, Tensor> sample_tensors() {
  std::map<std::string, Tensor> tensors;
  const auto set = [&]<class T>(T (*value)(int)) {
    Tensor tensor(dtype_of<T>, {2, 3});
    for (int i = 0; i < 6; ++i) tensor.data<T>()[i] = value(i);
    tensors[str_cat("t/", tensor.dtype())] = tensor;
  };
  set(+[](int i) { return static_cast<float>(i) + 0.5f; });
  set(+[](int i) { return static_cast<double>(i) + 0.5; });
  set(+[](int i) { return half(static_cast<float>(i) + 0.5f); });
  set(+[](int i) { return bfloat16(static_cast<float>(i) + 0.5f); });
  set(+[](int i) { return static_cast<std::int8_t>(i); });
  set(+[](int i) { return static_cast<std::int16_t>(i); });
  set(+[](int i) { return static_cast<std::int32_t>(i); });
  set(+[](int i) { return static_cast<std::int64_t>(i); });
  set(+[](int i) { return static_cast<std::uint8_t>(i); });
  set(+[](int i) { return static_cast<std::uint16_t>(i); });
  set(+[](int i) { return static_cast<std::uint32_t>(i); });
  set(+[](int i) { return static_cast<std::uint64_t>(i); });
  set(+[](int i) { return i % 2 == 1; });
  set(+[](int i) { return std::complex<float>(static_cast<float>(i), static_cast<float>(-i)); });
  set(+[](int i) { return std::complex<double>(i, -i); });
  set(+[](int i) { return qint8{static_cast<std::int8_t>(i)}; });
  set(+[](int i) { return quint8{static_cast<std::uint8_t>(i)}; });
  set(+[](int i) { return qint16{static_cast<std::int16_t>(i)}; });
  set(+[](int i) { return quint16{static_cast<std::uint16_t>(i)}; });
  set(+[](int i) { return qint32{i}; });
  tensors["step"] = Tensor::scalar<std::int64_t>(7);
  tensors["empty"] = Tensor(DType::f32, {0, 3});
  tensors["strings"] = Tensor::of<std::string>({2, 2}, {"ab", "", "xyz", std::string(300, 'q')});
  tensors["text"] = Tensor::scalar<std::string>("one text");
  return tensors;
}

}  // namespace rill
