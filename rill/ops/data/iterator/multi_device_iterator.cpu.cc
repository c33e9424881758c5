#include "rill/ops/data/core/handle_kernel.h"
#include "rill/ops/data/iterator/multi_device_resource.h"

namespace rill {

extern const OpDecl kMultiDeviceIterator, kAnonymousMultiDeviceIterator, kDeleteMultiDeviceIterator,
    kMultiDeviceIteratorInit, kMultiDeviceIteratorGetNextFromShard,
    kMultiDeviceIteratorToStringHandle, kMultiDeviceIteratorFromStringHandle;

namespace {

std::shared_ptr<MultiDeviceResource> new_multi_device_iterator(const KernelCall& call) {
  const auto& devices = call.node().attr<std::vector<std::string>>("devices");
  return std::make_shared<MultiDeviceResource>(stated_spec(call.node()),
                                               static_cast<int>(devices.size()));
}

void give_multi_device(KernelCall& call) {
  give_shared<MultiDeviceResource>(call, [&] { return new_multi_device_iterator(call); });
}

void give_anonymous_multi_device(KernelCall& call) {
  give_anonymous(call, new_multi_device_iterator(call));
}

void delete_multi_device(KernelCall& call) { shared_input_as<MultiDeviceResource>(call)->stop(); }

void init_multi_device(KernelCall& call) {
  const std::int64_t walk = shared_input_as<MultiDeviceResource>(call, 1)->start(
      dataset_input(call, 0), scalar_input<std::int64_t>(call, 2, "max_buffer_size"), call.step());
  call.set_output(0, Tensor::scalar(walk));
}

void get_next_from_shard(KernelCall& call, Done done) {
  shared_input_as<MultiDeviceResource>(call)->next(
      scalar_input<std::int32_t>(call, 1, "shard_num"),
      scalar_input<std::int64_t>(call, 2, "incarnation_id"), call, std::move(done),
      give_element_or_end);
}

constexpr KernelEntry kEntries[] = {
    shared_handle_kernel(kMultiDeviceIterator, give_multi_device),
    quick_kernel(kAnonymousMultiDeviceIterator, give_anonymous_multi_device),
    quick_kernel(kDeleteMultiDeviceIterator, delete_multi_device),
    quick_kernel(kMultiDeviceIteratorInit, init_multi_device),
    {.op = &kMultiDeviceIteratorGetNextFromShard,
     .run_async = get_next_from_shard,
     .allocates = true},
    quick_kernel(kMultiDeviceIteratorToStringHandle, give_string_handle<MultiDeviceResource>),
    quick_kernel(kMultiDeviceIteratorFromStringHandle, give_from_string<MultiDeviceResource>),
};

}  // namespace

extern const KernelTable kMultiDeviceIteratorCpu{kEntries};

}  // namespace rill
