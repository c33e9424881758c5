// Float ops become those of eight bits, with conversions where both meet.
#include <map>

#include "rill/api/graph_transforms/graph_editor.h"
#include "rill/api/graph_transforms/transforms.h"
#include "rill/base/error.h"
#include "rill/base/text.h"

namespace rill::graph_transforms {
namespace {

using tensorflow::DataType;
using tensorflow::GraphDef;
using tensorflow::NodeDef;

// Three tensors: numbers of eight bits and the ends of their range.
struct Quantized {
  std::string numbers, min, max;
};
Quantized outputs_of(const std::string& name) { return {name, name + ":1", name + ":2"}; }

// How an op of floats is done in eight bits.
struct Rule {
  const char* op;
  const char* eight_bit_op;
  int inputs;                         // that are floats; -1: a list, behind or before an axis
  std::vector<const char*> types;     // attributes that become quint8
  const char* wide_result = nullptr;  // the attribute of a result that has 32 bits
  std::vector<const char*> copied = {};
};

const std::vector<Rule>& rules() {
  static const std::vector<Rule> all = {
      {"Add", "QuantizedAdd", 2, {"T1", "T2"}, "Toutput"},
      {"AddV2", "QuantizedAdd", 2, {"T1", "T2"}, "Toutput"},
      {"AvgPool", "QuantizedAvgPool", 1, {"T"}, nullptr, {"ksize", "strides", "padding"}},
      {"BiasAdd", "QuantizedBiasAdd", 2, {"T1", "T2"}, "out_type"},
      {"Concat", "QuantizedConcat", -1, {"T"}, nullptr, {"N"}},
      {"ConcatV2", "QuantizedConcat", -1, {"T"}, nullptr, {"N"}},
      {"Conv2D", "QuantizedConv2D", 2, {"Tinput", "Tfilter"}, "out_type", {"strides", "padding"}},
      {"MatMul",
       "QuantizedMatMul",
       2,
       {"T1", "T2", "Tactivation"},
       "Toutput",
       {"transpose_a", "transpose_b"}},
      {"MaxPool", "QuantizedMaxPool", 1, {"T"}, nullptr, {"ksize", "strides", "padding"}},
      {"Mul", "QuantizedMul", 2, {"T1", "T2"}, "Toutput"},
      {"Relu", "QuantizedRelu", 1, {"Tinput", "out_type"}},
      {"Relu6", "QuantizedRelu6", 1, {"Tinput", "out_type"}},
      {"Reshape", "QuantizedReshape", 1, {"T"}, nullptr, {"Tshape"}},
      {"ResizeBilinear", "QuantizedResizeBilinear", 1, {"T"}, nullptr, {"align_corners"}},
  };
  return all;
}

void set_type(NodeDef& node, const char* attr, DataType type) {
  (*node.mutable_attr())[attr].set_type(type);
}

bool has_type(const NodeDef& node, const char* attr, DataType type) {
  const auto it = node.attr().find(attr);
  return it != node.attr().end() && it->second.type() == type;
}

// Whether what the attributes ask for is there in eight bits.
bool is_usual(const NodeDef& node) {
  const auto text = [&](const char* name, const char* otherwise) {
    const auto it = node.attr().find(name);
    return it == node.attr().end() ? std::string(otherwise) : it->second.s();
  };
  if (text("data_format", "NHWC") != "NHWC" || text("padding", "SAME") == "EXPLICIT") return false;
  if (const auto it = node.attr().find("half_pixel_centers");
      it != node.attr().end() && it->second.b())
    return false;
  if (node.op() == "ConcatV2" && has_type(node, "Tidx", tensorflow::DT_INT64)) return false;
  const auto it = node.attr().find("dilations");
  if (it == node.attr().end()) return true;
  for (const auto dilation : it->second.list().i())
    if (dilation != 1) return false;
  return true;
}

int data_input_count(const NodeDef& node) {
  int count = 0;
  while (count < node.input_size() && !is_control(node.input(count))) ++count;
  return count;
}

float parse_float(const std::string& text) {
  std::size_t end = 0;
  float value = 0;
  try {
    value = std::stof(text, &end);
  } catch (const std::exception&) {
  }
  require(end == text.size() && end > 0, "quantize_nodes wants a number, not '", text, "'");
  return value;
}

// A range that two arguments give.
std::optional<std::pair<float, float>> range_argument(const Transform& transform,
                                                      const std::string& name) {
  const std::string min = name + "_min", max = name + "_max";
  require(transform.all(min).empty() == transform.all(max).empty(), "You must specify both ", min,
          " and ", max, ", or neither");
  if (transform.all(min).empty()) return std::nullopt;
  return std::pair(parse_float(transform.one(min)), parse_float(transform.one(max)));
}

NodeDef make(const std::string& name, const char* op, const std::vector<std::string>& inputs) {
  NodeDef node;
  node.set_name(name);
  node.set_op(op);
  for (const std::string& input : inputs) node.add_input(input);
  return node;
}

NodeDef dequantize_node(const std::string& name, const Quantized& from) {
  NodeDef node = make(name, "Dequantize", {from.numbers, from.min, from.max});
  set_type(node, "T", tensorflow::DT_QUINT8);
  (*node.mutable_attr())["mode"].set_s("MIN_FIRST");
  return node;
}

// Placeholders are fed with eight bits, which stand for numbers of that range.
GraphDef quantize_placeholders(GraphDef graph, const Context& context,
                               const std::pair<float, float>& range) {
  GraphEditor editor(std::move(graph), context.kept());
  std::map<std::string, std::string> instead;
  for (NodeDef* node : editor.nodes()) {
    if (node->op() != "Placeholder" || !has_type(*node, "dtype", tensorflow::DT_FLOAT)) continue;
    set_type(*node, "dtype", tensorflow::DT_QUINT8);
    const auto end = [&](const char* name, float value) {
      return editor.add_before(*node, constant_node(node->name() + name, Tensor::scalar(value)))
          .name();
    };
    const Quantized bytes{node->name(), end("_eightbit/min", range.first),
                          end("_eightbit/max", range.second)};
    instead[node->name()] =
        editor.add_before(*node, dequantize_node(node->name() + "_eightbit/dequantize", bytes))
            .name();
  }
  for (NodeDef* node : editor.nodes())
    for (int i = 0; i < node->input_size() && !is_control(node->input(i)); ++i)
      if (const auto it = instead.find(std::string(node_of(node->input(i)))); it != instead.end())
        editor.set_input(*node, i, it->second);
  return editor.finish();
}

class NodeQuantizer {
 public:
  NodeQuantizer(GraphEditor& editor, const Context& context)
      : editor_(editor), fallback_(range_argument(context.transform, "fallback")) {
    for (const NodeDef* node : editor.nodes()) has_loops_ |= node->op() == "Enter";
  }

