#include "rill/runtime/executor/step_trace.h"

#include <gtest/gtest.h>

#include "rill/base/thread_pool.h"
#include "rill/graph/scope.h"
#include "rill/ops/register.h"
#include "rill/ops/register_kernels.h"
#include "rill/runtime/compile/compile.h"
#include "rill/runtime/executor/node_runner.h"
#include "rill/runtime/memory/cpu_device.h"
#include "rill/runtime/memory/heap_use.h"

namespace rill {
namespace {

TEST(StepTrace, notes_no_texts_while_the_step_runs) {
  const auto graph = std::make_shared<Graph>(standard_ops());
  Scope scope(*graph);
  const Output x = scope.add("Placeholder", {}, {{"dtype", DType::f32}}, "x").output();
  Node& before = scope.add("NoOp", {}, {}, "before");
  const Output y = scope.add("Exp", {x}, {}, "a/name/longer/than/what/fits/into/a/string").output();
  graph->add_control_input(*y.node, before);
  CpuDevice device(0, shared_pool());
  KernelCache kernels(standard_kernels(), {&device});
  const auto plan = compile_plan(*graph, {{x}}, {{y}}, {}, {}, kernels);
  const auto workspace = plan->take_workspace();
  const PlanNode& node = plan->nodes.back();
  ASSERT_EQ(node.node, y.node);
  const NodeValues values = values_of(node, *workspace);
  values.outputs[0]->tensor = Tensor::zeros(DType::f32, Shape({2, 3}));

  constexpr int kNotes = 4096;
  StepTrace trace;
  const HeapUse begin = heap_use();
  for (int i = 0; i < kNotes; ++i) trace.note(*plan, node, values, {.start_nanos = 5});
  EXPECT_LE(heap_use().count - begin.count, 40);  // of its two lists, which double

  StepStats stats;
  trace.move_to(stats);
  // The texts are the plan's, which the first trace has made.
  StepTrace again;
  for (int i = 0; i < kNotes; ++i) again.note(*plan, node, values, {.start_nanos = 5});
  StepStats more;
  const HeapUse told_begin = heap_use();
  again.move_to(more);
  EXPECT_LE(heap_use().count - told_begin.count, 6);  // of its lists
  ASSERT_EQ(stats.nodes.size(), static_cast<std::size_t>(kNotes));
  const NodeStats& told = stats.nodes.back();
  EXPECT_EQ(told.label, y.node->name() + " = Exp(x, ^before)");
  EXPECT_EQ(told.op, "Exp");
  EXPECT_EQ(told.start_nanos, 5);
  EXPECT_EQ(told.outputs[0].shape, Shape({2, 3}));
  EXPECT_EQ(told.outputs[0].bytes, 24);
  trace.move_to(stats);  // which has nothing left
  EXPECT_EQ(stats.nodes.size(), static_cast<std::size_t>(kNotes));
}

}  // namespace
}  // namespace rill
