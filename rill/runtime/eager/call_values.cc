#include "rill/runtime/eager/call_values.h"

namespace rill {
namespace {

const Tensor& input_value(const Output& input, const KernelNode& node, int i) {
  const ExecutedNode& made = executed(*input.node);
  const MemoryKind kind = node.input_kind(i);
  return kind == MemoryKind::host ? made.value(input.index)
                                  : made.value_in(input.index, node.device->allocator(kind));
}

}  // namespace

// Calls may be inside of each other: a function of the program is one, too.
CallValues::Rooms& CallValues::free_rooms() {
  static thread_local Rooms rooms;
  return rooms;
}

CallValues::CallValues(std::span<const Output> inputs, const KernelNode& node)
    : inputs_(inputs.size()), outputs_(node.output_types.size()) {
  Rooms& rooms = free_rooms();
  if (rooms.empty()) {
    room_ = std::make_unique<Room>();
  } else {
    room_ = std::move(rooms.back());
    rooms.pop_back();
  }
  const std::size_t count = inputs_ + outputs_;
  if (room_->values.size() < count) {
    room_->values.resize(count);
    room_->pointers.clear();
    for (Value& value : room_->values) room_->pointers.push_back(&value);
  }
  for (std::size_t i = 0; i < inputs_; ++i)
    room_->values[i].tensor = input_value(inputs[i], node, static_cast<int>(i));
}

CallValues::~CallValues() {
  for (std::size_t i = 0; i < inputs_ + outputs_; ++i) {
    room_->values[i].tensor.clear();
    room_->values[i].ref.reset();
  }
  room_->of_step.clear_all();
  constexpr std::size_t kManyValues = 256;
  if (!room_->cancellation.cancelled() && room_->values.size() < kManyValues)
    free_rooms().push_back(std::move(room_));
}

}  // namespace rill
