#include <algorithm>

#include "rill/kernel/kernel_registry.h"

namespace rill {

extern const OpDecl kArg, kDeviceArg, kRetval, kDeviceRetval, kFakeParam, kListToArray,
    kArrayToList, kDeviceIndex;

namespace {

// A call puts arguments where the body reads them and takes results from where it leaves them, so
// these run only where somebody made them part of a graph that is no function.
void argument(KernelCall& call) {
  raise(Code::kFailedPrecondition, "argument ", call.node().attr<std::int64_t>("index"),
        " was asked for outside of a function call");
}
void result(KernelCall& call) {
  raise(Code::kFailedPrecondition, "result ", call.node().attr<std::int64_t>("index"),
        " was given outside of a function call");
}

// A shape with unknown parts has no elements: nobody looks at the value.
void fake_param(KernelCall& call) {
  const PartialShape& shape = call.node().attr<PartialShape>("shape");
  const Shape full = shape.is_full() ? shape.full() : Shape({0});
  call.set_output(0, Tensor::zeros(call.node().output_type(0), full));
}

void pass_all(KernelCall& call) {
  for (int i = 0; i < call.output_count(); ++i) {
    require(call.node().input_type(i) == call.node().output_type(i), "element ", i, " is ",
            call.node().input_type(i), " but ", call.node().output_type(i), " is expected");
    call.set_output(i, call.input_tensor(i));
  }
}

void device_index(KernelCall& call) {
  const auto& names = call.node().attr<std::vector<std::string>>("device_names");
  const auto it = std::ranges::find(names, call.device().type());
  call.output<std::int32_t>(0)[0] = static_cast<std::int32_t>(it - names.begin());
}

constexpr KernelEntry kEntries[] = {
    {.op = &kArg, .run = argument, .allocates = true},
    {.op = &kDeviceArg, .run = argument, .allocates = true},
    {.op = &kRetval, .run = result, .allocates = true},
    {.op = &kDeviceRetval, .run = result, .allocates = true},
    {.op = &kFakeParam, .run = fake_param, .allocates = true, .expensive = false},
    {.op = &kListToArray, .run = pass_all, .allocates = true, .expensive = false},
    {.op = &kArrayToList, .run = pass_all, .allocates = true, .expensive = false},
    {.op = &kDeviceIndex, .run = device_index, .expensive = false},
};

}  // namespace

extern const KernelTable kArgumentCpu{kEntries};

}  // namespace rill
