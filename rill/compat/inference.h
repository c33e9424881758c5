#pragma once

#include <deque>
#include <map>
#include <memory>

#include "rill/graph/shape_ctx.h"
#include "tensorflow/core/framework/shape_inference.h"

namespace tensorflow::shape_inference {

struct Dimension {
  int64 value;
};
struct Shape {
  bool known_rank;
  std::vector<DimensionHandle> dims;
};

struct InferenceContext::Impl {
  explicit Impl(const rill::ShapeCtx& context) : ctx(context) {}
  const rill::ShapeCtx& ctx;
  std::deque<Dimension> dims_made;
  std::deque<Shape> shapes_made;
  std::vector<ShapeHandle> inputs, outputs;
  std::map<int, Tensor> values;
  std::map<int, std::vector<ShapeAndType>> input_handles;
  NodeDef def;  // its attributes are filled when first asked for
};

// The library's side of a context.
struct InferenceAccess {
  static ShapeHandle shape(InferenceContext& c, const rill::PartialShape& shape);
  static rill::PartialShape shape(InferenceContext& c, ShapeHandle handle);
};

}  // namespace tensorflow::shape_inference
