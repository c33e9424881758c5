#include "rill/ops/data/core/dataset_kernel.h"
#include "rill/ops/data/core/step_pipeline.h"
#include "rill/ops/data/iterator/iterator_resource.h"
#include "rill/ops/resource/shared_handle.h"
#include "rill/tensor/variant.h"

namespace rill {

extern const OpDecl kOptionalFromValue, kOptionalNone, kOptionalHasValue, kOptionalGetValue,
    kIteratorGetNextAsOptional, kDatasetToSingleElement;

namespace {

struct Optional {
  bool has_value = false;
  Element element;
};

Tensor optional_tensor(Optional value) {
  return Tensor::scalar(
      Variant("tensorflow::OptionalVariant", std::make_shared<const Optional>(std::move(value))));
}

const Optional& optional_input(const KernelCall& call) {
  const Tensor& tensor = call.input_tensor(0);
  require(tensor.rank() == 0, "Input must be a scalar variant, not of shape ", tensor.shape());
  const auto* optional = tensor.scalar_value<Variant>().get<Optional>();
  require(optional != nullptr, "Input is not an OptionalVariant but ",
          tensor.scalar_value<Variant>().type_name());
  return *optional;
}

void from_value(KernelCall& call) {
  Optional value{.has_value = true, .element = {}};
  for (int i = 0; i < call.input_count(); ++i) value.element.push_back(call.input_tensor(i));
  call.set_output(0, optional_tensor(std::move(value)));
}

void none(KernelCall& call) { call.set_output(0, optional_tensor({})); }

void has_value(KernelCall& call) {
  call.set_output(0, Tensor::scalar(optional_input(call).has_value));
}

void get_value(KernelCall& call) {
  const Optional& optional = optional_input(call);
  require(optional.has_value, "The given optional does not have a value.");
  Element element = optional.element;
  const ElementSpec stated = stated_spec(call.node());
  for (std::size_t i = 0; i < std::min(element.size(), stated.shapes.size()); ++i)
    require(stated.shapes[i].accepts(element[i].shape()),
            "Given OptionalVariant is not compatible with the expected type: component ", i,
            " has shape ", element[i].shape(), ", not ", stated.shapes[i]);
  give_element(call, element);
}

void give_optional(KernelCall& call, Element& element, bool ended) {
  call.set_output(0, optional_tensor({.has_value = !ended, .element = std::move(element)}));
}

void next_as_optional(KernelCall& call, Done done) {
  shared_input_as<IteratorResource>(call)->next(call, std::move(done), give_optional);
}

void take_single_element(KernelCall& call, const PipelineRef& pipeline) {
  const auto iterator = dataset_input(call, 0)->iterate(pipeline);
  Element element, another;
  require(iterator->next(element), "Dataset was empty.");
  require(!iterator->next(another), "Dataset had more than one element.");
  give_element(call, element);
}

void single_element(KernelCall& call, Done done) {
  run_with_pipeline(call, std::move(done), take_single_element);
}

constexpr KernelEntry kEntries[] = {
    quick_kernel(kOptionalFromValue, from_value),
    quick_kernel(kOptionalNone, none),
    quick_kernel(kOptionalHasValue, has_value),
    quick_kernel(kOptionalGetValue, get_value),
    {.op = &kIteratorGetNextAsOptional, .run_async = next_as_optional, .allocates = true},
    {.op = &kDatasetToSingleElement, .run_async = single_element, .allocates = true},
};

}  // namespace

extern const KernelTable kOptionalCpu{kEntries};

}  // namespace rill
