#include "rill/base/error.h"

#include <gtest/gtest.h>

#include <new>
#include <stdexcept>

namespace rill {
namespace {

template <class F>
Error thrown(F f) {
  try {
    f();
  } catch (...) {
    return current_error();
  }
  return Error(Code::kOk, "nothing was thrown");
}

struct Loud {
  int* conversions;
};
std::string to_text(const Loud& loud) {
  ++*loud.conversions;
  return "loud";
}

TEST(Error, require_names_code_parts_and_place) {
  const Error error = thrown([] { require(1 > 2, "sizes ", 3, " and ", 4.5, " differ: ", true); });
  EXPECT_EQ(error.code(), Code::kInvalidArgument);
  EXPECT_EQ(error.message(), "sizes 3 and 4.5 differ: true");
  EXPECT_STREQ(error.what(), "InvalidArgument: sizes 3 and 4.5 differ: true");
  EXPECT_NE(std::string_view(error.at().file_name()).find("error_test.cc"), std::string_view::npos);
}

TEST(Error, parts_become_text_only_on_failure) {
  int conversions = 0;
  require(true, Loud{&conversions});
  EXPECT_EQ(conversions, 0);
  EXPECT_EQ(thrown([&] { require(false, Loud{&conversions}); }).message(), "loud");
  EXPECT_EQ(conversions, 1);
}

TEST(Error, keeps_the_first_node) {
  const Error plain(Code::kNotFound, "no variable");
  const Error first = plain.with_node("dense/w", " [node dense/w]");
  EXPECT_EQ(first.node(), "dense/w");
  EXPECT_EQ(first.message(), "no variable [node dense/w]");
  const Error second = first.with_node("outer", " [node outer]");
  EXPECT_EQ(second.node(), "dense/w");
  EXPECT_EQ(second.message(), first.message());
  EXPECT_EQ(first.with_context(" while loading").node(), "dense/w");
}

TEST(Error, foreign_exceptions_become_errors_and_stay_reachable) {
  EXPECT_EQ(thrown([] { throw std::bad_alloc(); }).code(), Code::kResourceExhausted);
  const Error error = thrown([] { throw std::runtime_error("from outside"); });
  EXPECT_EQ(error.code(), Code::kUnknown);
  EXPECT_EQ(error.message(), "from outside");
  EXPECT_THROW(std::rethrow_exception(error.cause()), std::runtime_error);
  EXPECT_THROW(std::rethrow_exception(error.with_context("!").with_node("n", "").cause()),
               std::runtime_error);
  EXPECT_THROW(std::rethrow_exception(thrown([] { throw 3; }).cause()), int);
}

TEST(Error, code_names) {
  EXPECT_EQ(code_name(Code::kOk), "OK");
  EXPECT_EQ(code_name(Code::kUnauthenticated), "Unauthenticated");
  EXPECT_EQ(code_name(static_cast<Code>(99)), "Unknown");
}

}  // namespace
}  // namespace rill
