#include "rill/graph/op.h"

#include "rill/graph/attr_text.h"
#include "rill/graph/registry.h"
#include "rill/graph/test_ops.h"
#include "rill/graph/testing.h"

namespace rill {
namespace {

using testing::expect_error;

template <class T>
T default_of(const char* text) {
  return parse_attr(text).default_value.value().get<T>();
}

TEST(ParseArg, knows_every_form) {
  EXPECT_EQ(parse_arg("x: float").type, DType::f32);
  EXPECT_EQ(parse_arg("x:T").type_attr, "T");
  const Arg repeated = parse_arg("values: N * T");
  EXPECT_EQ(repeated.number_attr, "N");
  EXPECT_EQ(repeated.type_attr, "T");
  const Arg ref = parse_arg("inputs: Ref(N * T)");
  EXPECT_TRUE(ref.is_ref && ref.is_list());
  EXPECT_EQ(parse_arg("h: Ref(string)").type, DType::string);
}

TEST(ParseArg, says_what_is_wrong) {
  for (const char* text : {"", "x", "x:", "x: Ref(T", "x: N *", "x: T T", ": T", "1x: T", "x: *"})
    expect_error(Code::kInvalidArgument, text, [&] { parse_arg(text); });
}

TEST(ParseAttr, knows_kinds_minimums_and_allowed_values) {
  EXPECT_EQ(parse_attr("T: type").kind, AttrKind::kType);
  EXPECT_EQ(parse_attr("f: func").kind, AttrKind::kFunc);
  EXPECT_EQ(parse_attr("N: int >= 1 = 4").minimum, 1);
  EXPECT_EQ(parse_attr("Tin: list(type) >= 0").kind_text(), "list(type)");
  EXPECT_EQ(parse_attr("T: {half, float}").allowed_types, (std::vector{DType::f16, DType::f32}));
  EXPECT_EQ(parse_attr("p: {'SAME', \"VALID\"}").allowed_strings,
            (std::vector<std::string>{"SAME", "VALID"}));
  EXPECT_EQ(parse_attr("T: numbertype").allowed_types.size(), 17u);
  EXPECT_EQ(parse_attr("T: realnumbertype").allowed_types.size(), 12u);
  EXPECT_EQ(parse_attr("T: quantizedtype").allowed_types.size(), 5u);
  EXPECT_EQ(parse_attr("T: list({float, int32}) = [DT_FLOAT]").kind_text(), "list(type)");
}

TEST(ParseAttr, knows_defaults_of_every_kind) {
  EXPECT_EQ(default_of<std::int64_t>("i: int = -3"), -3);
  EXPECT_EQ(default_of<float>("f: float = 1e-3"), 1e-3f);
  EXPECT_EQ(default_of<float>("f: float = -inf"), -std::numeric_limits<float>::infinity());
  EXPECT_EQ(default_of<bool>("b: bool = true"), true);
  EXPECT_EQ(default_of<std::string>("s: string = \"a\\n\\x41\\101'\""), "a\nAA'");
  EXPECT_EQ(default_of<DType>("T: type = DT_QINT8"), DType::qi8);
  EXPECT_EQ(default_of<PartialShape>("s: shape = { dim { size: 2 } dim { size: -1 } }"),
            (PartialShape{2, -1}));
  EXPECT_EQ(default_of<PartialShape>("s: shape = { unknown_rank: true }"), PartialShape());
  EXPECT_EQ(default_of<PartialShape>("s: shape = {}"), PartialShape::scalar());
  EXPECT_EQ(default_of<std::vector<std::int64_t>>("l: list(int) = [1, 2]"),
            (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(default_of<std::vector<float>>("l: list(float) = [0.75, 1.33]").size(), 2u);
  EXPECT_EQ(default_of<std::vector<std::string>>("l: list(string) = ['a', \"b\"]").size(), 2u);
  EXPECT_TRUE(default_of<std::vector<PartialShape>>("l: list(shape) = []").empty());
}

TEST(ParseAttr, reads_a_tensor) {
  const Tensor color = default_of<Tensor>(
      "c: tensor = { dtype: DT_UINT8 tensor_shape { dim { size: 4 } } int_val: 255 int_val: 0 }");
  EXPECT_TRUE(identical(color, Tensor::vector<std::uint8_t>({255, 0, 0, 0})));
  const Tensor one = default_of<Tensor>("c: tensor = { dtype: DT_FLOAT float_val: 1.5 }");
  EXPECT_TRUE(identical(one, Tensor::scalar(1.5f)));
}

TEST(ParseAttr, says_what_is_wrong) {
  for (const char* text :
       {"a",
        "a: what",
        "a: int = x",
        "a: int >= q",
        "a: bool = 1",
        "a: string = abc",
        "a: string = 'abc",
        "a: list(int = 3",
        "a: {}",
        "a: {foo}",
        "a: type >= 1",
        "a: {'x'} = 'y'",
        "a: int >= 3 = 2",
        "a: shape = [1",
        "a: shape = { dim { size: -7 } }",
        "a: tensor = { dtype: DT_FLOAT float_val: x }",
        "a: tensor = { int_val: 1 }",
        "a: tensor = {{{{{{{{{{{{{{{{{{{{",
        "a: int = 1 2",
        "a: tensor = { dtype: DT_INT8 tensor_shape { dim { size: 99999999999 } } }"})
    expect_error(Code::kInvalidArgument, "attribute \"a", [&] { parse_attr(text); });
}

TEST(Op, finds_type_lists_and_checks_references) {
  const Op op(testing::test_op("IdentityN"));
  EXPECT_EQ(op.inputs[0].type_list_attr, "T");
  EXPECT_TRUE(op.is_inferred("T"));
  expect_error(Code::kInvalidArgument, "argument 'x' needs",
               [] { Op(OpDecl{.name = "Bad", .doc = "d", .inputs = {"x: T"}}); });
  expect_error(Code::kInvalidArgument, "'x' is used twice", [] {
    Op(OpDecl{.name = "Bad", .doc = "d", .inputs = {"x: int32", "x: int32"}});
  });
}

TEST(Op, prints_as_tensorflow_does) {
  EXPECT_EQ(to_text(Op(testing::test_op("Pack"))),
            "Op<name=Pack; signature=values:N*T -> output:T; attr=N:int,min=1; attr=T:type; "
            "attr=axis:int,default=0>");
}

TEST(Registry, refuses_a_second_op_of_a_name) {
  Registry registry;
  registry.add(testing::test_op("NoOp"));
  expect_error(Code::kAlreadyExists, "NoOp", [&] { registry.add(testing::test_op("NoOp")); });
  expect_error(Code::kNotFound, "Op type not registered 'Foo'", [&] { registry.at("Foo"); });
  EXPECT_EQ(registry.all().size(), 1u);
}

TEST(AttrSpec, converts_equivalent_values) {
  AttrValue value(3);
  parse_attr("f: float").adapt(value);
  EXPECT_EQ(value.get<float>(), 3.0f);
  value = std::vector<std::int64_t>();
  parse_attr("l: list(shape)").adapt(value);
  EXPECT_EQ(value.kind_text(), "list(shape)");
}

TEST(ShapeFunctions, common_ones) {
  using testing::expect_shape;
  using testing::expect_shape_error;
  expect_shape(testing::test_op("MatMul"), "[2,3];[3,?]", "[2,?]");
  expect_shape(testing::test_op("MatMul"), "?;[3,4]", "[?,4]");
  expect_shape(testing::test_op("MatMul"), "[3,2];[3,?]", "[2,?]", {{"transpose_a", true}});
  expect_shape_error(testing::test_op("MatMul"), "[2,3];[4,5]", "must be equal, but are 3 and 4");
  expect_shape_error(testing::test_op("MatMul"), "[2];[4,5]", "must be rank 2 but is rank 1");
  expect_shape(testing::test_op("Add"), "[2,1];[?]", "[2,?]");
  expect_shape(testing::test_op("Add"), "?;[2]", "?");
  expect_shape_error(testing::test_op("Add"), "[2];[3]", "Incompatible shapes: [2] vs. [3]");
  expect_shape(testing::test_op("AddN"), "[?,2];[3,?];?", "[3,2]");
  expect_shape_error(testing::test_op("AddN"), "[2];[3]",
                     "Dimension 0 in both shapes must be equal, but are 2 and 3");
}

}  // namespace
}  // namespace rill
