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

  // Of stateful ops.
  kRepeatable = 1ull << 11,       // running it once more in a step makes no difference
  kNoLastingEffect = 1ull << 12,  // only reads, or what it changes ends with the step

  // Control flow: what a value's journey through branches and loops depends on.
  kSwitch = 1ull << 13,         // sends its value to one of its outputs; the others are dead
  kMerge = 1ull << 14,          // passes on the input that is not dead
  kEnter = 1ull << 15,          // takes a value into a loop
  kExit = 1ull << 16,           // takes a value out of a loop
  kNextIteration = 1ull << 17,  // takes a value to the next iteration of its loop
  kRunsDead = 1ull << 18,       // runs although inputs are dead
  kCall = 1ull << 19,           // is a call, no more, of the function that its attribute f names
  kControlFlow = kSwitch | kMerge | kEnter | kExit | kNextIteration,

  // Placement and partitioning.
  kMetadata = 1ull << 20,  // reads a shape or a size, never elements
  kSend = 1ull << 21,      // hands a value to another device or the client
  kRecv = 1ull << 22,      // brings such a value

  // Variables. By kAssigns and kFillsVariables the runtime knows that the memory of one can be
  // filled where it lies.
  kVariable = 1ull << 23,       // output 0 is a variable, by reference or by handle
  kFusableUpdate = 1ull << 24,  // an optimizer's step that can run for several variables at once
  kAssigns = 1ull << 25,        // input 1 becomes the variable on input 0
  // Its kernel finds outputs that hold memory it may write over: that of the variable which will be
  // assigned the output, still in the variable. It takes it or sets the output to something else.
  kFillsVariables = 1ull << 26,

  // Access: what a kernel reaches for beside its inputs. The model server refuses ops that reach
  // out (serve/model/op_policy.h). A kernel file that could reach out has ops that state one of
  // these; tests/cpp/op_access_test.cc compares the sources.
  kReadsFiles = 1ull << 27,
  kWritesFiles = 1ull << 28,
  kUsesNetwork = 1ull << 29,
  kRunsForeignCode = 1ull << 30,  // Python functions, graphs in strings; or it ends the process
  kReachesOut = kReadsFiles | kWritesFiles | kUsesNetwork | kRunsForeignCode,
  kUsesOpened = 1ull << 31,   // only what another op opened (readers, summary writers)
  kNoAccess = 1ull << 32,     // nothing, though its kernel's file holds some that reach out
  kForLoading = 1ull << 33,   // beside kReadsFiles: models run it on their own files to load
  kRuntimeOnly = 1ull << 34,  // the runtime alone puts it into graphs

  // Cost.
  kPicks = 1ull << 35,          // reads no more of its inputs than it gives out
  kReadsVariable = 1ull << 36,  // output 0 is the storage of the variable on input 0
  kLongRunning = 1ull << 37,    // worth a thread of its own before anything was measured

  // Datasets: how one of several workers gets its share of the files behind one
  // (ops/data/files/file_sharding.h).
  kReadsFileList = 1ull << 38,  // beside kReadsFiles: a part of input 0 is a part of the elements
  kFlatMaps = 1ull << 39,       // the elements of the datasets that function f makes of input 0's
  kShuffles = 1ull << 40,       // the elements of input 0 in another order
  kJoinsDatasets = 1ull << 41,  // the elements of several datasets
};

}  // namespace rill
