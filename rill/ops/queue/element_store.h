#pragma once

#include <memory>
#include <vector>

#include "rill/tensor/tensor.h"

namespace rill {

using Tuple = std::vector<Tensor>;

// The elements of a queue, which it gives out in an order of its own.
class ElementStore {
 public:
  virtual ~ElementStore() = default;
  virtual std::int64_t size() const = 0;
  virtual void put(Tuple element) = 0;
  virtual Tuple take() = 0;  // only when there is one
  // Elements that were taken in this order come back.
  virtual void put_back(std::vector<Tuple> elements);
  virtual std::int64_t memory_bytes() const = 0;
};

std::unique_ptr<ElementStore> first_in_first_out();
// The lowest int64 in component 0 first; equal ones in the order that TensorFlow's heap has.
std::unique_ptr<ElementStore> lowest_first();
// Any element; two seeds of zero make an order that nobody can foretell.
std::unique_ptr<ElementStore> in_random_order(std::int64_t seed, std::int64_t seed2);

std::int64_t memory_bytes(const Tuple& tuple);

}  // namespace rill
