#pragma once

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/data/core/dataset.h"

namespace rill {

// Makes datasets within a call of a kernel as other nodes would, by their kernels.
class DatasetMaking {
 public:
  explicit DatasetMaking(const KernelCall& call) : call_(call) {}

  // What a node would give. Throws Unimplemented, naming it, for nodes other than those of datasets
  // and what they are made of: kernels that wait, keep something or need their outputs allocated.
  Tensor output(KernelNode node, const std::vector<Tensor>& inputs) const;
  DatasetRef made(const std::string& op, AttrMap attrs, const std::vector<Tensor>& inputs) const;
  // The same dataset, made of other inputs.
  DatasetRef remade(const Dataset& dataset, const std::vector<Tensor>& inputs) const;

 private:
  const KernelCall& call_;
};

}  // namespace rill
