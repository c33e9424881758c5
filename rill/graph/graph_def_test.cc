#include "rill/graph/graph_def.h"

#include <google/protobuf/text_format.h>

#include "rill/graph/attr_proto.h"
#include "rill/graph/op_def.h"
#include "rill/graph/test_ops.h"
#include "rill/graph/testing.h"
#include "tensorflow/core/framework/graph.pb.h"
#include "tensorflow/core/framework/op_def.pb.h"

namespace rill {
namespace {

using testing::expect_error;

tensorflow::GraphDef parse(const std::string& text) {
  tensorflow::GraphDef def;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &def)) << text;
  return def;
}

std::string type_attr(const std::string& type, const std::string& name = "T") {
  return str_cat("attr { key: '", name, "' value { type: ", type, " } } ");
}
const std::string kFloat = type_attr("DT_FLOAT");
const std::string kC =
    "node { name: 'c' op: 'Const' " + type_attr("DT_FLOAT", "dtype") +
    "attr { key: 'value' value { tensor { dtype: DT_FLOAT tensor_shape {} float_val: 1 } } } } ";

std::string node(const std::string& name, const std::string& op,
                 const std::vector<std::string>& inputs, const std::string& rest = "") {
  std::string text = str_cat("node { name: '", name, "' op: '", op, "' ");
  for (const std::string& input : inputs) text += str_cat("input: '", input, "' ");
  return text + rest + " } ";
}

class GraphDefTest : public ::testing::Test {
 protected:
  ImportResult import(const std::string& text, const ImportOptions& options = {}) {
    return import_graph_def(graph, parse(text), options);
  }
  // The import fails like this and leaves the graph as it was.
  void expect_refused(std::string_view message, const std::string& text,
                      const ImportOptions& options = {}, Code code = Code::kInvalidArgument) {
    const int before = graph.node_count();
    const std::string c = graph.unique_name("c", false);
    expect_error(code, message, [&] { import(text, options); });
    EXPECT_EQ(graph.node_count(), before);
    EXPECT_EQ(graph.unique_name("c", false), c);
  }
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const Node* node : graph.nodes()) all.push_back(node->name());
    return all;
  }
  using Names = std::vector<std::string>;
  Graph graph{testing::test_registry()};
};

TEST_F(GraphDefTest, imports_in_topological_order) {
  import(node("a", "NoOp", {"^c", "^c", "^d"}) + kC + node("d", "NoOp", {}) +
         node("i", "Identity", {"c:0", "^a"}, kFloat));
  EXPECT_EQ(names(), (Names{"c", "d", "a", "i"}));
  EXPECT_EQ(graph.at("a").control_inputs().size(), 2u);
  EXPECT_EQ(graph.at("i").output_shape(0), PartialShape::scalar());
  EXPECT_EQ(graph.versions.producer, 0);  // nothing said is version 0
}

TEST_F(GraphDefTest, refuses_malformed_nodes) {
  expect_refused("Node 'a': Unknown input node 'x'", kC + node("a", "Identity", {"x"}, kFloat));
  expect_refused("Node 'a': Unknown input node 'c:x'", kC + node("a", "Identity", {"c:x"}, kFloat));
  expect_refused("Node 'c' is not unique", kC + kC);
  expect_refused("Node 'a b': Node name contains invalid characters", kC + node("a b", "NoOp", {}));
  expect_refused("Node '': Node name contains invalid characters", node("", "NoOp", {}));
  expect_refused("Node 'a' does not specify an operation", node("a", "", {}));
  expect_refused("Node 'a': Control dependencies must come after regular dependencies",
                 kC + node("a", "Identity", {"^c", "c"}, kFloat));
  expect_refused("Node 'a': Connecting to invalid output 1 of source node c which has 1 outputs.",
                 kC + node("a", "Identity", {"c:1"}, kFloat));
}

