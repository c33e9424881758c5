// An optimizer's steps on many small variables: one kernel, the same values as one by one.
#include <algorithm>

#include "rill/ops/register.h"
#include "tests/cpp/rewrite_testing.h"

namespace rill {
namespace {

struct Update {
  const char* op;
  int slots;
  std::vector<float> scalars;
  int grad;  // where the gradient stands among the scalars
};

const Update kUpdates[] = {
    {"ApplyGradientDescent", 0, {0.1f}, 1},
    {"ApplyMomentum", 1, {0.1f, 0.9f}, 1},
    {"ApplyAdagrad", 1, {0.1f}, 1},
    {"ApplyRMSProp", 2, {0.1f, 0.9f, 0.5f, 0.01f}, 4},
    {"ApplyAdam", 2, {0.9f, 0.99f, 0.1f, 0.9f, 0.99f, 1e-3f}, 6},
};

// `sizes.size()` variables with their slots, and one update of each.
struct UpdateProgram : RewriteProgram {
  std::vector<Node*> starts, updates;
  Values variables;

  UpdateProgram(const Update& update, const std::vector<std::int64_t>& sizes, bool resources) {
    Values scalars;
    for (const float value : update.scalars)
      scalars.push_back(scope.constant(Tensor::scalar(value)));
    for (const std::int64_t size : sizes) {
      std::vector<InputArg> inputs;
      for (int s = 0; s <= update.slots; ++s) inputs.emplace_back(state(size, s, resources));
      for (std::size_t i = 0; i <= scalars.size(); ++i) {
        if (static_cast<int>(i) == update.grad)
          inputs.emplace_back(scope.constant(numbers({size}, static_cast<int>(size) + 3)));
        if (i < scalars.size()) inputs.emplace_back(scalars[i]);
      }
      updates.push_back(
          &scope.add(str_cat(resources ? "Resource" : "", update.op), std::move(inputs)));
    }
  }

  Output state(std::int64_t size, int slot, bool resource) {
    const AttrMap attrs{{"dtype", DType::f32}, {"shape", PartialShape{size}}};
    Tensor value = numbers({size}, slot);
    for (float& x : value.flat<float>()) x = x * x + 0.1f;
    const std::string name = str_cat("v", size, "_", slot);
    if (!resource) {
      const Output v = op("VariableV2", {}, attrs, name);
      starts.push_back(&scope.add("Assign", {v, value}));
      variables.push_back(v);
      return v;
    }
    AttrMap handle = attrs;
    handle.emplace("shared_name", name);
    const Output v = op("VarHandleOp", {}, handle, name);
    starts.push_back(&scope.add("AssignVariableOp", {v, value}));
    variables.push_back(op("ReadVariableOp", {v}, {{"dtype", DType::f32}}));
    return v;
  }

