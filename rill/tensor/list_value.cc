#include "rill/tensor/list_value.h"

#include <algorithm>
#include <atomic>

#include "rill/base/memory.h"

namespace rill {

const Tensor& SharedTensors::operator[](std::size_t i) const {
  static const Tensor nothing{};
  const auto& chunk = chunks_[i / kChunkSize];
  const std::size_t at = i % kChunkSize;
  return chunk == nullptr || at >= chunk->size() ? nothing : (*chunk)[at];
}

SharedTensors::Chunk& SharedTensors::writable(std::size_t chunk) {
  std::shared_ptr<Chunk>& held = chunks_[chunk];
  if (held == nullptr) {
    held = std::make_shared<Chunk>();
  } else if (held.use_count() > 1) {
    held = std::make_shared<Chunk>(*held);
  }
  // Whoever shared it before has read for the last time.
  std::atomic_thread_fence(std::memory_order_acquire);
  return *held;
}

void SharedTensors::set(std::size_t i, Tensor value) {
  Chunk& chunk = writable(i / kChunkSize);
  const std::size_t at = i % kChunkSize;
  if (at >= chunk.size()) chunk.resize(at + 1);
  chunk[at] = std::move(value);
}

void SharedTensors::push_back(Tensor value) {
  if (size_ % kChunkSize == 0) chunks_.emplace_back();
  set(size_++, std::move(value));
}

void SharedTensors::resize(std::size_t size) {
  const std::size_t count = (size + kChunkSize - 1) / kChunkSize;
  constexpr std::size_t kShare = 4;
  if (size > memory_capacity() / kShare / sizeof(Tensor))  // what they take once they have values
    raise(Code::kResourceExhausted, "a list of ", size, " elements does not fit in memory");
  chunks_.resize(count);
  const std::size_t last = size % kChunkSize;
  if (size < size_ && last > 0 && chunks_.back() != nullptr && chunks_.back()->size() > last)
    writable(count - 1).resize(last);
  size_ = size;
}

void ListValue::check_nesting(const Tensor& element) {
  if (element.dtype() != DType::variant) return;
  for (const Variant& variant : element.flat<Variant>()) {
    const auto* list = variant.get<ListValue>();
    if (list != nullptr) nesting = std::max(nesting, list->nesting + 1);
  }
  require(nesting <= kMaxNested, "lists are nested more than ", kMaxNested, " deep");
}

}  // namespace rill
