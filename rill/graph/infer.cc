#include "rill/base/error.h"
#include "rill/graph/evaluated_value.h"
#include "rill/graph/graph.h"
#include "rill/graph/run_time_error.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

PartialShape known_shape_of(Output input) { return input.node ? input.shape() : PartialShape(); }

const HandleInfo* handle_of(Output input) {
  return input.node ? input.node->output_handle(input.index) : nullptr;
}

std::string short_text(const PartialShape& shape) {
  return shape.has_rank() ? to_text(shape) : "?";
}

std::string input_shapes_text(const Node& node) {
  std::vector<std::string> shapes;
  for (const Output& input : node.inputs()) shapes.push_back(short_text(known_shape_of(input)));
  return join(shapes, ", ");
}

// A vector without its brackets, a matrix as its rows.
std::string plain_summary(const Tensor& value) {
  constexpr std::int64_t kMaxElements = 256;
  std::string text = summary(value, kMaxElements);
  if (!text.starts_with('[') || !text.ends_with(']')) return text;
  return text.substr(1, text.size() - 2);
}

std::string listed(std::string_view what, const std::vector<std::string>& items,
                   std::string_view comma) {
  return items.empty() ? "" : str_cat(" and with ", what, join(items, comma));
}

// The values that the shape function asked for and got.
std::string values_text(const Node& node, const ShapeCtx& c) {
  std::vector<std::string> values, shapes;
  for (int i = 0; i < std::min(node.input_count(), 64); ++i) {
    if ((c.shape_values_used() >> i & 1) != 0) {
      const PartialShape shape = evaluated_shape_value(node.input(i));
      if (shape.rank() > 0) shapes.push_back(str_cat("input[", i, "] = ", shape));
    } else if ((c.values_used() >> i & 1) != 0) {
      if (const Tensor* value = evaluated_value(node.input(i)))
        values.push_back(str_cat("input[", i, "] = <", plain_summary(*value), ">"));
    }
  }
  return listed("computed input tensors: ", values, ", ") +
         listed("input tensors computed as partial shapes: ", shapes, ",");
}

[[noreturn]] void raise_shape_error(const Error& error, const std::string& message,
                                    const Node& node, const ShapeCtx& c) {
  raise({error.code(), error.at()}, message, " for '", node.name(), "' (op: '", node.op().name,
        "') with input shapes: ", input_shapes_text(node), values_text(node, c), ".");
}

// What a kernel says of the mistake is kept beside what building the graph says.
[[noreturn]] void raise_refusal(const Refusal& refusal, const Node& node, const ShapeCtx& c) {
  try {
    if (!refusal.names_node()) raise({refusal.code(), refusal.at()}, refusal.when_built());
    raise_shape_error(refusal, refusal.when_built(), node, c);
  } catch (const Error& error) {
    throw Refusal(error, refusal.when_run(), refusal.when_built(), true);
  }
}

Shapes call_shape_function(const Node& node, const ShapeCtx& c) {
  const auto count = static_cast<std::size_t>(node.output_count());
  if (node.op().shape == nullptr) return Shapes(count);
  Shapes shapes;
  try {
    shapes = node.op().shape(c);
  } catch (const RunTimeError& error) {
    shapes = error.shapes();
  } catch (const Refusal& refusal) {
    raise_refusal(refusal, node, c);
  } catch (const Error& error) {
    raise_shape_error(error, error.message(), node, c);
  }
  if (shapes.size() != count)
    raise(Code::kInternal, "the shape function of ", node.op().name, " gives ", shapes.size(),
          " shapes for ", count, " outputs");
  return shapes;
}

}  // namespace

void Graph::infer(Node& node) {
  std::vector<PartialShape> inputs;
  std::vector<const HandleInfo*> handles;
  bool any_handle = false;
  inputs.reserve(node.inputs().size());
  handles.reserve(node.inputs().size());
  for (const Output& input : node.inputs()) {
    inputs.push_back(known_shape_of(input));
    handles.push_back(handle_of(input));
    any_handle |= handles.back() != nullptr;
  }
  const auto value = [&](int i) { return evaluated_value(node.input(i)); };
  const auto shape_value = [&](int i) { return evaluated_shape_value(node.input(i)); };
  ShapeCtx c(node.op(), *node.attrs_, std::move(inputs), node.output_count(), value, shape_value);
  if (any_handle) c.set_input_handles(std::move(handles));
  node.shapes_ = call_shape_function(node, c);
  node.handles_ = c.take_output_handles();
  node.known_ = known_values(node);
}

void Graph::refine_shape(Output output, const PartialShape& shape) {
  const std::lock_guard lock(mutex_);
  require(bool(output.node) && output.node->graph_ == this && output.index >= 0 &&
              output.index < output.node->output_count(),
          "the tensor ", output, " is not in this graph");
  PartialShape& known = output.node->shapes_[static_cast<std::size_t>(output.index)];
  known = merge_shapes(known, shape);
}

}  // namespace rill
