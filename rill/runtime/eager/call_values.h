#pragma once

#include <memory>
#include <span>
#include <vector>

#include "rill/graph/executed_node.h"
#include "rill/kernel/kernel_node.h"
#include "rill/kernel/value.h"
#include "rill/runtime/memory/resource_store.h"
#include "rill/runtime/step/step_cancellation.h"

namespace rill {

// The values of one call, where its kernel expects them, and what belongs to a step that is one op.
// A thread uses the room of its last calls again.
class CallValues {
 public:
  // Inputs that lie elsewhere are brought to where the kernel expects them.
  CallValues(std::span<const Output> inputs, const KernelNode& node);
  ~CallValues();
  CallValues(const CallValues&) = delete;
  CallValues& operator=(const CallValues&) = delete;

  std::span<Value* const> inputs() const { return {room_->pointers.data(), inputs_}; }
  std::span<Value* const> outputs() const { return {room_->pointers.data() + inputs_, outputs_}; }
  ResourceStore& of_step() const { return room_->of_step; }
  StepCancellation& cancellation() const { return room_->cancellation; }

 private:
  struct Room {
    std::vector<Value> values;
    std::vector<Value*> pointers;
    ResourceStore of_step{"step"};
    StepCancellation cancellation;
  };
  using Rooms = std::vector<std::unique_ptr<Room>>;
  static Rooms& free_rooms();

  std::unique_ptr<Room> room_;
  std::size_t inputs_, outputs_;
};

}  // namespace rill