  void quantize(NodeDef& node) {
    const Rule* rule = nullptr;
    for (const Rule& one : rules())
      if (node.op() == one.op) rule = &one;
    if (rule == nullptr || !has_type(node, "T", tensorflow::DT_FLOAT) || !is_usual(node)) return;
    const std::string prefix = node.name() + "_eightbit";
    NodeDef by;
    by.set_op(rule->eight_bit_op);
    by.set_name(prefix + "/quantized");
    by.set_device(node.device());
    add_inputs(node, *rule, prefix, by);
    for (const char* type : rule->types) set_type(by, type, tensorflow::DT_QUINT8);
    if (rule->wide_result != nullptr) set_type(by, rule->wide_result, tensorflow::DT_QINT32);
    for (const char* name : rule->copied)
      if (const auto it = node.attr().find(name); it != node.attr().end())
        (*by.mutable_attr())[name] = it->second;
    Quantized result = outputs_of(editor_.add_before(node, std::move(by)).name());
    if (rule->wide_result != nullptr) result = narrowed(node, prefix, result);
    editor_.replace(node, dequantize_node(node.name(), result));
  }

 private:
  // Numbers first, then their ranges, in the order that the op wants.
  void add_inputs(const NodeDef& node, const Rule& rule, const std::string& prefix, NodeDef& by) {
    const int count = data_input_count(node);
    if (rule.inputs >= 0) {
      std::vector<Quantized> inputs;
      for (int i = 0; i < rule.inputs; ++i) inputs.push_back(in_bytes(node, i, prefix));
      for (const Quantized& input : inputs) by.add_input(input.numbers);
      for (int i = rule.inputs; i < count; ++i) by.add_input(node.input(i));  // shapes and sizes
      for (const Quantized& input : inputs) {
        by.add_input(input.min);
        by.add_input(input.max);
      }
      return;
    }
    const bool axis_is_last = node.op() == "ConcatV2";
    const int first = axis_is_last ? 0 : 1, end = axis_is_last ? count - 1 : count;
    std::vector<Quantized> inputs;
    for (int i = first; i < end; ++i) inputs.push_back(in_bytes(node, i, prefix));
    by.add_input(node.input(axis_is_last ? count - 1 : 0));
    for (const auto part : {&Quantized::numbers, &Quantized::min, &Quantized::max})
      for (const Quantized& input : inputs) by.add_input(input.*part);
  }

