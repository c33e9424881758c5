#include "rill/api/graph_transforms/graph_editor.h"
#include "rill/api/graph_transforms/transforms.h"

namespace rill::graph_transforms {
namespace {

using tensorflow::GraphDef;
using tensorflow::NodeDef;

const tensorflow::AttrValue* find_attr(const NodeDef& node, const char* name) {
  const auto found = node.attr().find(name);
  return found == node.attr().end() ? nullptr : &found->second;
}

// The fused ops know channels that come last and no holes in the filter.
bool is_plain(const NodeDef& conv) {
  if (const auto* format = find_attr(conv, "data_format");
      format != nullptr && format->s() != "NHWC")
    return false;
  if (const auto* padding = find_attr(conv, "padding");
      padding != nullptr && padding->s() == "EXPLICIT")
    return false;
  if (const auto* dilations = find_attr(conv, "dilations"))
    for (const auto dilation : dilations->list().i())
      if (dilation != 1) return false;
  return true;
}

bool is_resize(const NodeDef* node) {
  if (node == nullptr || node->op() != "ResizeBilinear" || node->input_size() < 2) return false;
  const auto *half_pixels = find_attr(*node, "half_pixel_centers"), *type = find_attr(*node, "T");
  return (half_pixels == nullptr || !half_pixels->b()) &&
         (type == nullptr || type->type() == tensorflow::DT_FLOAT);
}

NodeDef no_paddings(const std::string& conv) {
  return constant_node(conv + "_dummy_paddings", Tensor::zeros(DType::i32, {4, 2}));
}

void fuse(GraphEditor& editor, NodeDef& conv) {
  NodeDef* input = editor.find(conv.input(0));
  NodeDef* const pad =
      input != nullptr && input->op() == "MirrorPad" && input->input_size() >= 2 ? input : nullptr;
  NodeDef* resize = pad != nullptr ? editor.find(pad->input(0)) : input;
  if (!is_resize(resize)) resize = nullptr;
  if (pad == nullptr && resize == nullptr) return;

  NodeDef fused;
  fused.set_op(resize != nullptr ? "FusedResizeAndPadConv2D" : "FusedPadConv2D");
  fused.add_input(resize != nullptr ? resize->input(0) : pad->input(0));
  if (resize != nullptr) fused.add_input(resize->input(1));
  fused.add_input(pad != nullptr ? pad->input(1)
                                 : editor.add_before(conv, no_paddings(conv.name())).name());
  fused.add_input(conv.input(1));
  auto& attrs = *fused.mutable_attr();
  for (const char* name : {"T", "strides", "padding"})
    if (const auto* value = find_attr(conv, name)) attrs[name] = *value;
  if (const auto* mode = pad != nullptr ? find_attr(*pad, "mode") : nullptr)
    attrs["mode"] = *mode;
  else
    attrs["mode"].set_s("REFLECT");
  if (resize != nullptr) {
    const auto* corners = find_attr(*resize, "align_corners");
    attrs["resize_align_corners"].set_b(corners != nullptr && corners->b());
  }
  editor.replace(conv, std::move(fused));
  editor.remove_if_unused(input);
}

}  // namespace

GraphDef fuse_resize_and_conv(GraphDef graph, const Context& context) {
  GraphEditor editor(std::move(graph), context.kept());
  const std::vector<NodeDef*> nodes = editor.nodes();
  for (NodeDef* node : nodes)
    if (node->op() == "Conv2D" && node->input_size() >= 2 && is_plain(*node)) fuse(editor, *node);
  return editor.finish();
}

}  // namespace rill::graph_transforms
