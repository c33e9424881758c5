// tf.graph_util: parts of graphs, and variables turned into constants.
#include "rill/api/graph_util/graph_util.h"

#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <map>

#include "rill/api/graph_util/inline_functions.h"
#include "rill/base/error.h"
#include "rill/tensor/tensor_proto.h"

namespace rill::graph_util {
namespace {

tensorflow::GraphDef graph(const char* text) {
  tensorflow::GraphDef result;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &result));
  return result;
}

std::vector<std::string> names_in(const tensorflow::GraphDef& def) {
  std::vector<std::string> result;
  for (const auto& node : def.node()) result.push_back(node.name());
  return result;
}

const char* const kChain = R"(
  node { name: "a" op: "Const" }
  node { name: "b" op: "Identity" input: "a" }
  node { name: "c" op: "CheckNumerics" input: "b" }
  node { name: "d" op: "Neg" input: "c" input: "^e" }
  node { name: "e" op: "NoOp" }
  node { name: "f" op: "Neg" input: "a:0" }
  versions { producer: 134 })";

using Names = std::vector<std::string>;

TEST(GraphUtil, extract_sub_graph) {
  const auto part = extract_sub_graph(graph(kChain), Names{"d"});
  EXPECT_EQ(names_in(part), (Names{"a", "b", "c", "d", "e"}));
  EXPECT_EQ(part.versions().producer(), 134);
  try {
    extract_sub_graph(graph(kChain), Names{"x"});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "x is not in graph");
  }
}

TEST(GraphUtil, remove_training_nodes) {
  const auto short_graph = remove_training_nodes(graph(kChain));
  EXPECT_EQ(names_in(short_graph), (Names{"a", "d", "e", "f"}));
  EXPECT_EQ(short_graph.node(1).input(0), "a");
  EXPECT_EQ(names_in(remove_training_nodes(graph(kChain), {"b"})),
            (Names{"a", "b", "d", "e", "f"}));
}

TEST(GraphUtil, convert_variables_to_constants) {
  const auto with_variables = graph(R"(
    node { name: "v" op: "VariableV2" }
    node { name: "h" op: "VarHandleOp" }
    node { name: "h/Read/ReadVariableOp" op: "ReadVariableOp" input: "h"
           attr { key: "dtype" value { type: DT_FLOAT } } }
    node { name: "unused" op: "VariableV2" }
    node { name: "sum" op: "Add" input: "v" input: "h/Read/ReadVariableOp" })");
  Names asked;
  const auto read = [&](const Names& tensors) {
    asked = tensors;
    return std::vector<Tensor>{Tensor::scalar(1.0f), Tensor::scalar(2.0f)};
  };
  const auto frozen = convert_variables_to_constants(with_variables, Names{"sum"}, read);
  EXPECT_EQ(asked, (Names{"v:0", "h/Read/ReadVariableOp:0"}));
  EXPECT_EQ(names_in(frozen), (Names{"v", "h", "h/Read/ReadVariableOp", "sum"}));
  EXPECT_EQ(frozen.node(0).op(), "Const");
  EXPECT_EQ(from_proto(frozen.node(1).attr().at("value").tensor()).scalar_value<float>(), 2.0f);
  EXPECT_EQ(frozen.node(2).op(), "Identity");
  EXPECT_EQ(frozen.node(2).attr().at("T").type(), tensorflow::DT_FLOAT);
  const auto kept =
      convert_variables_to_constants(with_variables, Names{"v"}, read, {.blacklist = {"v"}});
  EXPECT_EQ(kept.node(0).op(), "VariableV2");
}

TEST(GraphUtil, must_run_on_cpu) {
  tensorflow::NodeDef node;
  node.set_op("Const");
  EXPECT_FALSE(must_run_on_cpu(node));
  (*node.mutable_attr())["dtype"].set_type(tensorflow::DT_STRING);
  EXPECT_TRUE(must_run_on_cpu(node));
  node.set_op("VariableV2");
  EXPECT_FALSE(must_run_on_cpu(node));
  EXPECT_TRUE(must_run_on_cpu(node, true));
}

