#pragma once

#include <atomic>

#include "rill/ops/data/core/dataset_kernel.h"
#include "rill/ops/data/core/string_handle.h"
#include "rill/ops/resource/shared_handle.h"
#include "rill/tensor/variant.h"

namespace rill {

// What the ops around handles of iterators, of either kind, share. R is the kind.

// A named one, shared by all nodes of that name.
template <class R>
void give_shared(KernelCall& call, const std::function<std::shared_ptr<R>()>& make) {
  call.state<SharedHandle>().set_output(call, R::kTypeName, make, [](const Resource& found) {
    if (dynamic_cast<const R*>(&found) == nullptr)
      raise(Code::kInvalidArgument, found.describe(), " is not an iterator");
  });
}

// One that nobody can find by name; output 1, where there is one, is its deleter.
template <class R>
void give_anonymous(KernelCall& call, std::shared_ptr<R> made) {
  static std::atomic<std::int64_t> count = 0;
  call.set_output(0, Tensor::scalar(ResourceHandle{.device = call.device().name(),
                                                   .container = "",
                                                   .name = str_cat("AnonymousIterator", count++),
                                                   .type_name = R::kTypeName,
                                                   .resource = std::move(made)}));
  if (call.output_count() > 1) call.set_output(1, Tensor::scalar(Variant()));
}

template <class R>
void give_string_handle(KernelCall& call) {
  shared_input_as<R>(call);
  call.set_output(
      0, Tensor::scalar(to_string_handle(call.input_tensor(0).scalar_value<ResourceHandle>())));
}

// The handle that a string stands for, checked against what the node states of its elements.
template <class R>
void give_from_string(KernelCall& call) {
  ResourceHandle handle = from_string_handle(scalar_input<std::string>(call, 0, "string_handle"));
  handle.resource = call.step().resources->find(handle.container, R::kTypeName, handle.name);
  const auto* found = dynamic_cast<const R*>(handle.resource.get());
  if (found == nullptr)
    raise(Code::kNotFound, "Resource ", handle.container, "/", handle.name, "/", R::kTypeName,
          " does not exist.");
  check_fits(stated_spec(call.node()), found->spec());
  call.set_output(0, Tensor::scalar(std::move(handle)));
}

}  // namespace rill
