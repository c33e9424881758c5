#include "rill/ops/data/core/dataset_kernel.h"

namespace rill {

DatasetRef dataset_input(const KernelCall& call, int i) { return dataset_in(call.input_tensor(i)); }

ElementSpec stated_spec(const KernelNode& node) {
  ElementSpec spec{node.attr<std::vector<DType>>("output_types"),
                   node.attr<std::vector<PartialShape>>("output_shapes")};
  require(spec.types.size() == spec.shapes.size(), "output_types states ", spec.types.size(),
          " components, output_shapes ", spec.shapes.size());
  return spec;
}

FunctionSource function_input(const KernelCall& call, const char* name, int first, int count) {
  const auto& function = call.node().attr<FuncName>(name);
  FunctionSource source{function, {}, held_function(function.name)};
  for (int i = first; i < first + count; ++i) source.captured.push_back(call.input_tensor(i));
  return source;
}

int list_length(const KernelNode& node, const char* name) {
  return static_cast<int>(node.attr<std::vector<DType>>(name).size());
}

void give_element(const KernelCall& call, Element& element) {
  const auto& types = call.node().output_types;
  require(element.size() == types.size(), "the element has ", element.size(), " components, but ",
          types.size(), " are wanted");
  for (std::size_t i = 0; i < types.size(); ++i) {
    require(element[i].dtype() == types[i], "component ", i, " is ", element[i].dtype(), ", but ",
            types[i], " is wanted");
    const MemoryKind kind = call.node().output_kind(static_cast<int>(i));
    if (element[i].memory_kind() != kind)
      element[i] = element[i].copied_to(call.device().allocator(kind));
    call.set_output(static_cast<int>(i), std::move(element[i]));
  }
}

void give_element_or_end(KernelCall& call, Element& element, bool ended) {
  if (ended) raise(Code::kOutOfRange, "End of sequence");
  give_element(call, element);
}

Allocator* device_memory(const KernelCall& call) {
  const MemoryKind kind = call.device().memory_kind();
  return kind == MemoryKind::device ? &call.device().allocator(kind) : nullptr;
}

void give_dataset(KernelCall& call, std::shared_ptr<Dataset> dataset) {
  const KernelNode& node = call.node();
  DatasetOrigin origin{.node = node.name, .op = node.op->name, .attrs = node.attrs};
  for (int i = 0; i < call.input_count(); ++i) origin.inputs.push_back(call.input_tensor(i));
  dataset->set_origin(std::move(origin));
  call.set_output(0, dataset_tensor(std::move(dataset)));
}

}  // namespace rill