TEST(GraphUtil, handles_become_values) {
  const auto with_handle = graph(R"(
    node { name: "h" op: "VarHandleOp" attr { key: "dtype" value { type: DT_FLOAT } } }
    node { name: "i" op: "Const" }
    node { name: "w" op: "NoOp" }
    node { name: "e" op: "Enter" input: "h" attr { key: "T" value { type: DT_RESOURCE } } }
    node { name: "g" op: "ResourceGather" input: "e" input: "i" input: "^w"
           attr { key: "Tindices" value { type: DT_INT64 } } attr { key: "dtype" value { type: DT_FLOAT } } }
    node { name: "s" op: "VariableShape" input: "h" attr { key: "out_type" value { type: DT_INT32 } } }
    node { name: "r" op: "ReadVariableOp" input: "h" input: "^w" attr { key: "dtype" value { type: DT_FLOAT } } }
    node { name: "f" op: "StatefulPartitionedCall" input: "i" input: "h" })");
  const auto read = [](const Names&) { return std::vector<Tensor>{Tensor::scalar(7.0f)}; };
  const auto frozen = convert_variables_to_constants(with_handle, Names{"g", "s", "r"}, read);
  std::map<std::string, tensorflow::NodeDef> nodes;
  for (const auto& node : frozen.node()) nodes[node.name()] = node;
  EXPECT_EQ(nodes.at("h").op(), "Const");
  EXPECT_EQ(nodes.at("e").attr().at("T").type(), tensorflow::DT_FLOAT);
  const auto& gather = nodes.at("g");
  EXPECT_EQ(gather.op(), "GatherV2");
  EXPECT_EQ(Names(gather.input().begin(), gather.input().end()), (Names{"e", "i", "g/axis", "^w"}));
  EXPECT_EQ(gather.attr().at("Taxis").type(), tensorflow::DT_INT64);
  EXPECT_EQ(from_proto(nodes.at("g/axis").attr().at("value").tensor()).scalar_value<std::int64_t>(),
            0);
  EXPECT_EQ(nodes.at("s").op(), "Shape");
  EXPECT_EQ(nodes.at("r").op(), "Identity");
  EXPECT_EQ(nodes.at("r").input_size(), 1);
  EXPECT_THROW(convert_variables_to_constants(with_handle, Names{"f"}, read), Error);
}

// y = x + v, with v handed to a function that calls another to read it.
const char* const kCalls = R"(
  node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } }
  node { name: "v" op: "VarHandleOp" attr { key: "dtype" value { type: DT_FLOAT } }
         attr { key: "shape" value { shape {} } } }
  node { name: "before" op: "NoOp" }
  node { name: "call" op: "StatefulPartitionedCall" input: "x" input: "v" input: "^before"
         attr { key: "Tin" value { list { type: DT_FLOAT type: DT_RESOURCE } } }
         attr { key: "Tout" value { list { type: DT_FLOAT } } }
         attr { key: "f" value { func { name: "sum" } } } }
  node { name: "y" op: "Neg" input: "call" attr { key: "T" value { type: DT_FLOAT } } }
  library {
    function {
      signature { name: "sum" input_arg { name: "a" type: DT_FLOAT }
                  input_arg { name: "h" type: DT_RESOURCE } output_arg { name: "r" type: DT_FLOAT }
                  is_stateful: true }
      node_def { name: "value" op: "fetch" input: "h" }
      node_def { name: "s" op: "AddV2" input: "a" input: "value:o:0"
                 attr { key: "T" value { type: DT_FLOAT } } }
      ret { key: "r" value: "s:z:0" } }
    function {
      signature { name: "fetch" input_arg { name: "h" type: DT_RESOURCE }
                  output_arg { name: "o" type: DT_FLOAT } is_stateful: true }
      node_def { name: "read" op: "ReadVariableOp" input: "h"
                 attr { key: "dtype" value { type: DT_FLOAT } } }
      ret { key: "o" value: "read:value:0" } } }
  versions { producer: 134 })";

TEST(GraphUtil, inline_functions) {
  EXPECT_TRUE(passes_variables_to_functions(graph(kCalls)));
  EXPECT_FALSE(passes_variables_to_functions(graph(kChain)));
  const auto flat = inline_functions(graph(kCalls));
  std::map<std::string, tensorflow::NodeDef> nodes;
  for (const auto& node : flat.node()) nodes[node.name()] = node;
  EXPECT_EQ(nodes.at("call/value/read").input(0), "v");
  EXPECT_EQ(nodes.at("call/s").input(0), "x");
  EXPECT_EQ(nodes.at("call/s").input(1), "call/value/read");
  EXPECT_EQ(nodes.at("y").input(0), "call/s");
  EXPECT_EQ(flat.library().function_size(), 0);
  EXPECT_EQ(nodes.at("call").op(), "IdentityN");  // for whoever asks for it by name
  const auto read = [](const Names& names_in) {
    EXPECT_EQ(names_in, (Names{"v/Read/ReadVariableOp:0"}));
    return std::vector<Tensor>{Tensor::scalar(7.0f)};
  };
  const auto frozen = convert_variables_to_constants(flat, Names{"y"}, read);
  EXPECT_EQ(names_in(frozen), (Names{"x", "v", "before", "call/value/read", "call/s", "y"}));
}

TEST(GraphUtil, functions_without_end_are_errors) {
  auto endless = graph(kCalls);
  auto* function = endless.mutable_library()->mutable_function(1);
  function->mutable_node_def(0)->set_op("fetch");
  function->mutable_node_def(0)->clear_attr();
  (*function->mutable_ret())["o"] = "read:o:0";
  EXPECT_THROW(inline_functions(endless), Error);
}

}  // namespace
}  // namespace rill::graph_util
