#pragma once

#include "rill/base/function_ref.h"
#include "rill/kernel/kernel_call.h"
#include "rill/ops/data/core/stacked_rows.h"

namespace rill {

// The elements of one batch while it comes together. Their storage serves the next batch too.
class RowBuffer {
 public:
  // Up to `count` elements, as many as `pull` gives before it returns false.
  std::span<Element> fill(std::int64_t count, FunctionRef<bool(Element&)> pull);
  void clear();  // lets the values go

 private:
  std::vector<Element> rows_;
};

// How many batches `count` elements make, or what is known instead of a number.
std::int64_t batch_count(std::int64_t count, std::int64_t batch_size, bool drop_remainder);

// Input i of an op that makes batches; throws InvalidArgument unless it is positive.
std::int64_t batch_size_input(const KernelCall& call, int i);

}  // namespace rill
