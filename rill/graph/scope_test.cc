#include "rill/graph/scope.h"

#include "rill/graph/test_ops.h"
#include "rill/graph/testing.h"

namespace rill {
namespace {

using testing::expect_error;

class ScopeTest : public ::testing::Test {
 protected:
  Output placeholder(DType dtype = DType::f32, PartialShape shape = {}) {
    return scope.add("Placeholder", {}, {{"dtype", dtype}, {"shape", shape}}).output();
  }
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const Node* node : graph.nodes()) all.push_back(node->name());
    return all;
  }
  static std::vector<std::string> names(const std::vector<Node*>& nodes) {
    std::vector<std::string> all;
    for (const Node* node : nodes) all.push_back(node->name());
    return all;
  }
  void expect_invalid(std::string_view text, std::function<void()> f) {
    expect_error(Code::kInvalidArgument, text, f);
  }
  using Names = std::vector<std::string>;
  using Inputs = std::vector<Input>;
  Graph graph{testing::test_registry()};
  Scope scope{graph};
};

TEST_F(ScopeTest, names_constants_after_arguments) {
  const Output x = placeholder();
  scope.add("Add", {x, 2});
  scope.add("Add", {1, x}, {{"T", DType::f32}});
  scope.add("Pack", {Inputs{1, 2.5, x}});
  scope.add("Reshape", {x, Tensor::vector<std::int32_t>({2, 1})}, {}, "reshape");
  EXPECT_EQ(names(), (Names{"Placeholder", "Add/y", "Add", "Add_1/x", "Add_1", "Pack/values_0",
                            "Pack/values_1", "Pack", "reshape/shape", "reshape"}));
  EXPECT_EQ(graph.at("Add/y").output_type(0), DType::f32);
  EXPECT_EQ(graph.at("Pack/values_0").output_type(0), DType::f32);
}

TEST_F(ScopeTest, values_without_a_wish_take_their_natural_type) {
  scope.add("IdentityN", {Inputs{1, 2.5, "a", true, std::int64_t{1} << 40}});
  EXPECT_EQ(graph.at("IdentityN").attr<std::vector<DType>>("T"),
            (std::vector{DType::i32, DType::f32, DType::string, DType::boolean, DType::i64}));
}

TEST_F(ScopeTest, name_scopes) {
  Scope a = scope.named("a");
  a.add("NoOp", {});
  Scope again = scope.named("a");
  EXPECT_EQ(again.name(), "a_1");
  Scope same = again.named("a/");
  EXPECT_EQ(same.name(), "a");
  same.add("NoOp", {});
  same.named("b").named("").add("NoOp", {}, {}, "top");
  scope.add("NoOp", {}, {}, "x/y/");
  EXPECT_EQ(names(), (Names{"a/NoOp", "a/NoOp_1", "top", "x/y"}));
  expect_invalid("'a b' is not a valid scope name", [&] { scope.named("a b"); });
  expect_invalid("'_x' is not a valid scope name", [&] { scope.add("NoOp", {}, {}, "_x"); });
  EXPECT_EQ(a.named("_x").name(), "a/_x");
  expect_invalid("'?' is not a valid scope name", [&] { a.named("?"); });
}

TEST_F(ScopeTest, type_errors_speak_of_arguments) {
  const Output f = placeholder(), i = placeholder(DType::i32), s = placeholder(DType::string);
  expect_invalid(
      "Input 'b' of 'MatMul' Op has type int32 that does not match type float32 of argument 'a'.",
      [&] {
        scope.add("MatMul", {f, i});
      });
  expect_invalid(
      "Value passed to parameter 'a' has DataType string not in list of allowed values: "
      "bfloat16, float16, float32",
      [&] {
        scope.add("MatMul", {s, s});
      });
  expect_invalid(
      "Input 'pred' of 'Switch' Op has type int32 that does not match expected type of "
      "bool.",
      [&] {
        scope.add("Switch", {f, i});
      });
  expect_invalid("'Assign' Op requires that input 'ref' be a mutable tensor", [&] {
    scope.add("Assign", {f, 1.0});
  });
  expect_invalid(
      "Expected int32 passed to parameter 'y' of op 'Add', got 2.5 of type 'float' "
      "instead. Error: Expected int32, got 2.5 of type 'float' instead.",
      [&] {
        scope.add("Add", {i, 2.5});
      });
}

TEST_F(ScopeTest, list_errors_speak_of_arguments) {
  const Output f = placeholder(), i = placeholder(DType::i32);
  expect_invalid(
      "Tensors in list passed to 'values' of 'Pack' Op have types [float32, int32] that "
      "don't all match.",
      [&] {
        scope.add("Pack", {Inputs{f, i}});
      });
  expect_invalid("List argument 'values' to 'Pack' Op with length 0 shorter than minimum length 1.",
                 [&] { scope.add("Pack", {Inputs{}}); });
  expect_invalid("Expected list for 'values' argument to 'Pack' Op",
                 [&] { scope.add("Pack", {f}); });
  expect_invalid("No argument for input y found in Add", [&] { scope.add("Add", {f}); });
  expect_invalid("Add takes 2 inputs, got 3", [&] { scope.add("Add", {f, f, f}); });
}

