#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "rill/graph/op_decl_check.h"
#include "rill/graph/op_traits.h"
#include "rill/tensor/shape.h"

namespace rill {

class ShapeCtx;
class GradCtx;
struct KernelWork;

using Shapes = std::vector<PartialShape>;
using ShapeFn = Shapes (*)(const ShapeCtx&);
using CostFn = double (*)(const KernelWork&);  // floating-point operations of one run
using GradFn = void (*)(GradCtx&);

// What `grad` says of an op without a gradient. The first marks one on purpose: gradients stop
// there. The second says that TensorFlow defines none: asking for it is an error.
void not_differentiable(GradCtx&);
void no_gradient(GradCtx&);

// An attribute that may name a file, which the kernel then reads.
struct FileAttr {
  const char* name = "";
  bool (*names_file)(std::string_view value) = nullptr;
};

// The only place that describes an op. Arguments and attributes are written in TensorFlow's
// registration language ("x: T", "values: N * T", "T: {float, double} = DT_FLOAT", "N: int >= 1"),
// which custom ops use as well. The wire name never changes.
//
//   extern constexpr OpDecl kSoftplus{.name = "Softplus",
//                                     .doc = "log(1 + exp(x)), computed without overflow.",
//                                     .inputs = {"features: T"},
//                                     .outputs = {"activations: T"},
//                                     .attrs = {"T: {half, bfloat16, float, double} = DT_FLOAT"},
//                                     .traits = kPure | kElementwise,
//                                     .shape = same_as_input,
//                                     .grad = softplus_grad};
struct OpDecl {
  const char* name;
  const char* doc;
  std::initializer_list<const char*> inputs = {};
  std::initializer_list<const char*> outputs = {};
  std::initializer_list<const char*> attrs = {};
  std::uint64_t traits = 0;
  FileAttr file_attr = {};
  ShapeFn shape = nullptr;
  CostFn cost = nullptr;  // nullptr: known for element-wise ops alone (kernel_work.h)
  GradFn grad = nullptr;  // always stated: a function, not_differentiable or no_gradient
  int deprecated = 0;     // GraphDef version from which the op is refused; 0: never
  const char* deprecated_why = "";
};

// Traits that contradict each other, or one that means nothing alone.
constexpr void check_traits(std::uint64_t traits) {
  using decl_text::demand;
  const auto has = [&](std::uint64_t any) { return (traits & any) != 0; };
  // A file that never changes may be read by a pure op.
  demand(!has(kPure) || !has(kStateful | (kReachesOut & ~kReadsFiles)),
         "an op with effects is not pure");
  demand(!has(kReachesOut) || !has(kUsesOpened | kNoAccess),
         "an op that reaches out says so alone");
  demand(!has(kReadsFileList) || has(kReadsFiles), "kReadsFileList is about ops that read files");
  demand(!has(kForLoading) || has(kReadsFiles), "kForLoading is about ops that read files");
}

// What the fused form of an optimizer's updates passes on to each (ops/train/update_shape.h).
constexpr void check_fusable_update(const OpDecl& op) {
  using decl_text::demand;
  demand(op.cost != nullptr, "a fusable update states its cost: the fused op adds it up");
  int flags = 0;
  for (const char* const text : op.attrs) {
    const decl_text::Attr attr = decl_text::check_attr(text);
    if (attr.name == "T" || attr.name == "use_locking") continue;
    demand(attr.kind == "bool" && ++flags == 1,
           "a fusable update has no attributes but T, use_locking and one more of kind bool");
  }
}

// Throws decl_text::Malformed, with the reason, unless the op is named and documented, states its
// shapes and its gradient, and its arguments and attributes are well written and fit each other.
constexpr void check_decl(const OpDecl& op) {
  using decl_text::demand;
  demand(op.name[0] != '\0', "an op needs a name");
  demand(op.doc[0] != '\0', "an op needs a doc");
  demand(op.shape != nullptr || op.outputs.size() == 0,
         "an op with outputs needs a shape function");
  demand(op.grad != nullptr,
         "an op states its gradient: a function, not_differentiable or no_gradient");
  check_traits(op.traits);
  if ((op.traits & kFusableUpdate) != 0) check_fusable_update(op);
  decl_text::check_names(op.inputs, op.outputs, op.attrs);
  const FileAttr& file = op.file_attr;
  demand(file.names_file == nullptr || decl_text::find_attr(op.attrs, file.name).kind == "string",
         "file_attr needs an attribute of kind string");
}

// For a static_assert beside each declaration. What is wrong, the compiler's message says.
consteval bool well_formed(const OpDecl& op) {
  check_decl(op);
  return true;
}

}  // namespace rill
