#include "rill/graph/op_decl.h"

#include "rill/graph/graph.h"
#include "rill/graph/kernel_work.h"
#include "rill/graph/testing.h"

// What does not compile as static_assert(well_formed(kX)) is tried here at run time.
namespace rill {
namespace {

// Why a declaration is refused; empty when it is not.
std::string refusal(const OpDecl& op) {
  try {
    check_decl(op);
    return "";
  } catch (const decl_text::Malformed& malformed) {
    return malformed.why;
  }
}

using Texts = std::initializer_list<const char*>;

constexpr OpDecl declared(Texts inputs, Texts attrs) {
  return {.name = "X", .doc = "d", .inputs = inputs, .attrs = attrs, .grad = no_gradient};
}
std::string input_refusal(const char* text) {
  return refusal(declared({text}, {"T: type", "N: int", "Ts: list(type)"}));
}
std::string attr_refusal(const char* text) { return refusal(declared({}, {text})); }

constexpr OpDecl kFull{
    .name = "X",
    .doc = "d",
    .inputs = {"x: T", "many: N * T", "ref: Ref(T)", "mixed: Ts", "n: int32"},
    .outputs = {"x: T"},
    .attrs = {"T: {float, DT_HALF, numbertype} = DT_FLOAT", "N: int >= 1 = 2",
              "Ts: list(type) >= 1", "padding: {'SAME', \"it's\"} = 'SAME'", "f: func",
              "g: func = NoFunction", "rate: float = -1.5e-3", "most: float = inf",
              "exact: bool = false", "sides: list(int) = [1, 2]",
              "s: shape = { unknown_rank: true }", "short: shape = [2,?]",
              "shapes: list(shape) = [{}, <unknown>]",
              "v: tensor = { dtype: DT_INT32 tensor_shape: {} int_val: 3 }",
              "types: list({int32, int64}) = [DT_INT32]", "text: string = 'a\\'b'"},
    .traits = kStateful | kReadsFiles | kForLoading,
    .shape = same_as_input,
    .grad = no_gradient,
};
static_assert(well_formed(kFull));

TEST(OpDecl, the_compiler_and_the_registry_read_the_same_language) {
  EXPECT_EQ(refusal(kFull), "");
  const Op op(kFull);
  EXPECT_EQ(op.inputs.size(), 5u);
  EXPECT_EQ(op.attrs.size(), 16u);
}

TEST(OpDecl, arguments) {
  EXPECT_EQ(input_refusal("features: T"), "");
  EXPECT_EQ(input_refusal("features T"), "an argument needs a colon after its name");
  EXPECT_EQ(input_refusal(": T"), "an argument begins with its name");
  EXPECT_EQ(input_refusal("2x: T"), "an argument begins with its name");
  EXPECT_EQ(input_refusal("x:"), "the type of an argument is a type or the name of an attribute");
  EXPECT_EQ(input_refusal("x: U"),
            "the type of an argument is neither a type nor a type attribute");
  EXPECT_EQ(input_refusal("x: N"),
            "the type of an argument is neither a type nor a type attribute");
  EXPECT_EQ(input_refusal("x: T * T"), "\"N * T\" needs an attribute N: int");
  EXPECT_EQ(input_refusal("x: N * Ts"), "a list of types cannot be repeated");
  EXPECT_EQ(input_refusal("x: Ref(T"), "Ref( is not closed");
  EXPECT_EQ(input_refusal("x: T T"), "an argument ends after its type");
}

TEST(OpDecl, attributes) {
  EXPECT_EQ(attr_refusal("T type"), "an attribute needs a colon after its name");
  EXPECT_NE(attr_refusal("T: typ").find("the kind of an attribute: string, int"),
            std::string::npos);
  EXPECT_NE(attr_refusal("T: float32").find("the kind of an attribute"), std::string::npos);
  EXPECT_EQ(attr_refusal("T: {float, flaot}"),
            "the types of an attribute in braces: one of them does not exist");
  EXPECT_EQ(attr_refusal("T: {float"),
            "the values of an attribute in braces: '}' or ',' is expected");
  EXPECT_EQ(attr_refusal("T: list(type"), "list( is not closed");
  EXPECT_EQ(attr_refusal("x: float >= 1"), "only an int or a list has a minimum");
  EXPECT_EQ(attr_refusal("N: int >= one"), "the minimum of an attribute is an integer");
  EXPECT_EQ(attr_refusal("N: int 3"), "an attribute ends after its default");
}

TEST(OpDecl, defaults) {
  EXPECT_EQ(attr_refusal("T: {float, half} = DT_INT32"), "a default is not among the types");
  EXPECT_EQ(attr_refusal("p: {'SAME', 'VALID'} = 'FULL'"), "a default is not among the values");
  EXPECT_EQ(attr_refusal("N: int = 1.5"), "the default of an int is not one");
  EXPECT_EQ(attr_refusal("x: float = one"), "the default of a float is no number");
  EXPECT_EQ(attr_refusal("b: bool = True"), "the default of a bool: true or false");
  EXPECT_EQ(attr_refusal("s: string = abc"), "a string in quotes is expected");
  EXPECT_EQ(attr_refusal("s: string = 'abc"), "a string has no closing quote");
  EXPECT_EQ(attr_refusal("l: list(int) = 1"), "the default of a list begins with '['");
  EXPECT_EQ(attr_refusal("l: list(int) = [1 2]"), "the default of a list: ',' or ']' is expected");
  EXPECT_EQ(attr_refusal("v: tensor = { dtype: DT_INT32"), "a '{' is not closed");
}

TEST(OpDecl, names_are_used_once) {
  EXPECT_EQ(refusal(declared({"x: int32", "x: int32"}, {})),
            "two arguments or attributes have one name");
  EXPECT_EQ(refusal(declared({}, {"a: int", "a: int"})),
            "two arguments or attributes have one name");
  EXPECT_EQ(refusal(declared({"a: int32"}, {"a: int"})), "an input and an attribute have one name");
}

TEST(OpDecl, facts_that_must_be_stated) {
  const OpDecl forgotten{.name = "X", .doc = "d"};
  EXPECT_NE(refusal(forgotten).find("an op states its gradient"), std::string::npos);
  const OpDecl shapeless{.name = "X", .doc = "d", .outputs = {"y: float"}, .grad = no_gradient};
  EXPECT_EQ(refusal(shapeless), "an op with outputs needs a shape function");
  EXPECT_EQ(refusal({.name = "X", .doc = "", .grad = no_gradient}), "an op needs a doc");
}

TEST(OpDecl, traits_that_contradict_each_other) {
  const auto with = [](std::uint64_t traits) {
    return refusal({.name = "X", .doc = "d", .traits = traits, .grad = no_gradient});
  };
  EXPECT_EQ(with(kPure | kReadsFiles), "");
  EXPECT_EQ(with(kPure | kWritesFiles), "an op with effects is not pure");
  EXPECT_EQ(with(kPure | kStateful), "an op with effects is not pure");
  EXPECT_EQ(with(kNoAccess | kReadsFiles), "an op that reaches out says so alone");
  EXPECT_EQ(with(kForLoading), "kForLoading is about ops that read files");
  EXPECT_EQ(with(kReadsFileList), "kReadsFileList is about ops that read files");
  const auto any_file = [](std::string_view) { return true; };
  const OpDecl odd{.name = "X", .doc = "d", .file_attr = {"file", any_file}, .grad = no_gradient};
  EXPECT_EQ(refusal(odd), "file_attr needs an attribute of kind string");
}

TEST(OpDecl, updates_that_can_be_fused_state_their_cost_and_have_one_flag) {
  const auto with = [](Texts attrs, CostFn cost) {
    return refusal({.name = "X",
                    .doc = "d",
                    .attrs = attrs,
                    .traits = kFusableUpdate,
                    .cost = cost,
                    .grad = no_gradient});
  };
  constexpr const char* kOthers =
      "a fusable update has no attributes but T, use_locking and one more of kind bool";
  EXPECT_EQ(with({"T: type", "use_locking: bool = false", "fast: bool = true"}, no_flops), "");
  EXPECT_EQ(with({}, nullptr), "a fusable update states its cost: the fused op adds it up");
  EXPECT_EQ(with({"power: int"}, no_flops), kOthers);
  EXPECT_EQ(with({"fast: bool", "exact: bool"}, no_flops), kOthers);
}

TEST(OpDecl, no_gradient_and_not_differentiable_differ) {
  EXPECT_EQ(Op({.name = "X", .doc = "d", .grad = no_gradient}).grad, nullptr);
  EXPECT_EQ(Op({.name = "X", .doc = "d", .grad = not_differentiable}).grad, not_differentiable);
}

TEST(KernelWork, costs_come_from_declarations) {
  Registry ops;
  ops.add({.name = "Tenfold", .doc = "d", .cost = per_output<10>});
  ops.add({.name = "Plain", .doc = "d"});
  const TensorSize six{DType::f32, Shape({2, 3})}, one[] = {six};
  const AttrMap attrs{{"N", 4}, {"flag", true}};
  const KernelWork work{&ops.at("Tenfold"), attrs, one, one, ops};
  EXPECT_EQ(flops_of(work), 60);
  EXPECT_EQ(flops_of_part(work, "Plain", six), 6);
  EXPECT_EQ(flops_of_part(work, "NobodyKnows", six), 6);
  EXPECT_EQ(work.count("N"), 4u);
  EXPECT_EQ(work.count("flag"), 0u);
  EXPECT_TRUE(work.flag("flag"));
  EXPECT_EQ(work.input(7).bytes(), 0);
}

}  // namespace
}  // namespace rill
