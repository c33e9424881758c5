// Feeds are lent to a step: kernels see the buffer that the program gave.
#include <gtest/gtest.h>

#include "rill/api/core/basic_ops.h"
#include "rill/api/core/host_function.h"
#include "rill/api/core/static_value.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/runtime/session/session.h"

namespace rill {
namespace {

TEST(Feeding, kernels_see_the_buffer_that_was_fed) {
  const AsDefault graph(make_graph());
  const void* seen = nullptr;
  const auto look = [&](const std::vector<Tensor>& in) -> std::vector<Tensor> {
    seen = in.at(0).raw_data();
    return {Tensor::scalar(0)};
  };
  const Output x = placeholder(DType::f32, {kUnknownDim});
  const Output direct = host_function(look, {x}, {DType::i32}).at(0);
  const Output passed_on = host_function(look, {raw::Identity(x)}, {DType::i32}).at(0);
  Session session(default_graph());
  for (const std::int64_t size : {1, 1000, 1 << 20}) {
    const Tensor fed = Tensor::zeros(DType::f32, Shape({size}));
    for (const Output& output : {direct, passed_on}) {
      const Feed feed{x, fed};
      session.run({&feed, 1}, {&output, 1});
      EXPECT_EQ(seen, fed.raw_data()) << size;
    }
  }
}

TEST(StaticValue, knows_what_programs_can_tell_before_a_run) {
  const AsDefault graph(make_graph());
  const Output known = placeholder(DType::f32, {2, 3});
  const Output open = placeholder(DType::f32, {kUnknownDim, 3});
  EXPECT_EQ(static_value(constant(7))->scalar_value<std::int32_t>(), 7);
  EXPECT_TRUE(identical(*static_value(raw::Shape(known)), Tensor::vector<std::int32_t>({2, 3})));
  EXPECT_FALSE(static_value(raw::Shape(open)));
  EXPECT_EQ(static_value(raw::Rank(open))->scalar_value<std::int32_t>(), 2);
  EXPECT_TRUE(
      identical(*static_value(raw::Range(0, 3, 1)), Tensor::vector<std::int32_t>({0, 1, 2})));
  EXPECT_FALSE(static_value(raw::Identity(constant(7))));
  EXPECT_FALSE(static_value(known));
}

}  // namespace
}  // namespace rill
