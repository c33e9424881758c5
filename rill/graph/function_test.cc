#include "rill/graph/function.h"

#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include "rill/base/error.h"
#include "rill/graph/function_body.h"
#include "rill/graph/function_define.h"
#include "rill/graph/function_proto.h"
#include "rill/graph/scope.h"
#include "rill/graph/test_ops.h"
#include "tensorflow/core/framework/function.pb.h"

namespace rill {
namespace {

constexpr const char* kTwice =
    "signature { name: 'Twice' input_arg { name: 'x' type_attr: 'T' } "
    "output_arg { name: 'y' type_attr: 'T' } attr { name: 'T' type: 'type' } } "
    "node_def { name: 'sum' op: 'Add' input: 'x' input: 'x:0' "
    "  attr { key: 'T' value { placeholder: 'T' } } } "
    "ret { key: 'y' value: 'sum:z:0' }";

class FunctionTest : public ::testing::Test {
 protected:
  const Registry& registry = rill::testing::test_registry();
  Graph graph{registry};

  static Function parsed(const std::string& text) {
    tensorflow::FunctionDef def;
    EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &def)) << text;
    return from_proto(def);
  }
  FunctionBody body(const std::string& text, const AttrMap& attrs) {
    return instantiate(parsed(text), attrs, registry, graph.functions());
  }
  void expect_refused(const std::string& message, const std::string& text,
                      const AttrMap& attrs = {{"T", DType::f32}}) {
    try {
      body(text, attrs);
      ADD_FAILURE() << "accepted: " << text;
    } catch (const Error& error) {
      EXPECT_NE(error.message().find(message), std::string::npos) << error.message();
    }
  }
  static std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const auto at = text.find(from);
    EXPECT_NE(at, text.npos) << from;
    return text.replace(at, from.size(), to);
  }
};

TEST_F(FunctionTest, is_written_as_it_was_read) {
  const Function function = parsed(kTwice);
  tensorflow::FunctionDef def;
  to_proto(function, &def);
  EXPECT_TRUE(same_definition(function, from_proto(def)));
  EXPECT_EQ(def.node_def(0).attr().at("T").placeholder(), "T");
  EXPECT_EQ(def.ret().at("y"), "sum:z:0");
}

TEST_F(FunctionTest, takes_the_types_it_is_given) {
  for (const DType type : {DType::f32, DType::i32}) {
    const FunctionBody instance = body(kTwice, {{"T", type}});
    EXPECT_EQ(instance.arg_types(), std::vector{type});
    EXPECT_EQ(instance.return_types(), std::vector{type});
    EXPECT_EQ(instance.return_values()[0].node->name(), "sum");
  }
}

TEST_F(FunctionTest, names_what_is_wrong) {
  expect_refused("Attr T is not found", kTwice, {});
  expect_refused("'string' when 'type' expected", kTwice, {{"T", "float"}});
  expect_refused("placeholder 'U'", replaced(kTwice, "placeholder: 'T'", "placeholder: 'U'"));
  expect_refused("Op type not registered 'Nothing'", replaced(kTwice, "'Add'", "'Nothing'"));
  expect_refused("input z is not found", replaced(kTwice, "input: 'x'", "input: 'z'"));
  expect_refused("argument x has 1 elements", replaced(kTwice, "'x:0'", "'x:1'"));
  expect_refused("Add has no output w", replaced(kTwice, "'sum:z:0'", "'sum:w:0'"));
  expect_refused("output z has 1 elements", replaced(kTwice, "'sum:z:0'", "'sum:z:1'"));
  expect_refused("'-1' is no index", replaced(kTwice, "'sum:z:0'", "'sum:z:-1'"));
  expect_refused("Return y missing", replaced(kTwice, "key: 'y'", "key: 'w'"));
  expect_refused("'x' is used twice", replaced(kTwice, "name: 'sum'", "name: 'x'"));
  expect_refused("cycle", replaced(kTwice, "'x:0'", "'sum:z:0'"));
  expect_refused("[function Twice]", kTwice, {});
}

TEST_F(FunctionTest, is_defined_once) {
  FunctionLibrary& library = *graph.functions();
  EXPECT_TRUE(library.add(parsed(kTwice)));
  EXPECT_FALSE(library.add(parsed(kTwice)));
  EXPECT_THROW(library.add(parsed(replaced(kTwice, "'x:0'", "'x'"))), Error);
  EXPECT_TRUE(library.add_gradient("Twice", "G"));
  EXPECT_FALSE(library.add_gradient("Twice", "G"));
  EXPECT_THROW(library.add_gradient("Twice", "H"), Error);
  EXPECT_EQ(library.gradient_of("Twice"), "G");
  EXPECT_EQ(library.gradient_of("G"), "");
}

TEST_F(FunctionTest, is_made_from_a_graph) {
  FunctionBuilder builder(graph);
  const Output a = builder.add_argument(DType::f32, "A.b"),
               b = builder.add_argument(DType::f32, "b");
  Scope scope(*builder.body());
  const Output sum = scope.add("Add", {a, b}).output();
  const Function function = builder.finish({sum, a, sum}, {.base_name = "f"});
  EXPECT_EQ(function.signature.inputs[0].name, "a_b");
  EXPECT_EQ(function.signature.outputs[0].name, "add");
  EXPECT_EQ(function.returns.at("add"), "Add:z:0");
  EXPECT_EQ(function.returns.at("a_b"), "a_b");
  EXPECT_EQ(function.returns.at("add_0"), "Add:z:0");
  EXPECT_EQ(function.name().size(), std::string("f_01234567").size());
  EXPECT_EQ(builder.finish({sum, a, sum}, {.base_name = "f"}).name(), function.name());
  EXPECT_NE(builder.finish({sum, a, a}, {.base_name = "f"}).name(), function.name());
  const FunctionBody instance = instantiate(function, {}, registry, graph.functions());
  EXPECT_EQ(instance.args.size(), 2u);
  EXPECT_EQ(instance.returns.size(), 3u);
}

TEST_F(FunctionTest, does_not_hide_ops) {
  EXPECT_THROW(define_function(graph, parsed(replaced(kTwice, "'Twice'", "'Add'"))), Error);
}

}  // namespace
}  // namespace rill
