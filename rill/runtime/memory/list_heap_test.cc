// A list that a loop fills is written in place: what an iteration asks of the heap does not grow
// with the list.
#include <gtest/gtest.h>

#include "rill/graph/flow_builders.h"
#include "rill/ops/register.h"
#include "rill/runtime/memory/heap_use.h"
#include "rill/runtime/session/session.h"

namespace rill {
namespace {

using Outputs = std::vector<Output>;

// Fills a list in `iterations` iterations and takes it apart again; gives the bytes asked for.
std::int64_t bytes_for(int iterations, bool reserve) {
  const auto graph = std::make_shared<Graph>(standard_ops());
  Scope scope(*graph);
  const AttrMap floats{{"element_dtype", DType::f32}};
  const Tensor scalar_shape(DType::i32, Shape{0});
  const auto loop = [&](Output list, auto step) {
    const std::vector<Input> variables{scope.constant(Tensor::scalar<std::int32_t>(0)), list};
    WhileBuilder builder(scope.named("while"), variables);
    Scope inside = builder.inside();
    builder.end_condition(inside.add("Less", {builder.begin_condition()[0], iterations}).output());
    const Outputs now = builder.begin_body();
    const Output next = inside.add("AddV2", {now[0], 1}).output();
    return builder.end_body(std::vector<Input>{next, step(inside, now)})[1];
  };
  const Output empty =
      reserve ? scope.add("TensorListReserve", {scalar_shape, iterations}, floats).output()
              : scope.add("EmptyTensorList", {scalar_shape, -1}, floats).output();
  const Output full = loop(empty, [&](Scope& s, const Outputs& now) {
    const Output value = s.add("Cast", {now[0]}, {{"DstT", DType::f32}}).output();
    return reserve ? s.add("TensorListSetItem", {now[1], now[0], value}).output()
                   : s.add("TensorListPushBack", {now[1], value}).output();
  });
  const Output rest = loop(full, [&](Scope& s, const Outputs& now) {
    return s.add("TensorListPopBack", {now[1], scalar_shape}, floats).output();
  });
  Session session(graph);
  const Output length = scope.add("TensorListLength", {rest}).output();
  const auto measure = [&] {
    const std::int64_t before = heap_use().bytes;
    EXPECT_EQ(session.run({}, {{length}})[0].scalar_value<std::int32_t>(), 0);
    return heap_use().bytes - before;
  };
  measure();
  return measure();
}

TEST(ListHeap, pushing_and_popping_is_in_place) {
  const std::int64_t few = bytes_for(2000, false), many = bytes_for(8000, false);
  EXPECT_LT(many, 5 * few) << few << " bytes for 2000 iterations, " << many << " for 8000";
}

TEST(ListHeap, setting_is_in_place) {
  const std::int64_t few = bytes_for(2000, true), many = bytes_for(8000, true);
  EXPECT_LT(many, 5 * few) << few << " bytes for 2000 iterations, " << many << " for 8000";
}

}  // namespace
}  // namespace rill
