#include "rill/ops/data/core/dataset_making.h"

#include "rill/ops/register.h"
#include "rill/ops/register_kernels.h"

namespace rill {

Tensor DatasetMaking::output(KernelNode node, const std::vector<Tensor>& inputs) const {
  node.device = &call_.device();
  const KernelEntry& kernel = standard_kernels().choose(node);
  if (kernel.run == nullptr || !kernel.allocates || kernel.make_state != nullptr ||
      node.output_types.size() != 1)
    raise(Code::kUnimplemented, "node ", node.name, " of op ", node.op->name,
          " in the graph of a dataset");
  std::vector<Value> values(inputs.size());
  std::vector<Value*> in;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    values[i].tensor = inputs[i];
    in.push_back(&values[i]);
  }
  Value result;
  Value* const out[] = {&result};
  KernelCall call(node, nullptr, in, out, call_.step());
  kernel.run(call);
  return std::move(result.tensor);
}

DatasetRef DatasetMaking::made(const std::string& op, AttrMap attrs,
                               const std::vector<Tensor>& inputs) const {
  KernelNode node{.name = op, .op = &standard_ops().at(op), .attrs = std::move(attrs)};
  for (const Tensor& input : inputs) node.input_types.push_back(input.dtype());
  node.output_types = {DType::variant};
  return dataset_in(output(std::move(node), inputs));
}

DatasetRef DatasetMaking::remade(const Dataset& dataset, const std::vector<Tensor>& inputs) const {
  return made(dataset.origin().op, dataset.origin().attrs, inputs);
}

}  // namespace rill
