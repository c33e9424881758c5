#pragma once

// For tests of programs: tf::test, and what GoogleTest compares tensors with. Include gtest/gtest.h
// before it.
//
//   EXPECT_TENSOR_NEAR(session.run(y), tf::Tensor::vector<float>({1, 2}), 1e-5);

#include "rill/api/test/gradient_check.h"

#define EXPECT_TENSOR_NEAR(actual, expected, tolerance) \
  EXPECT_EQ(::rill::test::difference(actual, expected, tolerance, 0.0), "")
#define ASSERT_TENSOR_NEAR(actual, expected, tolerance) \
  ASSERT_EQ(::rill::test::difference(actual, expected, tolerance, 0.0), "")
#define EXPECT_TENSOR_EQ(actual, expected) \
  EXPECT_EQ(::rill::test::difference(actual, expected, 0.0, 0.0), "")