  // What the variables hold after three steps, and which kernels took the last.
  std::pair<std::vector<Tensor>, std::map<std::string, int>> after_steps(
      std::set<std::string, std::less<>> off) {
    Session session(graph, {.rewrites_off = std::move(off)});
    session.run({}, {}, starts);
    std::map<std::string, int> counts;
    for (int i = 0; i < 3; ++i) {
      StepStats stats;
      session.run({}, {}, updates, {.trace = true}, &stats);
      counts.clear();
      for (const NodeStats& node : stats.nodes) ++counts[std::string(node.op)];
    }
    return {session.run({}, variables), counts};
  }
};

TEST(FusedUpdates, every_op_that_can_be_fused_has_a_row_here) {
  for (const Op* op : standard_ops().all()) {
    if (!op->has(kFusableUpdate)) continue;
    std::string_view name = op->name;
    if (name.starts_with("Resource")) name.remove_prefix(8);
    EXPECT_TRUE(std::ranges::any_of(kUpdates, [&](const Update& row) { return row.op == name; }))
        << op->name;
  }
}

TEST(FusedUpdates, small_variables_take_one_kernel) {
  for (const Update& update : kUpdates)
    for (const bool resources : {false, true}) {
      SCOPED_TRACE(str_cat(update.op, " ", resources));
      UpdateProgram training(update, {1, 3, 17, 1000, 16'384, 20'000}, resources);
      auto [expected, one_by_one] = training.after_steps({"fused_updates"});
      auto [got, together] = training.after_steps({});
      ASSERT_EQ(got.size(), expected.size());
      for (std::size_t i = 0; i < got.size(); ++i) EXPECT_TRUE(identical(got[i], expected[i])) << i;
      const std::string op = str_cat(resources ? "Resource" : "", update.op);
      EXPECT_EQ(one_by_one[op], 6);
      EXPECT_EQ(together[op], 1);  // the large one
      EXPECT_EQ(together[resources ? "_FusedResourceApply" : "_FusedApply"], 1);
    }
}

TEST(FusedUpdates, an_update_that_depends_on_another_keeps_its_order) {
  UpdateProgram training(kUpdates[0], {5, 6, 7}, false);
  Node* first[] = {training.updates[0]};
  Scope behind = training.scope.with_control(first);
  const Output rate = training.scope.constant(Tensor::scalar(0.1f));
  training.updates.push_back(
      &behind.add("ApplyGradientDescent", {training.variables[0], rate, numbers({5}, 9)}));
  auto [expected, one_by_one] = training.after_steps({"all"});
  auto [got, together] = training.after_steps({});
  for (std::size_t i = 0; i < got.size(); ++i) EXPECT_TRUE(identical(got[i], expected[i])) << i;
  EXPECT_EQ(together["_FusedApply"], 1);
  EXPECT_EQ(together["ApplyGradientDescent"], 1);
}

// What the loop adds up waits for the first update; the loop begins with zeros, so that only its
// way back tells.
TEST(FusedUpdates, an_update_after_a_loop_keeps_its_order) {
  UpdateProgram training(kUpdates[0], {5, 6}, false);
  Node* first[] = {training.updates[0]};
  const Output x = training.unknown("x");
  Scope behind = training.scope.with_control(first);
  const Output added = behind.add("Neg", {x}).output();
  const auto sums = training.loop(
      "sum",
      {training.scope.constant(Tensor::scalar(0)),
       training.scope.constant(Tensor::zeros(DType::f32, {6}))},
      [&](const UpdateProgram::Values& v) {
        return training.op("Less", {v[0], 3});
      },
      [&](const UpdateProgram::Values& v) {
        return UpdateProgram::Values{training.op("AddV2", {v[0], 1}),
                                     training.op("AddV2", {v[1], v[2]})};
      },
      {.invariants = {added}});
  const Output rate = training.scope.constant(Tensor::scalar(0.1f));
  Node* last[] = {
      &training.scope.add("ApplyGradientDescent", {training.variables[1], rate, sums[1]})};
  const std::vector<Feed> feeds{{x, numbers({6}, 3)}};
  std::vector<std::vector<Tensor>> after;
  for (const auto& off : {std::set<std::string, std::less<>>{"all"}, {}}) {
    Session session(training.graph, {.rewrites_off = off});
    session.run({}, {}, training.starts);
    session.run(feeds, {}, last);
    after.push_back(session.run({}, training.variables));
  }
  for (std::size_t i = 0; i < 2; ++i) EXPECT_TRUE(identical(after[0][i], after[1][i])) << i;
}

TEST(FusedUpdates, errors_name_the_variable) {
  UpdateProgram training(kUpdates[1], {5, 6}, false);
  Session session(training.graph);
  session.run({}, {}, std::vector<Node*>(training.starts.begin(), training.starts.end() - 1));
  try {
    session.run({}, {}, training.updates);
    ADD_FAILURE() << "a slot has no value";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::kFailedPrecondition);
    EXPECT_NE(error.message().find("v6_1"), std::string::npos) << error.message();
  }
}

TEST(SmallConstants, equal_constants_and_their_readers_are_shared) {
  RewriteProgram p;
  const Output x = p.unknown("x");
  Output ys[2];
  for (Output& y : ys) {
    const Output axis = p.scope.constant(Tensor::scalar<std::int32_t>(1));
    y = p.op("Cumsum", {x, axis});
  }
  EXPECT_EQ(p.run({{x, numbers({3, 4})}}, {p.op("AddV2", {ys[0], ys[1]})})["Cumsum"], 1);
}

TEST(LargeConstants, the_zeros_that_a_variable_starts_with_are_not_kept) {
  RewriteProgram p;
  constexpr std::int64_t kCount = 1 << 20;
  const Output v =
      p.op("VariableV2", {}, {{"dtype", DType::f32}, {"shape", PartialShape{kCount}}}, "v");
  const Output zeros = p.op("Fill", {Tensor::vector<std::int32_t>({kCount}), Tensor::scalar(0.0f)});
  Node& start = p.scope.add("Assign", {v, zeros});
  Node& add = p.scope.add(
      "AssignAdd",
      {v, p.op("Fill", {Tensor::vector<std::int32_t>({kCount}), Tensor::scalar(1.0f)})});
  Session session(p.graph);
  const std::int64_t before = cpu_allocator().stats().live_bytes;
  session.run({}, {}, std::vector<Node*>{&start});
  session.run({}, {}, std::vector<Node*>{&add});
  const std::int64_t kept = cpu_allocator().stats().live_bytes - before;
  EXPECT_GE(kept, 4 * kCount);
  EXPECT_LT(kept, 6 * kCount);  // the variable, and no constant beside it
}

}  // namespace
}  // namespace rill
