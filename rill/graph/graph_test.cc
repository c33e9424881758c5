#include "rill/graph/graph.h"

#include <thread>

#include "rill/graph/device_name.h"
#include "rill/graph/test_ops.h"
#include "rill/graph/testing.h"

namespace rill {
namespace {

using testing::expect_error;

class GraphTest : public ::testing::Test {
 protected:
  Output placeholder(const std::string& name, DType dtype = DType::f32, PartialShape shape = {}) {
    return graph
        .add({.op = "Placeholder", .name = name, .attrs = {{"dtype", dtype}, {"shape", shape}}})
        .output();
  }
  Output constant(const std::string& name, Tensor value) {
    const DType dtype = value.dtype();
    return graph
        .add(
            {.op = "Const", .name = name, .attrs = {{"dtype", dtype}, {"value", std::move(value)}}})
        .output();
  }
  Node& add(const std::string& op, const std::string& name, std::vector<Output> inputs,
            AttrMap attrs = {}) {
    return graph.add(
        {.op = op, .name = name, .inputs = std::move(inputs), .attrs = std::move(attrs)});
  }
  void expect_invalid(std::string_view text, std::function<void()> f) {
    const int before = graph.node_count();
    expect_error(Code::kInvalidArgument, text, f);
    EXPECT_EQ(graph.node_count(), before);
  }
  Graph graph{testing::test_registry()};
};

TEST_F(GraphTest, infers_attributes_types_and_shapes) {
  const Output x = placeholder("x", DType::f64, {2, 3});
  const Node& y = add("MatMul", "y", {x, x}, {{"transpose_b", true}});
  EXPECT_EQ(y.attr<DType>("T"), DType::f64);
  EXPECT_EQ(y.attr<bool>("transpose_a"), false);
  EXPECT_EQ(y.output_shape(0), (PartialShape{2, 2}));
  const Node& packed = add("Pack", "p", {x, x, x});
  EXPECT_EQ(packed.attr<std::int64_t>("N"), 3);
  const Node& list = add("IdentityN", "l", {x, placeholder("s", DType::string)});
  EXPECT_EQ(list.attr<std::vector<DType>>("T"), (std::vector{DType::f64, DType::string}));
  EXPECT_EQ(x.node->consumers().size(), 6u);
}

TEST_F(GraphTest, refuses_what_the_declaration_does_not_allow) {
  const Output x = placeholder("x"), i = placeholder("i", DType::i32),
               s = placeholder("s", DType::string);
  expect_invalid("Input 1 of node y was passed int32 from i:0 incompatible with expected float.",
                 [&] {
                   add("MatMul", "y", {x, i});
                 });
  expect_invalid("NodeDef expected inputs 'float, float' do not match 1 inputs specified",
                 [&] { add("MatMul", "y", {x}); });
  expect_invalid("Value for attr 'T' of string is not in the list of allowed values", [&] {
    add("MatMul", "y", {s, x});
  });
}

TEST_F(GraphTest, refuses_bad_attributes) {
  const Output x = placeholder("x");
  expect_invalid("NodeDef missing attr 'strides' from Op<name=Conv", [&] {
    add("Conv", "c", {x}, {{"padding", "SAME"}});
  });
  expect_invalid("NodeDef mentions attr 'foo' not in Op<name=Identity", [&] {
    add("Identity", "c", {x}, {{"foo", 1}});
  });
  expect_invalid("AttrValue had value with type 'int' when 'type' expected", [&] {
    add("Identity", "c", {x}, {{"T", 1}});
  });
  expect_invalid("Length for attr 'strides' of 1 must be at least minimum 2", [&] {
    add("Conv", "c", {x}, {{"padding", "SAME"}, {"strides", std::vector<std::int64_t>{1}}});
  });
  expect_invalid("Value for attr 'padding' of \"WIDE\" is not in the list of allowed values", [&] {
    add("Conv", "c", {x}, {{"padding", "WIDE"}, {"strides", std::vector<std::int64_t>{1, 1}}});
  });
  add("Identity", "ok", {x}, {{"_anything", 1}});
}

TEST_F(GraphTest, refuses_bad_names_and_unknown_ops) {
  add("NoOp", "a", {});
  expect_invalid("Duplicate node name in graph: 'a'", [&] { add("NoOp", "a", {}); });
  for (const char* name : {"", "_a", "a b", "/a", "-"})
    expect_invalid("is not a valid node name", [&] { add("NoOp", name, {}); });
  expect_error(Code::kNotFound, "Op type not registered 'Foo'", [&] { add("Foo", "f", {}); });
  expect_error(Code::kUnimplemented,
               "Op OldOp is not available in GraphDef version 134. It has been removed in version "
               "14. Use NoOp.",
               [&] { add("OldOp", "o", {}); });
  graph.finalize();
  expect_error(Code::kFailedPrecondition, "Graph is finalized and cannot be modified.",
               [&] { add("NoOp", "b", {}); });
}

TEST_F(GraphTest, reads_references_but_does_not_write_values) {
  const Output v =
      add("VariableV2", "v", {}, {{"dtype", DType::f32}, {"shape", PartialShape{2}}}).output();
  EXPECT_EQ(v.dtype(), ref_type(DType::f32));
  EXPECT_EQ(add("Identity", "read", {v}).output_type(0), DType::f32);
  const Node& assign = add("Assign", "assign", {v, placeholder("x")});
  EXPECT_EQ(assign.input_type(0), ref_type(DType::f32));
  expect_invalid("was passed float from x:0 incompatible with expected float_ref", [&] {
    add("Assign", "bad", {graph.tensor("x:0"), v});
  });
}

TEST_F(GraphTest, unique_names_ignore_case_and_skip_taken_ones) {
  EXPECT_EQ(graph.unique_name("c"), "c");
  EXPECT_EQ(graph.unique_name("c"), "c_1");
  EXPECT_EQ(graph.unique_name("C"), "C_2");
  EXPECT_EQ(graph.unique_name("d_1"), "d_1");
  EXPECT_EQ(graph.unique_name("d"), "d");
  EXPECT_EQ(graph.unique_name("d", false), "d_2");
  EXPECT_EQ(graph.unique_name("d"), "d_2");
  EXPECT_EQ(graph.unique_name("d_1"), "d_1_1");
  add("NoOp", "n", {});
  EXPECT_EQ(graph.unique_name("n"), "n_1");
}

TEST_F(GraphTest, finds_nodes_and_tensors) {
  const Output x = placeholder("a/x");
  EXPECT_EQ(graph.tensor("a/x:0"), x);
  expect_error(Code::kInvalidArgument, "Tensor names must be of the form",
               [&] { graph.tensor("a/x"); });
  expect_error(Code::kNotFound, "exists but only has 1 outputs", [&] { graph.tensor("a/x:1"); });
  expect_error(Code::kNotFound, "'y', does not exist", [&] { graph.tensor("y:0"); });
  expect_error(Code::kNotFound, "refers to an Operation not in the graph", [&] { graph.at("y"); });
}

TEST_F(GraphTest, knows_values_of_shapes) {
  const Output x = placeholder("x", DType::f32, {2, -1, 5});
  const Output shape = add("Shape", "shape", {x}).output();
  EXPECT_EQ(constant_value(shape), nullptr);
  EXPECT_EQ(constant_shape_value(shape), (PartialShape{2, -1, 5}));
  const auto at = [&](const std::string& name, int i) {
    return constant(name, Tensor::vector<std::int32_t>({i}));
  };
  const auto last_of = [&](const std::string& name, Output from) {
    return add("StridedSlice", name,
               {from, at(name + "b", -1), at(name + "e", 0), at(name + "s", 1)},
               {{"shrink_axis_mask", 1}})
        .output();
  };
  EXPECT_EQ(constant_value(last_of("partly", shape)), nullptr);
  const Output full = placeholder("full", DType::f32, {3, 5});
  const Output last = last_of("last", add("Shape", "full_shape", {full}).output());
  EXPECT_EQ(constant_value(last)->scalar_value<std::int32_t>(), 5);
  const Output middle =
      add("StridedSlice", "middle", {shape, at("b1", 1), at("e1", 2), at("s1", 1)}).output();
  const Output two = constant("two", Tensor::scalar<std::int32_t>(2));
  const Output sum = add("Add", "sum", {last, two}).output();
  const Output packed = add("Pack", "packed", {sum, two}).output();
  EXPECT_TRUE(identical(*constant_value(packed), Tensor::vector<std::int32_t>({7, 2})));
  const Output identity = add("Identity", "identity", {packed}).output();
  const Output all = add("ConcatV2", "all", {identity, packed, two}).output();
  EXPECT_EQ(constant_shape_value(all), (PartialShape{7, 2, 7, 2}));
  EXPECT_EQ(constant_shape_value(middle), (PartialShape{-1}));
  EXPECT_EQ(add("Reshape", "r", {x, all}).output_shape(0), (PartialShape{7, 2, 7, 2}));
}

TEST_F(GraphTest, shape_errors_name_the_node_and_the_values) {
  const Output x = placeholder("x", DType::f32, {2});
  const Output bad = constant("bad", Tensor::vector<std::int32_t>({-2}));
  expect_invalid("Invalid value in tensor used for shape: -2", [&] {
    add("Reshape", "r", {x, bad});
  });
  expect_invalid(
      "Shape must be rank 2 but is rank 1 for 'm' (op: 'MatMul') with input shapes: "
      "[2], [2].",
      [&] {
        add("MatMul", "m", {x, x});
      });
}

TEST_F(GraphTest, handles_carry_shapes) {
  Node& handle = add("VarHandleOp", "v", {}, {{"dtype", DType::f32}, {"shape", PartialShape{4}}});
  const Node& read = add("ReadVariableOp", "read", {handle.output()}, {{"dtype", DType::f32}});
  EXPECT_EQ(read.output_shape(0), PartialShape{4});
}

TEST_F(GraphTest, changes_after_the_fact) {
  const Output x = placeholder("x", DType::f32, {2, -1}), y = placeholder("y", DType::f32, {4});
  Node& id = add("Identity", "id", {x});
  graph.set_input(id, 0, y);
  EXPECT_EQ(id.output_shape(0), PartialShape{4});
  EXPECT_TRUE(x.node->consumers().empty());
  graph.add_control_input(id, *x.node);
  graph.add_control_input(id, *x.node);
  EXPECT_EQ(id.control_inputs().size(), 1u);
  graph.refine_shape(x, PartialShape{-1, 3});
  EXPECT_EQ(x.shape(), (PartialShape{2, 3}));
  expect_invalid("must be equal rank", [&] { graph.refine_shape(x, PartialShape{1}); });
  graph.set_attr(*x.node, "shape", PartialShape{9});
  EXPECT_EQ(x.shape(), PartialShape{9});
  expect_invalid("cannot change", [&] { graph.set_attr(*x.node, "dtype", DType::i32); });
}

TEST_F(GraphTest, an_edit_that_fails_leaves_nothing) {
  const Output x = placeholder("x");
  const std::string next = graph.unique_name("y", false);
  {
    GraphEdit edit(graph);
    edit.add({.op = "Identity", .name = "y", .inputs = {x}});
    edit.add({.op = "NoOp", .name = "z", .control_inputs = {x.node}});
  }
  EXPECT_EQ(graph.node_count(), 1);
  EXPECT_TRUE(x.node->consumers().empty());
  EXPECT_EQ(graph.unique_name("y", false), next);
  EXPECT_EQ(graph.find("z"), nullptr);
}

TEST_F(GraphTest, adding_from_several_threads) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([this] {
      for (int i = 0; i < 200; ++i) graph.add({.op = "NoOp", .name = graph.unique_name("n")});
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(graph.node_count(), 800);
}

TEST(DeviceName, reads_every_spelling) {
  const auto canonical = [](std::string_view text) { return to_text(DeviceName::parse(text)); };
  EXPECT_EQ(canonical("/cpu:0"), "/device:CPU:0");
  EXPECT_EQ(canonical("GPU"), "/device:GPU:*");
  EXPECT_EQ(canonical("/gpu:*"), "/device:GPU:*");
  EXPECT_EQ(canonical("/device:XLA_CPU:1/job:w"), "/job:w/device:XLA_CPU:1");
  EXPECT_EQ(canonical("/"), "");
  EXPECT_EQ(canonical("/tpu:1"), "/device:TPU:1");
  EXPECT_EQ(canonical("/job:worker-1/task:007/device:cpu:0"), "/job:worker-1/task:7/device:CPU:0");
  EXPECT_EQ(canonical("/job:a/replica:0/task:2/device:GPU:1"),
            "/job:a/replica:0/task:2/device:GPU:1");
  for (const char* bad : {"foo", "/job:", "/task:x", "/task:-1", "/device:CPU:0:1",
                          "/gpu:99999999999", "/cpu:0/gpu:0"})
    expect_error(Code::kInvalidArgument, "device spec", [&] { DeviceName::parse(bad); });
}

TEST(DeviceName, inner_parts_win) {
  const auto merge = [](std::string_view inner, std::string_view outer) {
    return to_text(DeviceName::parse(inner).over(DeviceName::parse(outer)));
  };
  EXPECT_EQ(merge("/device:CPU:*", "/job:a/task:0/device:GPU:1"), "/job:a/task:0/device:CPU:1");
  EXPECT_EQ(merge("/job:b", "/job:a/cpu:0"), "/job:b/device:CPU:0");
}

TEST(DeviceName, colocated_names_agree_or_say_where_they_do_not) {
  const auto both = [](std::string_view a, std::string_view b, bool soft = false) {
    return to_text(DeviceName::parse(a).together_with(DeviceName::parse(b), soft));
  };
  EXPECT_EQ(both("/job:a", "/cpu:1"), "/job:a/device:CPU:1");
  EXPECT_EQ(both("/cpu:0", "/cpu:1", true), "/device:CPU:*");
  EXPECT_EQ(both("/cpu:0", "/gpu:0", true), "");
  expect_error(Code::kInvalidArgument,
               "Cannot merge devices with incompatible ids: '/device:CPU:2' and '/device:CPU:1'",
               [&] { both("/cpu:2", "/cpu:1"); });
  expect_error(Code::kInvalidArgument, "incompatible jobs",
               [&] { both("/job:a", "/job:b", true); });
}

TEST(DeviceName, partial_name_matches_any_missing_field) {
  const auto covers = [](std::string_view a, std::string_view b) {
    return DeviceName::parse(a).covers(DeviceName::parse(b));
  };
  EXPECT_TRUE(covers("", "/job:a/cpu:1"));
  EXPECT_TRUE(covers("/cpu:*", "/job:a/cpu:1"));
  EXPECT_FALSE(covers("/cpu:0", "/job:a/cpu:1"));
  EXPECT_FALSE(covers("/job:b", "/job:a/cpu:1"));
}

}  // namespace
}  // namespace rill