TEST_F(ScopeTest, attribute_errors_speak_of_the_op) {
  const Output f = placeholder();
  const std::vector<std::int64_t> one = {1}, two = {1, 2};
  expect_invalid("Attr 'padding' of 'Conv' Op passed string 'FOO' not in: \"SAME\", \"VALID\".",
                 [&] {
                   scope.add("Conv", {f}, {{"strides", two}, {"padding", "FOO"}});
                 });
  expect_invalid("Attr 'strides' of 'Conv' Op passed list of length 1 less than minimum 2.", [&] {
    scope.add("Conv", {f}, {{"strides", one}, {"padding", "SAME"}});
  });
  expect_invalid("Expected list for 'strides' argument to 'Conv' Op, not 1.", [&] {
    scope.add("Conv", {f}, {{"strides", 1}, {"padding", "SAME"}});
  });
  expect_invalid("Attr 'num_split' of 'Split' Op passed 0 less than minimum 1.", [&] {
    scope.add("Split", {0, f}, {{"num_split", 0}});
  });
  expect_invalid("No argument found for attr dtype for Placeholder",
                 [&] { scope.add("Placeholder", {}); });
  expect_invalid("NoOp got unexpected keyword arguments: z.", [&] {
    scope.add("NoOp", {}, {{"z", 1}});
  });
}

TEST_F(ScopeTest, device_functions_see_the_node_and_what_inner_scopes_say) {
  std::vector<std::string> seen;
  const DeviceFunction choose = [&](Node& node) {
    seen.push_back(node.name() + " " + node.device());
    return node.op().name == "NoOp" ? node.device() + "/cpu:1" : std::string("/cpu:2");
  };
  Scope around = scope.on_device("/job:w").on_device(choose);
  EXPECT_EQ(around.on_device("/task:3").add("NoOp", {}, {}, "a").device(),
            "/job:w/task:3/device:CPU:1");
  EXPECT_EQ(seen, (std::vector<std::string>{"a /task:3"}));
  Node& plain = scope.on_device("/cpu:7").add("NoOp", {}, {}, "plain");
  EXPECT_EQ(around.colocated_with(plain).on_device(choose).add("NoOp", {}).device(),
            plain.device());
  EXPECT_EQ(around.without_device().add("NoOp", {}).device(), "");
}

TEST_F(ScopeTest, nodes_made_otherwise_are_put_on_its_devices) {
  Node& node = scope.on_device("/cpu:2").add("NoOp", {});
  scope.put_on_devices(node);
  EXPECT_EQ(node.device(), "/device:CPU:2");
  scope.on_device("/job:q/cpu:1").put_on_devices(node);
  EXPECT_EQ(node.device(), "/job:q/device:CPU:2");
  scope.on_device([](Node& n) { return n.device() + "/task:3"; }).put_on_devices(node);
  EXPECT_EQ(node.device(), "/job:q/device:CPU:2/task:3");
}

TEST_F(ScopeTest, control_blocks_skip_nodes_that_wait_already) {
  Node& before = scope.add("NoOp", {}, {}, "before");
  const Output x = placeholder();
  Node* const list[] = {&before, x.node};
  Scope inside = scope.with_control(list);
  Node& first = inside.add("Identity", {x});
  EXPECT_EQ(names(first.control_inputs()), Names{"before"});  // x is a data input already
  Node& second = inside.add("Identity", {first});
  EXPECT_TRUE(second.control_inputs().empty());
  Node& outside = scope.add("NoOp", {}, {}, "outside");
  Node* const more[] = {&outside};
  Node& third = inside.with_control(more).add("Identity", {second});
  EXPECT_EQ(names(third.control_inputs()), Names{"outside"});
  EXPECT_TRUE(inside.without_control().add("NoOp", {}).control_inputs().empty());
}

TEST_F(ScopeTest, devices_and_colocation) {
  Scope worker = scope.on_device("/job:w/gpu:1");
  Node& a = worker.on_device("cpu:0").add("NoOp", {}, {}, "a");
  EXPECT_EQ(a.device(), "/job:w/device:CPU:0");
  EXPECT_EQ(worker.on_device("").add("NoOp", {}).device(), "/job:w/device:GPU:1");
  EXPECT_EQ(worker.without_device().add("NoOp", {}).device(), "");
  Node& b = scope.on_device("/job:b").colocated_with(a).add("NoOp", {});
  EXPECT_EQ(b.device(), a.device());
  EXPECT_EQ(b.attr<Names>("_class"), Names{"loc:@a"});
  Node& c = scope.colocated_with(b).colocated_with(*placeholder().node).add("NoOp", {});
  EXPECT_EQ(c.attr<Names>("_class"), (Names{"loc:@Placeholder", "loc:@a"}));
}

TEST_F(ScopeTest, observer_sees_every_node) {
  Names seen;
  scope.on_created = [&](Node& node) { seen.push_back(node.name()); };
  scope.named("s").from(origin_at(std::source_location::current())).add("Add", {1, 2});
  EXPECT_EQ(seen, (Names{"s/Add/x", "s/Add/y", "s/Add"}));
  EXPECT_NE(graph.at("s/Add").origin()->frames[0].file.find("scope_test"), std::string::npos);
}

}  // namespace
}  // namespace rill
