// tf.graph_util: parts of graphs, and variables turned into constants.
#include "rill/api/graph_util/graph_util.h"

#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include "rill/base/error.h"
#include "rill/tensor/tensor_proto.h"

namespace rill::graph_util {
namespace {

tensorflow::GraphDef graph(const char* text) {
  tensorflow::GraphDef result;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &result));
  return result;
}

std::vector<std::string> names(const tensorflow::GraphDef& def) {
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
  EXPECT_EQ(names(part), (Names{"a", "b", "c", "d", "e"}));
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
  EXPECT_EQ(names(short_graph), (Names{"a", "d", "e", "f"}));
  EXPECT_EQ(short_graph.node(1).input(0), "a");
  EXPECT_EQ(names(remove_training_nodes(graph(kChain), {"b"})), (Names{"a", "b", "d", "e", "f"}));
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
  EXPECT_EQ(names(frozen), (Names{"v", "h", "h/Read/ReadVariableOp", "sum"}));
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

}  // namespace
}  // namespace rill::graph_util
