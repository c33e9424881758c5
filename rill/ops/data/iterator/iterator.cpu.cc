#include "rill/ops/data/core/handle_kernel.h"
#include "rill/ops/data/iterator/iterator_resource.h"

namespace rill {

extern const OpDecl kIterator, kIteratorV2, kMakeIterator, kIteratorGetNext, kIteratorGetNextSync;

namespace {

void give_iterator(KernelCall& call) {
  give_shared<IteratorResource>(
      call, [&] { return std::make_shared<IteratorResource>(stated_spec(call.node())); });
}

void make_iterator(KernelCall& call) {
  shared_input_as<IteratorResource>(call, 1)->start(dataset_input(call, 0), call.step());
}

void get_next(KernelCall& call, Done done) {
  shared_input_as<IteratorResource>(call)->next(call, std::move(done), give_element_or_end);
}

constexpr KernelEntry kEntries[] = {
    shared_handle_kernel(kIterator, give_iterator),
    on_any_device(shared_handle_kernel(kIteratorV2, give_iterator)),
    on_any_device(quick_kernel(kMakeIterator, make_iterator)),
    on_any_device(allocating_kernel(kIteratorGetNext, get_next)),
    on_any_device(allocating_kernel(kIteratorGetNextSync, get_next)),
};

}  // namespace

extern const KernelTable kIteratorCpu{kEntries};

}  // namespace rill
