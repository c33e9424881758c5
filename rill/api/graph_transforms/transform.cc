#include "rill/api/graph_transforms/transform.h"

#include <algorithm>

#include "rill/api/graph_transforms/graph_editor.h"
#include "rill/api/graph_transforms/transforms.h"
#include "rill/base/error.h"
#include "rill/base/log.h"

namespace rill::graph_transforms {
namespace {

using tensorflow::GraphDef;

constexpr KnownTransform kKnown[] = {
    {"add_default_attributes", "write out attributes that have their op's default",
     add_default_attributes},
    {"backport_concatv2", "ConcatV2 becomes Concat, for older programs", backport_concatv2},
    {"fold_batch_norms", "multiplications behind convolutions and products go into their weights",
     fold_batch_norms},
    {"fold_branches", "of a tf.cond on a constant, the branch that is taken stays", fold_branches},
    {"fold_constants", "what depends on constants alone becomes one", fold_constants},
    {"fold_old_batch_norms", "batch normalization ops go into the weights before them",
     fold_old_batch_norms},
    {"fuse_pad_and_conv", "as fuse_resize_and_conv", fuse_resize_and_conv},
    {"fuse_resize_and_conv", "enlarging and mirroring become part of the convolution behind them",
     fuse_resize_and_conv},
    {"fuse_resize_pad_and_conv", "as fuse_resize_and_conv", fuse_resize_and_conv},
    {"merge_duplicate_nodes", "equal nodes become one", merge_duplicate_nodes},
    {"obfuscate_names", "short names for all nodes but inputs and outputs", obfuscate_names},
    {"quantize_nodes",
     "floats are computed in eight bits (input_min=, input_max=, fallback_min=, fallback_max=)",
     quantize_nodes},
    {"quantize_weights", "large constants take a quarter of the room (minimum_size=1024)",
     quantize_weights},
    {"remove_attribute", "attribute_name=, op_name=* to restrict it", remove_attribute},
    {"remove_control_dependencies", "nobody waits for what it does not read",
     remove_control_dependencies},
    {"remove_device", "nodes may run anywhere", remove_device},
    {"remove_nodes", "op=, which may come several times: their input goes around them",
     remove_nodes},
    {"remove_training_nodes", "CheckNumerics and Identity nodes go", remove_training_nodes},
    {"rename_attribute", "old_attribute_name=, new_attribute_name=, op_name=*", rename_attribute},
    {"rename_node", "old_node_name=, new_node_name=", rename_node},
    {"rename_op", "old_op_name=, new_op_name=", rename_op},
    {"round_weights", "large constants have at most num_steps=256 values: the file packs better",
     round_weights},
    {"set_device", "device=, if_default=true to leave nodes that have one", set_device},
    {"sort_by_execution_order", "nodes stand behind what they read", sort_by_execution_order},
    {"strip_unused_nodes", "what the outputs need, from the inputs on (type=, shape=)",
     strip_unused_nodes},
    {"use_defaults", "placeholders with a default that are no inputs have it", use_defaults},
};

// Reads the little language of transform_graph's --transforms.
class TransformParser {
 public:
  explicit TransformParser(std::string_view text) : rest_(text) {}

  std::vector<Transform> all() {
    std::vector<Transform> transforms;
    for (skip_blanks(); !rest_.empty(); skip_blanks()) transforms.push_back(one());
    return transforms;
  }

 private:
  Transform one() {
    Transform transform{.name = word("a name of a transform"), .arguments = {}};
    skip_blanks();
    if (!take('(')) return transform;
    skip_blanks();
    while (!take(')')) {
      const std::string name = word("the name of an argument");
      skip_blanks();
      require(take('='), "Looking for = after argument ", name, ", but found '", rest_, "'");
      skip_blanks();
      transform.arguments[name].push_back(value());
      skip_blanks();
      take(',');
      skip_blanks();
    }
    return transform;
  }

  std::string value() {
    if (!take('"')) return word("the value of an argument");
    const std::size_t end = rest_.find('"');
    require(end != std::string_view::npos, "A quoted value has no end: '", rest_, "'");
    const std::string text(rest_.substr(0, end));
    rest_.remove_prefix(end + 1);
    return text;
  }

  std::string word(const char* what) {
    const std::size_t end = std::min(rest_.find_first_of(" \t\n\r,=()\""), rest_.size());
    require(end > 0, "Looking for ", what, ", but found '", rest_, "'");
    const std::string text(rest_.substr(0, end));
    rest_.remove_prefix(end);
    return text;
  }

  bool take(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void skip_blanks() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\n\r"), rest_.size()));
  }

  std::string_view rest_;
};

Names nodes_of(const Names& tensors) {
  Names nodes;
  for (const std::string& tensor : tensors) nodes.emplace_back(node_of(tensor));
  return nodes;
}

const KnownTransform& find(const std::string& name) {
  const auto found = std::ranges::find(kKnown, name, &KnownTransform::name);
  require(found != std::end(kKnown), "Transform '", name, "' not recognized.");
  return *found;
}

}  // namespace

const Names& Transform::all(const std::string& argument) const {
  static const Names none;
  const auto found = arguments.find(argument);
  return found == arguments.end() ? none : found->second;
}

std::string Transform::one(const std::string& argument) const {
  require(all(argument).size() == 1, "The transform ", name, " needs one value for the argument ",
          argument, ", got ", all(argument).size());
  return all(argument)[0];
}

std::string Transform::one_or(const std::string& argument, const std::string& otherwise) const {
  return all(argument).empty() ? otherwise : one(argument);
}

long long Transform::int_or(const std::string& argument, long long otherwise) const {
  long long value = otherwise;
  if (!all(argument).empty())
    require(parse_int(one(argument), &value), "The argument ", argument, " of ", name,
            " is no number: '", one(argument), "'");
  return value;
}

bool Transform::bool_or(const std::string& argument, bool otherwise) const {
  if (all(argument).empty()) return otherwise;
  const std::string text = lower(one(argument));
  require(text == "true" || text == "1" || text == "false" || text == "0", "The argument ",
          argument, " of ", name, " is neither true nor false: '", text, "'");
  return text == "true" || text == "1";
}

Names Context::kept() const {
  Names all = inputs;
  all.insert(all.end(), outputs.begin(), outputs.end());
  return all;
}

std::vector<Transform> parse_transforms(std::string_view text) {
  return TransformParser(text).all();
}

GraphDef transform_graph(GraphDef graph, const Names& inputs, const Names& outputs,
                         std::span<const Transform> transforms) {
  for (const Transform& transform : transforms) find(transform.name);  // before any work
  const Names input_nodes = nodes_of(inputs), output_nodes = nodes_of(outputs);
  for (const Transform& transform : transforms) {
    const Context context{input_nodes, output_nodes, transform};
    if (!transform.bool_or("ignore_errors", false)) {
      graph = find(transform.name).run(std::move(graph), context);
      continue;
    }
    try {
      graph = find(transform.name).run(graph, context);
    } catch (const Error& error) {
      log(LogLevel::kWarning, transform.name, ": ignoring error ", error.message());
    }
  }
  drop_lost_colocations(graph);
  return graph;
}

GraphDef transform_graph(GraphDef graph, const Names& inputs, const Names& outputs,
                         std::string_view transforms) {
  return transform_graph(std::move(graph), inputs, outputs, parse_transforms(transforms));
}

std::span<const KnownTransform> known_transforms() { return kKnown; }

}  // namespace rill::graph_transforms
