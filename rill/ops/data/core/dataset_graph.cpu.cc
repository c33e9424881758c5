#include "rill/ops/data/core/dataset_graph.h"

#include "rill/ops/data/core/dataset_kernel.h"
#include "rill/tensor/variant.h"

namespace rill {

extern const OpDecl kDatasetFromGraph, kDatasetToGraph, kWrapDatasetVariant, kUnwrapDatasetVariant;

namespace {

void to_graph(KernelCall& call) {
  const DatasetRef dataset = dataset_input(call, 0);
  const std::string library = make_background_calls(call.step())->function_library();
  call.set_output(0, Tensor::scalar(dataset_graph(*dataset, library)));
}

void from_graph(KernelCall& call) {
  const std::string library = make_background_calls(call.step())->function_library();
  call.set_output(0, dataset_tensor(dataset_of_graph(
                         scalar_input<std::string>(call, 0, "graph_def"), library, call)));
}

struct Wrapped {
  Tensor dataset;
};

void wrap(KernelCall& call) {
  dataset_input(call, 0);
  call.set_output(
      0, Tensor::scalar(Variant("tensorflow::WrappedDatasetVariant",
                                std::make_shared<const Wrapped>(Wrapped{call.input_tensor(0)}))));
}

void unwrap(KernelCall& call) {
  const auto& variant = scalar_input<Variant>(call, 0, "input_handle");
  const auto* wrapped = variant.get<Wrapped>();
  require(wrapped != nullptr, "Tensor must be a WrappedDataset variant object, not ",
          variant.type_name());
  call.set_output(0, wrapped->dataset);
}

constexpr KernelEntry kEntries[] = {
    quick_kernel(kDatasetToGraph, to_graph),
    quick_kernel(kDatasetFromGraph, from_graph),
    quick_kernel(kWrapDatasetVariant, wrap),
    quick_kernel(kUnwrapDatasetVariant, unwrap),
};

}  // namespace

extern const KernelTable kDatasetGraphCpu{kEntries};

}  // namespace rill