TEST_F(GraphDefTest, refuses_what_does_not_fit_the_op) {
  const ImportOptions p{.prefix = "import"};
  expect_refused(
      "Input 0 of node import/a was passed float from import/c:0 incompatible with "
      "expected int32.",
      kC + node("a", "Identity", {"c"}, type_attr("DT_INT32")), p);
  expect_refused(
      "NodeDef expected inputs 'float, float' do not match 1 inputs specified; "
      "Op<name=Pack",
      kC + node("a", "Pack", {"c"}, kFloat + "attr { key: 'N' value { i: 2 } }"));
  expect_refused("NodeDef mentions attr 'foo' not in Op<name=Identity",
                 kC + node("a", "Identity", {"c"}, kFloat + "attr { key: 'foo' value { i: 1 } }"));
  expect_refused("NodeDef missing attr 'dtype' from Op<name=Placeholder",
                 node("a", "Placeholder", {}));
  expect_refused("Op type not registered 'Foo'", node("a", "Foo", {}), {}, Code::kNotFound);
  expect_refused("It has been removed in version 14. Use NoOp.",
                 node("a", "OldOp", {}) + "versions { producer: 14 }", {}, Code::kUnimplemented);
  expect_refused("Value for attr 'N' of 0 must be at least minimum 1",
                 node("a", "Pack", {}, kFloat + "attr { key: 'N' value { i: 0 } }"));
  expect_refused("Node 'a': attr 'T': ", kC + node("a", "Identity", {"c"}, type_attr("250")));
  import(node("a", "OldOp", {}) + "versions { producer: 13 }");
}

TEST_F(GraphDefTest, newer_producers_may_say_more) {
  import(kC + node("a", "Identity", {"c"}, kFloat + "attr { key: 'foo' value { i: 1 } }") +
         "versions { producer: 1645 }");
  EXPECT_FALSE(graph.at("a").attrs().contains("foo"));
  EXPECT_EQ(graph.versions.producer, kGraphDefVersion);
}

TEST_F(GraphDefTest, drops_unknown_attributes_with_the_producers_default) {
  tensorflow::OpList ops;
  auto* op = ops.add_op();
  op->set_name("Identity");
  auto* attr = op->add_attr();
  attr->set_name("foo");
  attr->mutable_default_value()->set_i(1);
  const std::string foo = "attr { key: 'foo' value { i: ";
  import(kC + node("a", "Identity", {"c"}, kFloat + foo + "1 } }"), {.producer_ops = &ops});
  EXPECT_FALSE(graph.at("a").attrs().contains("foo"));
  expect_refused("attr 'foo'", kC + node("b", "Identity", {"c"}, kFloat + foo + "2 } }"),
                 {.prefix = "p", .producer_ops = &ops});
}

TEST_F(GraphDefTest, checks_versions) {
  expect_refused("GraphDef min consumer version 99999 above current version 134",
                 "versions { min_consumer: 99999 }");
  expect_refused("GraphDef producer version -5 below min producer 0", "versions { producer: -5 }");
  expect_refused("GraphDef disallows consumer version 134", "versions { bad_consumers: 134 }");
  import("versions { producer: 20 min_consumer: 5 bad_consumers: 7 }");
  EXPECT_EQ(graph.versions.producer, 20);
  EXPECT_EQ(graph.versions.min_consumer, 5);
  EXPECT_EQ(graph.versions.bad_consumers, std::vector<int>{7});
}

TEST_F(GraphDefTest, an_old_placeholders_empty_shape_says_nothing) {
  const std::string placeholder =
      node("p", "Placeholder", {},
           type_attr("DT_FLOAT", "dtype") + "attr { key: 'shape' value { shape {} } }");
  import(placeholder + "versions { producer: 21 }", {.prefix = "old"});
  import(placeholder + "versions { producer: 22 }", {.prefix = "new"});
  EXPECT_EQ(graph.at("old/p").output_shape(0), PartialShape());
  EXPECT_EQ(graph.at("new/p").output_shape(0), PartialShape::scalar());
}

TEST_F(GraphDefTest, prefixes_names_inputs_and_colocation) {
  import(kC + node("a", "Identity", {"c"},
                   kFloat + "attr { key: '_class' value { list { s: 'loc:@c' } } }"),
         {.prefix = "p/q"});
  EXPECT_EQ(names(), (Names{"p/q/c", "p/q/a"}));
  EXPECT_EQ(graph.at("p/q/a").attr<Names>("_class"), Names{"loc:@p/q/c"});
  expect_refused("Node 'a' expects to be colocated with unknown node 'zz'",
                 kC + node("a", "Identity", {"c"},
                           kFloat + "attr { key: '_class' value { list { s: 'loc:@zz' } } }"));
  expect_refused("would lead to invalid node names", kC, {.prefix = "a b"});
}

TEST_F(GraphDefTest, makes_names_unique_when_asked) {
  graph.add({.op = "NoOp", .name = "p/x"});
  graph.add({.op = "NoOp", .name = "c/q"});
  const std::string text = kC + node("x", "NoOp", {}) + node("p/x", "NoOp", {"^x"});
  expect_refused("Node name 'p/x' already exists in the Graph", text);
  import(text, {.uniquify_names = true});
  EXPECT_EQ(names(), (Names{"p/x", "c/q", "c_1", "x", "p/x_1"}));
}

