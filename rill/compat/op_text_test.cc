#include "rill/compat/op_text.h"

#include <gtest/gtest.h>

#include "rill/base/error.h"

namespace rill {
namespace {

std::string error_of(const OpText& text) {
  try {
    parse_op(text);
  } catch (const Error& error) {
    return error.message();
  }
  return "no error";
}

TEST(OpText, is_read) {
  const Op op = parse_op({.name = "Many",
                          .attrs = {"T: {int32, float}", "N: int >= 2", "Ts: list(type)"},
                          .inputs = {"x: N * T", "rest: Ts", "v: Ref(float)"},
                          .outputs = {"y: T"}});
  ASSERT_EQ(op.inputs.size(), 3u);
  EXPECT_EQ(op.inputs[0].number_attr, "N");
  EXPECT_EQ(op.inputs[1].type_list_attr, "Ts");
  EXPECT_TRUE(op.inputs[2].is_ref);
}

TEST(OpText, documentation_is_attached_to_its_argument) {
  const Op op = parse_op({.name = "Documented",
                          .doc = "\nWhat it does.\n\nMore: about it.\n\nx: the input,\n  twice.\n"
                                 "a: the attribute.\n",
                          .attrs = {"a: int = 1"},
                          .inputs = {"x: float"}});
  EXPECT_EQ(op.doc, "What it does.\n\nMore: about it.");
  EXPECT_EQ(op.inputs[0].doc, "the input,\ntwice.");
  EXPECT_EQ(op.attrs[0].doc, "the attribute.");
}

TEST(OpText, mistakes_name_the_op_and_the_line) {
  EXPECT_NE(error_of({.name = "snake_case"}).find("CamelCase"), std::string::npos);
  EXPECT_NE(error_of({.name = ""}).find("CamelCase"), std::string::npos);
  const std::string unknown = error_of({.name = "Wrong", .inputs = {"x: U"}});
  EXPECT_NE(unknown.find("Op Wrong"), std::string::npos);
  EXPECT_NE(unknown.find("'U'"), std::string::npos);
  EXPECT_NE(error_of({.name = "Wrong", .attrs = {"T: {floot}"}}).find("floot"), std::string::npos);
  EXPECT_NE(error_of({.name = "Wrong", .attrs = {"N: int >= 3 = 1"}}).find("minimum 3"),
            std::string::npos);
  EXPECT_NE(error_of({.name = "Wrong", .inputs = {"x: float", "x: float"}}).find("twice"),
            std::string::npos);
}

}  // namespace
}  // namespace rill
