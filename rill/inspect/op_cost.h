#pragma once

#include <span>
#include <string_view>

#include "rill/graph/attr.h"
#include "rill/graph/op.h"
#include "rill/inspect/peaks.h"
#include "rill/tensor/shape.h"

namespace rill::inspect {

// A tensor as its cost sees it. Unknown ones have an invalid dtype.
struct TensorSize {
  DType dtype = DType::invalid;
  Shape shape;

  double elements() const { return static_cast<double>(shape.element_count()); }
  double bytes() const;
};

// One run of a kernel.
struct KernelWork {
  std::string_view op;
  const AttrMap& attrs;
  std::span<const TensorSize> inputs, outputs;
  std::uint64_t traits = 0;  // of the op's declaration
};

// What a kernel has to do at least: the floating-point operations of the usual algorithm, and the
// bytes of what it reads and writes.
struct OpCost {
  double flops = 0, bytes = 0;
  bool is_known = false;  // flops are: an op that is not known has bytes alone
};
OpCost op_cost(const KernelWork& work);

// The least seconds that such work takes on such a machine, and what limits it.
struct Roofline {
  double seconds = 0;
  bool by_memory = true;
};
Roofline roofline(const OpCost& cost, DType dtype, const Peaks& peaks);

}  // namespace rill::inspect