  // What was eight bits just before stays that; floats are converted once for all who read them.
  Quantized in_bytes(const NodeDef& node, int i, const std::string& prefix) {
    const std::string input = node.input(i);
    if (const NodeDef* from = editor_.find(input); from != nullptr && from->op() == "Dequantize" &&
                                                   has_type(*from, "T", tensorflow::DT_QUINT8) &&
                                                   from->attr().contains("mode") &&
                                                   from->attr().at("mode").s() == "MIN_FIRST")
      return {from->input(0), from->input(1), from->input(2)};
    if (const auto it = converted_.find(input); it != converted_.end()) return it->second;
    return converted_.emplace(input, convert(node, input, str_cat(prefix, "/input_", i)))
        .first->second;
  }

  Quantized convert(const NodeDef& place, const std::string& input, const std::string& prefix) {
    const auto constant = [&](const char* name, const Tensor& value) {
      return add_constant(place, prefix + name, value, input);
    };
    Tensor all(DType::i32, {1}), axis(DType::i32, {1});
    all.data<std::int32_t>()[0] = -1;
    axis.data<std::int32_t>()[0] = 0;
    NodeDef flat = make(prefix + "/reshape", "Reshape", {input, constant("/reshape_dims", all)});
    set_type(flat, "T", tensorflow::DT_FLOAT);
    const std::string row = editor_.add_before(place, std::move(flat)).name(),
                      axes = constant("/reduction_dims", axis);
    const auto end = [&](const char* op, const char* name) {
      NodeDef node = make(prefix + name, op, {row, axes});
      set_type(node, "T", tensorflow::DT_FLOAT);
      return editor_.add_before(place, std::move(node)).name();
    };
    const std::string min = end("Min", "/min"), max = end("Max", "/max");
    NodeDef bytes = make(prefix + "/quantize", "QuantizeV2", {input, min, max});
    set_type(bytes, "T", tensorflow::DT_QUINT8);
    (*bytes.mutable_attr())["mode"].set_s("MIN_FIRST");
    return outputs_of(editor_.add_before(place, std::move(bytes)).name());
  }

  // In a loop, constants wait for what they are used with, so that there is one in each iteration.
  std::string add_constant(const NodeDef& place, const std::string& name, const Tensor& value,
                           const std::string& with) {
    NodeDef node = constant_node(name, value);
    if (has_loops_) node.add_input(str_cat("^", node_of(with)));
    return editor_.add_before(place, std::move(node)).name();
  }

  // 32 bits in eight: in the range that they take up, or the one that was given.
  Quantized narrowed(const NodeDef& place, const std::string& prefix, const Quantized& wide) {
    std::string min, max;
    if (fallback_) {
      const auto end = [&](const char* name, float value) {
        return add_constant(place, prefix + name, Tensor::scalar(value), wide.numbers);
      };
      min = end("/fallback_min", fallback_->first);
      max = end("/fallback_max", fallback_->second);
    } else {
      NodeDef range = make(prefix + "/requant_range", "RequantizationRange",
                           {wide.numbers, wide.min, wide.max});
      set_type(range, "Tinput", tensorflow::DT_QINT32);
      min = editor_.add_before(place, std::move(range)).name();
      max = min + ":1";
    }
    NodeDef node =
        make(prefix + "/requantize", "Requantize", {wide.numbers, wide.min, wide.max, min, max});
    set_type(node, "Tinput", tensorflow::DT_QINT32);
    set_type(node, "out_type", tensorflow::DT_QUINT8);
    return outputs_of(editor_.add_before(place, std::move(node)).name());
  }

  GraphEditor& editor_;
  std::map<std::string, Quantized> converted_;
  std::optional<std::pair<float, float>> fallback_;
  bool has_loops_ = false;
};

}  // namespace

GraphDef quantize_nodes(GraphDef graph, const Context& context) {
  if (const auto range = range_argument(context.transform, "input"))
    graph = quantize_placeholders(std::move(graph), context, *range);
  // What makes a node's inputs comes before it, so that what is in eight bits by then stays so.
  GraphEditor editor(sort_by_execution_order(std::move(graph), context), context.kept());
  NodeQuantizer quantizer(editor, context);
  const std::vector<NodeDef*> nodes = editor.nodes();
  for (NodeDef* node : nodes) quantizer.quantize(*node);
  for (auto it = nodes.rbegin(); it != nodes.rend(); ++it)
    if ((*it)->op() == "Dequantize") editor.remove_if_unused(*it);
  return editor.finish();
}

}  // namespace rill::graph_transforms