TEST_F(GraphDefTest, maps_inputs_and_returns_elements) {
  import(kC, {.prefix = "x"});
  const Output x = graph.tensor("x/c:0");
  const std::string text = kC + node("a", "Identity", {"c", "^c"}, kFloat);
  const ImportResult result = import(text, {.prefix = "i",
                                            .input_map = {{"c:0", x}, {"^c", x}, {"a:0", x}},
                                            .return_elements = {"c:0", "a", "c"}});
  EXPECT_EQ(graph.at("i/a").input(0), x);
  EXPECT_EQ(graph.at("i/a").control_inputs()[0], x.node);
  EXPECT_EQ(result.returned[0], x);
  EXPECT_EQ(result.returned[1], (Output{graph.find("i/a"), -1}));
  EXPECT_EQ(result.returned[2].node->name(), "i/c");
  expect_error(Code::kInvalidArgument,
               "Attempted to map inputs that were not found in graph_def: [zz:0]", [&] {
                 import(text, {.prefix = "kept", .input_map = { { "zz:0", x } }});
               });
  EXPECT_NE(graph.find("kept/a"), nullptr);
  expect_refused("Requested return tensor 'q:0' not found in graph def", text,
                 {.return_elements = {"q:0"}});
  expect_refused("Requested return node 'q' not found in graph def", text,
                 {.return_elements = {"q"}});
  expect_refused("Invalid return output 1 of node 'a', which has 1 output(s)", text,
                 {.return_elements = {"a:1"}});
}

TEST_F(GraphDefTest, adds_control_inputs_and_devices) {
  Node& before = graph.add({.op = "NoOp", .name = "before"});
  import(kC + node("a", "NoOp", {}, "device: '/gpu:1'"),
         {.control_inputs = {&before}, .device = "/job:w"});
  EXPECT_EQ(graph.at("a").device(), "/job:w/device:GPU:1");
  EXPECT_EQ(graph.at("c").device(), "/job:w");
  EXPECT_EQ(graph.at("c").control_inputs()[0], &before);
  expect_refused("Unknown attribute 'foo'", node("b", "NoOp", {}, "device: 'foo'"));
}

TEST_F(GraphDefTest, loops_go_through_merge_alone) {
  const std::string n2 = kFloat + "attr { key: 'N' value { i: 2 } }";
  import(kC + node("m", "Merge", {"c", "n"}, n2) + node("n", "NextIteration", {"m"}, kFloat));
  EXPECT_EQ(graph.at("m").input(1).node, graph.find("n"));
  EXPECT_EQ(graph.at("m").output_shape(0), PartialShape());
  const ImportOptions p{.prefix = "p"};
  expect_refused("2 nodes in a cycle",
                 kC + node("m", "Merge", {"c", "n"}, n2) + node("n", "Identity", {"m"}, kFloat), p);
  expect_refused(
      "2 nodes in a cycle",
      kC + node("m", "Add", {"c", "n"}, kFloat) + node("n", "NextIteration", {"m"}, kFloat), p);
  expect_refused("3 nodes in a cycle",
                 kC + node("m", "Merge", {"c", "n", "^k"}, n2) +
                     node("n", "NextIteration", {"k"}, kFloat) +
                     node("k", "Identity", {"m"}, kFloat),
                 p);
  expect_refused("incompatible with expected float",
                 kC + node("m", "Merge", {"c", "n"}, n2) +
                     node("n", "NextIteration", {"m:1"}, type_attr("DT_INT32")),
                 p);
}

TEST_F(GraphDefTest, uses_and_drops_output_shapes) {
  const std::string p = type_attr("DT_FLOAT", "dtype");
  const auto shapes = [](const std::string& text) {
    return "attr { key: '_output_shapes' value { list { " + text + " } } }";
  };
  const std::string one = "shape { dim { size: 3 } } ";
  import(node("p", "Placeholder", {}, p + shapes(one)));
  EXPECT_EQ(graph.at("p").output_shape(0), PartialShape{3});
  EXPECT_FALSE(graph.at("p").attrs().contains("_output_shapes"));
  expect_refused(
      "Node 'a' has an _output_shapes attribute inconsistent with the GraphDef for "
      "output #0: Shapes must be equal rank, but are 0 and 1",
      kC + node("a", "Identity", {"c"}, kFloat + shapes(one)) + "versions { producer: 30 }");
  expect_refused(
      "Node 'q' has 1 outputs but the _output_shapes attribute specifies shapes for 0 "
      "outputs",
      node("q", "Placeholder", {}, p + shapes("")));
}

