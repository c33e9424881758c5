#include "rill/compat/shape_call.h"

#include <mutex>
#include <unordered_map>

#include "rill/compat/convert.h"
#include "rill/compat/inference.h"

namespace tensorflow {
namespace {

struct ShapeFunctions {
  std::mutex mutex;
  std::unordered_map<const rill::Op*, OpShapeInferenceFn> by_op;
};
ShapeFunctions& shape_functions() {
  static ShapeFunctions& functions = *new ShapeFunctions;
  return functions;
}

OpShapeInferenceFn find_shape_function(const rill::Op& op) {
  ShapeFunctions& functions = shape_functions();
  const std::lock_guard lock(functions.mutex);
  const auto it = functions.by_op.find(&op);
  return it == functions.by_op.end() ? nullptr : it->second;
}

// Shape functions are foreign code: whatever they throw becomes an error of the node.
Status call(const OpShapeInferenceFn& fn, shape_inference::InferenceContext& context) {
  try {
    return fn(&context);
  } catch (...) {
    return current_status();
  }
}

}  // namespace

void set_shape_function(const rill::Op& op, OpShapeInferenceFn fn) {
  ShapeFunctions& functions = shape_functions();
  const std::lock_guard lock(functions.mutex);
  functions.by_op[&op] = std::move(fn);
}

rill::Shapes call_shape_function(const rill::ShapeCtx& c) {
  using shape_inference::InferenceAccess;
  const OpShapeInferenceFn fn = find_shape_function(c.op());
  rill::Shapes shapes(static_cast<size_t>(c.output_count()));
  if (!fn) return shapes;
  shape_inference::InferenceContext::Impl impl(c);
  shape_inference::InferenceContext context(&impl);
  for (int i = 0; i < c.input_count(); ++i)
    impl.inputs.push_back(InferenceAccess::shape(context, c.input(i)));
  impl.outputs.resize(shapes.size());
  const Status status = call(fn, context);
  if (!status.ok()) throw to_error(status);
  for (size_t i = 0; i < shapes.size(); ++i)
    shapes[i] = InferenceAccess::shape(context, impl.outputs[i]);
  return shapes;
}

}  // namespace tensorflow
