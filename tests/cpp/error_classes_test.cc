#include <gtest/gtest.h>

#include "rill/api/core/basic_ops.h"
#include "rill/api/core/session.h"
#include "rill/api/io/gfile.h"
#include "rill/api/math/operators.h"
#include "rill/api/variables/variable.h"
#include "rill/api/variables/variable_lists.h"
#include "rill/base/error_classes.h"

namespace rill {
namespace {

TEST(ErrorClasses, each_code_is_thrown_as_its_class) {
  EXPECT_THROW(raise(Code::kNotFound, "x"), errors::NotFoundError);
  EXPECT_THROW(raise(Code::kDataLoss, "x"), errors::DataLossError);
  EXPECT_THROW(require(false, "x"), errors::InvalidArgumentError);
  EXPECT_THROW(require_type(false, "x"), errors::InvalidArgumentError);
  EXPECT_THROW(raise(Code::kNotFound, "x"), Error);
  try {
    raise(Code::kAborted, "a", 1);
  } catch (const errors::NotFoundError&) {
    FAIL() << "aborted is not not-found";
  } catch (const errors::OpError& error) {
    EXPECT_EQ(error.message(), "a1");
    EXPECT_EQ(error.code(), Code::kAborted);
  }
  static_assert(errors::error_code_from_exception_type<errors::OutOfRangeError>() ==
                Code::kOutOfRange);
}

TEST(ErrorClasses, programs_throw_them_too) {
  try {
    throw errors::UnavailableError("gone");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::kUnavailable);
    EXPECT_EQ(error.message(), "gone");
  }
}

TEST(ErrorClasses, steps_files_and_graphs_throw_them) {
  const AsDefault graph(make_graph());
  const Output fed = placeholder(DType::f32);
  const Variable unset(constant(1.0F), {.name = "unset"});
  Session session(default_graph());
  EXPECT_THROW(session.run(fed), errors::InvalidArgumentError);
  EXPECT_THROW(session.run(unset.value()), errors::FailedPreconditionError);
  EXPECT_THROW(gfile::GFile("/no/such/file").read(), errors::NotFoundError);
  EXPECT_THROW(constant({1.0F, 2.0F}) + constant({1.0F, 2.0F, 3.0F}), errors::InvalidArgumentError);
}

}  // namespace
}  // namespace rill
