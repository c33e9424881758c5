#include "rill/ops/data/core/handle_kernel.h"
#include "rill/ops/data/iterator/iterator_resource.h"

namespace rill {

extern const OpDecl kOneShotIterator, kAnonymousIterator, kAnonymousIteratorV2, kDeleteIterator,
    kIteratorToStringHandle, kIteratorFromStringHandle, kIteratorFromStringHandleV2,
    kIteratorGetDevice, kExperimentalIteratorGetDevice;

namespace {

std::shared_ptr<IteratorResource> new_iterator(const KernelCall& call) {
  return std::make_shared<IteratorResource>(stated_spec(call.node()));
}

void one_shot(KernelCall& call) {
  give_shared<IteratorResource>(call, [&] { return new_iterator(call); });
  const auto& handle = call.output_tensor(0).scalar_value<ResourceHandle>();
  const auto make = [&]() -> DatasetRef {
    const auto factory =
        make_background_calls(call.step())->bind(call.node().attr<FuncName>("dataset_factory"));
    require(factory->argument_types().empty(), "The `dataset_factory` function takes arguments.");
    require(factory->result_types().size() == 1 && factory->result_types()[0] == DType::variant,
            "The `dataset_factory` function must return a single scalar of dtype DT_VARIANT.");
    Element made(1);
    factory->call({}, made);
    return dataset_in(made[0]);
  };
  static_cast<IteratorResource&>(*handle.resource).start_once(make, call.step());
}

void give_anonymous_iterator(KernelCall& call) { give_anonymous(call, new_iterator(call)); }

void delete_iterator(KernelCall& call) { shared_input_as<IteratorResource>(call)->stop(); }

void get_device(KernelCall& call) {
  shared_input_as<IteratorResource>(call);
  call.set_output(0, Tensor::scalar(call.input_tensor(0).scalar_value<ResourceHandle>().device));
}

constexpr KernelEntry kEntries[] = {
    {.op = &kOneShotIterator, .run = one_shot, .make_state = SharedHandle::make, .allocates = true},
    quick_kernel(kAnonymousIterator, give_anonymous_iterator),
    quick_kernel(kAnonymousIteratorV2, give_anonymous_iterator),
    quick_kernel(kDeleteIterator, delete_iterator),
    on_any_device(quick_kernel(kIteratorToStringHandle, give_string_handle<IteratorResource>)),
    quick_kernel(kIteratorFromStringHandle, give_from_string<IteratorResource>),
    on_any_device(quick_kernel(kIteratorFromStringHandleV2, give_from_string<IteratorResource>)),
    quick_kernel(kIteratorGetDevice, get_device),
    quick_kernel(kExperimentalIteratorGetDevice, get_device),
};

}  // namespace

extern const KernelTable kIteratorHandleCpu{kEntries};

}  // namespace rill
