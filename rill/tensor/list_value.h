#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "rill/tensor/tensor.h"
#include "rill/tensor/variant.h"

namespace rill {

// Tensors by position. Copies share them in chunks, so that a copy that differs in a few places
// costs little time and memory. A position without a value is not initialised. Indices are not
// checked.
class SharedTensors {
 public:
  std::size_t size() const { return size_; }
  const Tensor& operator[](std::size_t i) const;
  // Copies the chunk first where other lists share it: they keep their value.
  void set(std::size_t i, Tensor value);
  void push_back(Tensor value);
  // New positions are not initialised. Throws ResourceExhausted for more than memory holds.
  void resize(std::size_t size);

 private:
  static constexpr std::size_t kChunkSize = 64;
  using Chunk = std::vector<Tensor>;  // shorter than kChunkSize where the rest has no value
  Chunk& writable(std::size_t chunk);

  std::vector<std::shared_ptr<Chunk>> chunks_;  // nullptr: no position has a value
  std::size_t size_ = 0;
};

// What a variant holds that is a TensorFlow list. Elements that are not initialised read as zeros
// of the element shape.
struct ListValue : std::enable_shared_from_this<ListValue> {
  static constexpr const char* kTypeName = "tensorflow::TensorList";
  static constexpr int kMaxNested = 256;  // lists in lists: taking them apart must end

  ListValue(DType dtype, PartialShape element_shape, std::int64_t most = -1)
      : dtype(dtype), element_shape(std::move(element_shape)), most(most) {}

  // Throws InvalidArgument when `element` holds lists that are nested too deeply.
  void check_nesting(const Tensor& element);
  void push_back(Tensor element) {
    check_nesting(element);
    elements.push_back(std::move(element));
  }
  void set(std::size_t i, Tensor element) {
    check_nesting(element);
    elements.set(i, std::move(element));
  }

  DType dtype;
  PartialShape element_shape;
  std::int64_t most;  // how many elements it may have; negative: no limit
  int nesting = 1;    // 1: no lists in this list
  SharedTensors elements;
};

inline Variant to_variant(std::shared_ptr<const ListValue> list) {
  return {ListValue::kTypeName, std::move(list)};
}
inline Tensor to_tensor(std::shared_ptr<const ListValue> list) {
  return Tensor::scalar(to_variant(std::move(list)));
}

}  // namespace rill