TEST_F(GraphDefTest, knows_the_functions_of_its_library) {
  const std::string library =
      "library { function { signature { name: 'F' input_arg { name: 'x' type: DT_FLOAT } "
      "output_arg { name: 'y' type: DT_FLOAT } } } } ";
  import(kC + node("f", "F", {"c"}) + library);
  EXPECT_EQ(graph.at("f").output_type(0), DType::f32);
  EXPECT_EQ(graph.versions.min_consumer, 12);
  import(kC + node("f", "F", {"c"}) + library, {.prefix = "again"});
  expect_refused("Cannot add function 'F' because a different function",
                 "library { function { signature { name: 'F' } } }");
  expect_refused("Cannot add function 'NoOp'",
                 "library { function { signature { name: 'NoOp' } } }");
  EXPECT_EQ(export_graph_def(graph).library().function_size(), 1);
}

TEST_F(GraphDefTest, exports_what_it_imports) {
  const std::string text =
      node("z", "NoOp", {}) + node("b", "NoOp", {}) + kC +
      node("split", "Split", {"d", "c"}, kFloat + "attr { key: 'num_split' value { i: 2 } }") +
      node("d", "Const", {},
           type_attr("DT_INT32", "dtype") +
               "attr { key: 'value' value { tensor { dtype: DT_INT32 tensor_shape {} int_val: 0 } "
               "} }") +
      node("m", "MatMul", {"split:1", "split", "^z", "^b"},
           kFloat + "attr { key: '_tag' value { list { s: 'x' } } }") +
      "versions { producer: 134 }";
  import(text);
  const tensorflow::GraphDef def = export_graph_def(graph, {.add_shapes = true});
  const tensorflow::NodeDef& m = def.node(def.node_size() - 1);
  EXPECT_EQ(Names(m.input().begin(), m.input().end()), (Names{"split:1", "split", "^b", "^z"}));
  EXPECT_TRUE(m.attr().contains("transpose_a"));  // defaults are written
  EXPECT_EQ(m.attr().at("_output_shapes").list().shape_size(), 1);
  EXPECT_FALSE(def.node(0).attr().contains("_output_shapes"));
  Graph copy(testing::test_registry());
  import_graph_def(copy, def);
  EXPECT_EQ(export_graph_def(copy).DebugString(), export_graph_def(graph).DebugString());
  EXPECT_EQ(export_graph_def(graph, {.from_version = 5}).node_size(), 1);
}

TEST(AttrProto, round_trips_every_kind) {
  const FuncName func{.name = "f", .attrs = {{"T", DType::f32}}};
  const std::vector<AttrValue> values = {"s",
                                         3,
                                         0.5,
                                         true,
                                         DType::i64,
                                         PartialShape{2, -1},
                                         PartialShape(),
                                         Tensor::vector<float>({1, 2}),
                                         func,
                                         std::vector<std::string>{"a", ""},
                                         std::vector<std::int64_t>{1, -1},
                                         std::vector<float>{0.5f},
                                         std::vector<bool>{true, false},
                                         std::vector<DType>{DType::f32, DType::string},
                                         std::vector<PartialShape>{{}, {1}},
                                         std::vector<Tensor>{Tensor::scalar(1.0f)},
                                         std::vector<FuncName>{func}};
  for (const AttrValue& value : values) {
    tensorflow::AttrValue proto;
    to_proto(value, &proto);
    EXPECT_EQ(to_text(from_proto(proto)), to_text(value));
    EXPECT_TRUE(from_proto(proto) == value) << to_text(value);
  }
  EXPECT_FALSE(from_proto(tensorflow::AttrValue()).has_value());
}

TEST(AttrProto, refuses_mixed_lists_and_placeholders) {
  tensorflow::AttrValue proto;
  proto.mutable_list()->add_i(1);
  proto.mutable_list()->add_s("x");
  expect_error(Code::kInvalidArgument, "more than one kind", [&] { from_proto(proto); });
  proto.set_placeholder("T");
  expect_error(Code::kInvalidArgument, "placeholder 'T'", [&] { from_proto(proto); });
}

TEST(OpDef, round_trips) {
  for (const OpDecl& decl : testing::kTestOps) {
    tensorflow::OpDef first, second;
    to_proto(Op(decl), &first);
    to_proto(from_proto(first), &second);
    EXPECT_EQ(first.DebugString(), second.DebugString());
  }
}

}  // namespace
}  // namespace rill
