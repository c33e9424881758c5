#include "rill/ops/data/dataset_kernel.h"
#include "rill/ops/data/iterator_resource.h"
#include "rill/ops/resource/shared_handle.h"

namespace rill {

extern const OpDecl kIterator, kIteratorV2, kMakeIterator, kIteratorGetNext;

namespace {

void give_iterator(KernelCall& call) {
  call.state<SharedHandle>().set_output(
      call, IteratorResource::kTypeName,
      [&] { return std::make_shared<IteratorResource>(stated_spec(call.node())); },
      [](const Resource& found) {
        require(dynamic_cast<const IteratorResource*>(&found) != nullptr, found.describe(),
                " is not an iterator");
      });
}

void make_iterator(KernelCall& call) {
  shared_input_as<IteratorResource>(call, 1)->start(dataset_input(call, 0), call.step());
}

void give_element(KernelCall& call, Element& element, bool ended) {
  if (ended) raise(Code::kOutOfRange, "End of sequence");
  const auto& types = call.node().output_types;
  require(element.size() == types.size(), "the iterator gives ", element.size(),
          " components, but ", types.size(), " are wanted");
  for (std::size_t i = 0; i < types.size(); ++i) {
    require(element[i].dtype() == types[i], "component ", i, " is ", element[i].dtype(), ", but ",
            types[i], " is wanted");
    call.set_output(static_cast<int>(i), std::move(element[i]));
  }
}

void get_next(KernelCall& call, Done done) {
  shared_input_as<IteratorResource>(call)->next(call, std::move(done), give_element);
}

constexpr KernelEntry handle(const OpDecl& op) {
  return {.op = &op,
          .run = give_iterator,
          .make_state = SharedHandle::make,
          .allocates = true,
          .expensive = false};
}

constexpr KernelEntry kEntries[] = {
    handle(kIterator),
    handle(kIteratorV2),
    {.op = &kMakeIterator, .run = make_iterator, .allocates = true, .expensive = false},
    {.op = &kIteratorGetNext, .run_async = get_next, .allocates = true},
};

}  // namespace

extern const KernelTable kIteratorCpu{kEntries};

}  // namespace rill
