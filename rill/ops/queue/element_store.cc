#include "rill/ops/queue/element_store.h"

#include <algorithm>
#include <deque>

#include "rill/base/philox.h"

namespace rill {
namespace {

template <class Tuples>
std::int64_t bytes_of(const Tuples& tuples) {
  std::int64_t bytes = 0;
  for (const Tuple& tuple : tuples) bytes += memory_bytes(tuple);
  return bytes;
}

class Fifo final : public ElementStore {
 public:
  std::int64_t size() const override { return static_cast<std::int64_t>(elements_.size()); }
  void put(Tuple element) override { elements_.push_back(std::move(element)); }
  Tuple take() override {
    Tuple element = std::move(elements_.front());
    elements_.pop_front();
    return element;
  }
  void put_back(std::vector<Tuple> elements) override {
    for (auto it = elements.rbegin(); it != elements.rend(); ++it)
      elements_.push_front(std::move(*it));
  }
  std::int64_t memory_bytes() const override { return bytes_of(elements_); }

 private:
  std::deque<Tuple> elements_;
};

class LowestFirst final : public ElementStore {
 public:
  std::int64_t size() const override { return static_cast<std::int64_t>(heap_.size()); }
  void put(Tuple element) override {
    heap_.push_back(std::move(element));
    std::push_heap(heap_.begin(), heap_.end(), later);
  }
  Tuple take() override {
    std::pop_heap(heap_.begin(), heap_.end(), later);
    Tuple element = std::move(heap_.back());
    heap_.pop_back();
    return element;
  }
  std::int64_t memory_bytes() const override { return bytes_of(heap_); }

 private:
  static bool later(const Tuple& a, const Tuple& b) {
    return *a.front().data<std::int64_t>() > *b.front().data<std::int64_t>();
  }

  std::vector<Tuple> heap_;
};

class RandomOrder final : public ElementStore {
 public:
  RandomOrder(std::uint64_t seed, std::uint64_t seed2) : stream_(seed, seed2) {}
  std::int64_t size() const override { return static_cast<std::int64_t>(elements_.size()); }
  void put(Tuple element) override { elements_.push_back(std::move(element)); }
  Tuple take() override {
    Tuple& chosen = elements_[draw() % elements_.size()];
    std::swap(chosen, elements_.back());
    Tuple element = std::move(elements_.back());
    elements_.pop_back();
    return element;
  }
  std::int64_t memory_bytes() const override { return bytes_of(elements_); }

 private:
  std::uint32_t draw() {
    if (used_ == block_.size()) {
      block_ = stream_.next();
      used_ = 0;
    }
    return block_[used_++];
  }

  Philox stream_;
  Philox::Block block_{};
  std::size_t used_ = std::tuple_size_v<Philox::Block>;
  std::vector<Tuple> elements_;
};

}  // namespace

void ElementStore::put_back(std::vector<Tuple> elements) {
  for (Tuple& element : elements) put(std::move(element));
}

std::unique_ptr<ElementStore> first_in_first_out() { return std::make_unique<Fifo>(); }

std::unique_ptr<ElementStore> lowest_first() { return std::make_unique<LowestFirst>(); }

std::unique_ptr<ElementStore> in_random_order(std::int64_t seed, std::int64_t seed2) {
  if (seed == 0 && seed2 == 0) return std::make_unique<RandomOrder>(entropy_bits(), entropy_bits());
  return std::make_unique<RandomOrder>(static_cast<std::uint64_t>(seed),
                                       static_cast<std::uint64_t>(seed2));
}

std::int64_t memory_bytes(const Tuple& tuple) {
  std::int64_t bytes = 0;
  for (const Tensor& tensor : tuple) bytes += static_cast<std::int64_t>(tensor.byte_size());
  return bytes;
}

}  // namespace rill
