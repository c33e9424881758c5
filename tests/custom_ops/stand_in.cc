// A library that adds a type of device, with two cards.
#include "rill/kernel/stand_in_kernels_testing.h"
#include "rill/ops/register_kernels.h"

namespace {

[[maybe_unused]] const bool kAdded = [] {
  rill::StandInKernels::add_to(rill::standard_kernels());
  rill::register_device_type(std::make_shared<rill::StandInType>(2));
  return true;
}();

}  // namespace
