#pragma once

#include <cstdint>

namespace rill {

// Facts about an op that its declaration states. Passes, the runtime, the model server and cost
// models ask for them; none of these keeps a list of op names.
enum Traits : std::uint64_t {
  kPure = 1ull << 0,         // same inputs, same outputs, no effect: may be folded, shared, dropped
  kStateful = 1ull << 1,     // TensorFlow's is_stateful
  kElementwise = 1ull << 2,  // output element i depends on the inputs' (broadcast) elements i alone
  kInPlace = 1ull << 3,      // output 0 may take over the buffer of an input of equal size and type
  kCommutative = 1ull << 4,
  kAggregate = 1ull << 5,
  kUninitializedOk = 1ull << 6,     // accepts uninitialised reference inputs
  kIdentity = 1ull << 7,            // output 0 is input 0; other inputs, if any, only order
  kFeedOnly = 1ull << 8,            // a placeholder: running it means that its feed is missing
  kDataDependentShape = 1ull << 9,  // output sizes depend on data: the kernel allocates
  kForwards = 1ull << 10,  // output 0 shares the storage of input 0 (Reshape, Squeeze, ...)

  // Control flow: what a value's journey through branches and loops depends on.
  kSwitch = 1ull << 11,         // sends its value to one of its outputs; the others are dead
  kMerge = 1ull << 12,          // passes on the input that is not dead
  kEnter = 1ull << 13,          // takes a value into a loop
  kExit = 1ull << 14,           // takes a value out of a loop
  kNextIteration = 1ull << 15,  // takes a value to the next iteration of its loop
  kRunsDead = 1ull << 16,       // runs although inputs are dead
  kCall = 1ull << 17,           // is a call, no more, of the function that its attribute f names
  kControlFlow = kSwitch | kMerge | kEnter | kExit | kNextIteration,

  // Placement and partitioning.
  kMetadata = 1ull << 18,  // reads a shape or a size, never elements
  kSend = 1ull << 19,      // hands a value to another device or the client
  kRecv = 1ull << 20,      // brings such a value

  // Variables: by these the runtime knows that the memory of one can be filled where it lies.
  kAssigns = 1ull << 21,  // input 1 becomes the variable on input 0
  // Its kernel finds outputs that hold memory it may write over: that of the variable which will be
  // assigned the output, still in the variable. It takes it or sets the output to something else.
  kFillsVariables = 1ull << 22,
};

}  // namespace rill
