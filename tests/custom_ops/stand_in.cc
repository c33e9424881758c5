// A library that adds a type of device, with two cards; its name is STAND_IN_NAME's, if that is
// set.
#include <cstdlib>

#include "rill/kernel/stand_in_kernels_testing.h"
#include "rill/ops/register_kernels.h"

namespace {

const std::shared_ptr<rill::StandInType>& added_type() {
  static const auto& type = *new std::shared_ptr<rill::StandInType>([] {
    const char* name = std::getenv("STAND_IN_NAME");
    auto made = std::make_shared<rill::StandInType>(2, name == nullptr ? "STANDIN" : name);
    rill::StandInKernels::add_to(rill::standard_kernels(), made->name());
    rill::register_device_type(made);
    return made;
  }());
  return type;
}

[[maybe_unused]] const bool kAdded = added_type() != nullptr;

}  // namespace

// How many kernels the cards have run.
extern "C" int stand_in_kernels_run() {
  int count = 0;
  for (int i = 0; i < added_type()->count(); ++i)
    count += added_type()->card(i).counts.late + added_type()->card(i).counts.waited;
  return count;
}

// The first card is lost at its `count`-th event of a kind (StandInEvent), until it is found again.
extern "C" void stand_in_lose_at(int event, int count) {
  added_type()->card().lose_at(static_cast<rill::StandInEvent>(event), count);
}
extern "C" void stand_in_find_again() { added_type()->card().find_again(); }

// How many copies went up and down, and how many of all passed by the page-locked memory.
extern "C" int stand_in_copies_up() { return added_type()->card().counts.up; }
extern "C" int stand_in_copies_down() { return added_type()->card().counts.down; }
extern "C" int stand_in_copies_unpinned() { return added_type()->card().counts.unpinned; }
