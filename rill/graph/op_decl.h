#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "rill/graph/op_traits.h"
#include "rill/tensor/shape.h"

namespace rill {

class ShapeCtx;
class GradCtx;

using Shapes = std::vector<PartialShape>;
using ShapeFn = Shapes (*)(const ShapeCtx&);
using GradFn = void (*)(GradCtx&);

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
  std::uint64_t traits = 0;
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
