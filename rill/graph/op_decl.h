#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "rill/tensor/shape.h"

namespace rill {

class ShapeCtx;
class GradCtx;

using Shapes = std::vector<PartialShape>;
using ShapeFn = Shapes (*)(const ShapeCtx&);
using GradFn = void (*)(GradCtx&);

// Facts about an op that passes and the runtime ask for; no pass keeps a list of op names.
enum Traits : std::uint32_t {
  kPure = 1 << 0,         // same inputs, same outputs, no effect: may be folded, shared, dropped
  kStateful = 1 << 1,     // TensorFlow's is_stateful
  kElementwise = 1 << 2,  // output element i depends on the inputs' (broadcast) elements i alone
  kInPlace = 1 << 3,      // output 0 may take over the buffer of an input of equal size and type
  kCommutative = 1 << 4,
  kAggregate = 1 << 5,
  kUninitializedOk = 1 << 6,     // accepts uninitialised reference inputs
  kIdentity = 1 << 7,            // output 0 is input 0; other inputs, if any, only order
  kFeedOnly = 1 << 8,            // a placeholder: running it means that its feed is missing
  kDataDependentShape = 1 << 9,  // output sizes depend on data: the kernel allocates
  kForwards = 1 << 10,           // output 0 shares the storage of input 0 (Reshape, Squeeze, ...)
  // Control flow: what a value's journey through branches and loops depends on.
  kSwitch = 1 << 11,         // sends its value to one of its outputs; the others are dead
  kMerge = 1 << 12,          // passes on the input that is not dead
  kEnter = 1 << 13,          // takes a value into a loop
  kExit = 1 << 14,           // takes a value out of a loop
  kNextIteration = 1 << 15,  // takes a value to the next round of its loop
  kRunsDead = 1 << 16,       // runs although inputs are dead
  kCall = 1 << 17,           // is a call, no more, of the function that its attribute f names
  kControlFlow = kSwitch | kMerge | kEnter | kExit | kNextIteration,
};

// Marks an op that has no gradient on purpose.
void not_differentiable(GradCtx&);

// The only place that describes an op. Arguments and attributes are written in TensorFlow's
// registration language ("x: T", "values: N * T", "T: {float, double} = DT_FLOAT", "N: int >= 1"),
// which custom ops use as well. The wire name never changes.
struct OpDecl {
  const char* name;
  const char* doc;
  std::initializer_list<const char*> inputs = {};
  std::initializer_list<const char*> outputs = {};
  std::initializer_list<const char*> attrs = {};
  std::uint32_t traits = 0;
  ShapeFn shape = nullptr;
  GradFn grad = nullptr;
  int deprecated = 0;  // GraphDef version from which the op is refused; 0: never
  const char* deprecated_why = "";
};

// For a static_assert beside each declaration: named, documented, shape stated.
consteval bool well_formed(const OpDecl& op) {
  return op.name[0] != '\0' && op.doc[0] != '\0' && (op.shape != nullptr || op.outputs.size() == 0);
}

}  // namespace rill
