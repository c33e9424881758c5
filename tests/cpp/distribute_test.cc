#include <gtest/gtest.h>

#include "rill/api/core/basic_ops.h"
#include "rill/api/distribute/distributed_input.h"
#include "rill/api/distribute/strategies.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/math/arithmetic.h"
#include "rill/api/math/reduce.h"
#include "rill/api/train/adam.h"
#include "rill/api/train/global_step.h"
#include "rill/api/train/optimizers.h"
#include "rill/api/variables/get_variable.h"
#include "rill/api/variables/variable_lists.h"
#include "rill/base/error_testing.h"
#include "rill/runtime/session/session.h"

namespace rill {
namespace {

using distribute::ReduceOp;

SessionOptions with_cpus(int count) { return {.device_count = {{"CPU", count}}}; }

class Distribute : public testing::Test {
 protected:
  void run(Node& node) {
    Node* const target = &node;
    session_.run({}, {}, std::span(&target, 1));
  }
  Tensor value(Output output) { return session_.run({}, std::span(&output, 1)).at(0); }
  float number(Output output) { return value(output).scalar_value<float>(); }

  std::shared_ptr<Graph> graph_ = make_graph();
  AsDefault as_default_{graph_};
  Session session_{graph_, with_cpus(4)};
};

Output reduced(const Output& value, int group_size, int instance, const char* merge,
               const char* final) {
  return current_scope()
      .add("CollectiveReduce", {value},
           {{"group_size", std::int64_t{group_size}},
            {"group_key", std::int64_t{1}},
            {"instance_key", std::int64_t{instance}},
            {"merge_op", std::string(merge)},
            {"final_op", std::string(final)},
            {"subdiv_offsets", std::vector<std::int64_t>{0}}})
      .output(0);
}

TEST_F(Distribute, CollectivesBringDevicesTogether) {
  std::vector<Output> sums, means, products;
  for (int i = 0; i < 4; ++i) {
    const DeviceScope there(str_cat("/cpu:", i));
    const Output mine = constant({1.F + static_cast<float>(i), 2.F});
    sums.push_back(reduced(mine, 4, 10, "Add", "Id"));
    means.push_back(reduced(mine, 4, 11, "Add", "Div"));
    products.push_back(reduced(mine, 4, 12, "Mul", "Id"));
  }
  std::vector<Output> all(sums);
  all.insert(all.end(), means.begin(), means.end());
  all.insert(all.end(), products.begin(), products.end());
  const std::vector<Tensor> values = session_.run({}, std::span<const Output>(all));
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(values[static_cast<std::size_t>(i)].data<float>()[0], 10.F);
    EXPECT_EQ(values[static_cast<std::size_t>(4 + i)].data<float>()[0], 2.5F);
    EXPECT_EQ(values[static_cast<std::size_t>(8 + i)].data<float>()[0], 24.F);
  }
}

TEST_F(Distribute, LargeCollectivesAreCutIntoPieces) {
  constexpr std::int64_t kCount = 100'003;
  std::vector<Output> sums;
  for (int i = 0; i < 3; ++i) {
    const DeviceScope there(str_cat("/cpu:", i));
    Tensor mine(DType::i64, {kCount});
    for (std::int64_t j = 0; j < kCount; ++j) mine.data<std::int64_t>()[j] = j * (i + 1);
    sums.push_back(reduced(constant(Input(mine)), 3, 10, "Add", "Id"));
  }
  for (const Tensor& value : session_.run({}, std::span<const Output>(sums)))
    for (std::int64_t j = 0; j < kCount; j += 997) ASSERT_EQ(value.data<std::int64_t>()[j], 6 * j);
}

TEST_F(Distribute, BroadcastAndGather) {
  AttrMap how = {{"group_size", std::int64_t{2}}, {"group_key", std::int64_t{1}}};
  const auto with = [&](std::int64_t instance, const PartialShape& shape) {
    AttrMap attrs = how;
    attrs.emplace("instance_key", instance);
    attrs.emplace("shape", shape);
    return attrs;
  };
  Output received, rows;
  {
    const DeviceScope there("/cpu:1");
    const Output sent =
        current_scope().add("CollectiveBcastSend", {constant({7.F, 8.F})}, with(1, {2})).output(0);
    rows = current_scope().add("CollectiveGather", {sent}, with(2, {-1})).output(0);
  }
  {
    const DeviceScope there("/cpu:0");
    AttrMap attrs = with(1, {2});
    attrs.emplace("T", DType::f32);
    received = current_scope().add("CollectiveBcastRecv", {}, attrs).output(0);
    const Output more = raw::Mul(received, 10.F);
    rows = raw::Identity(current_scope().add("CollectiveGather", {more}, with(2, {-1})).output(0),
                         {.name = "rows"});
  }
  Node* const other = graph_->find("CollectiveGather");
  ASSERT_NE(other, nullptr);
  const std::vector<Output> fetches{received, rows};
  Node* const targets[] = {other};
  const auto values = session_.run({}, std::span<const Output>(fetches), std::span(targets));
  EXPECT_EQ(values[0].data<float>()[1], 8.F);
  ASSERT_EQ(values[1].element_count(), 4);
  EXPECT_EQ(values[1].data<float>()[0], 70.F);  // the rows of cpu:0 come first
  EXPECT_EQ(values[1].data<float>()[2], 7.F);
}

TEST_F(Distribute, GroupsOfAnotherSizeAreRefused) {
  std::vector<Output> sums;
  for (int i = 0; i < 2; ++i) {
    const DeviceScope there(str_cat("/cpu:", i));
    sums.push_back(reduced(constant(1.F), 2 + i, 10, "Add", "Id"));
  }
  EXPECT_THROW(session_.run({}, std::span<const Output>(sums)), Error);
}

// Two replicas with half of a batch each learn what one learns with the whole.
class TrainsAsOne : public testing::TestWithParam<int> {};

std::unique_ptr<train::Optimizer> optimizer_number(int number) {
  if (number == 0) return std::make_unique<train::GradientDescentOptimizer>(0.05F);
  if (number == 1) return std::make_unique<train::MomentumOptimizer>(0.05F, 0.9F);
  return std::make_unique<train::AdamOptimizer>(0.05F);
}

std::vector<float> losses_of(int optimizer_kind, int replicas) {
  const AsDefault as_default(make_graph());
  std::vector<std::string> devices;
  for (int i = 0; i < replicas; ++i) devices.push_back(str_cat("/cpu:", i));
  const distribute::MirroredStrategy strategy({.devices = devices});
  const auto scope = strategy.scope();
  const auto optimizer = optimizer_number(optimizer_kind);
  const Variable step = train::get_or_create_global_step();
  std::vector<float> x, y;
  for (int i = 0; i < 8; ++i) {
    x.push_back(static_cast<float>(i) / 8);
    y.push_back(3 * x.back() - 1);
  }
  const auto batches =
      data::Dataset::from_tensor_slices({constant(x), constant(y)}).batch(8).repeat();
  const auto iterator = distribute::make_dataset_iterator(strategy, batches);
  const std::vector<data::Components> parts = iterator.get_next();
  const std::vector<Output> losses = strategy.experimental_run_v2(
      [&](const data::Components& part) {
        const Variable w = get_variable("w", {}, {.initializer = zeros_initializer()});
        const Variable b = get_variable("b", {}, {.initializer = zeros_initializer()});
        const Output guess = raw::AddV2(raw::Mul(part[0].tensor(), w), b);
        const Output loss = reduce_sum(raw::Square(raw::Sub(guess, part[1].tensor())));
        Node* const trained = &optimizer->minimize(raw::Mul(loss, 1.F / 8), {.global_step = step});
        const ControlDependencies after(std::span(&trained, 1));
        return raw::Identity(loss);
      },
      parts);
  const Output loss = strategy.reduce(ReduceOp::SUM, losses);
  Session session(default_graph(), with_cpus(replicas));
  const auto run = [&](Node& node) {
    Node* const target = &node;
    session.run({}, {}, std::span(&target, 1));
  };
  run(iterator.initializer());
  run(global_variables_initializer());
  std::vector<float> all;
  for (int i = 0; i < 10; ++i)
    all.push_back(session.run({}, std::span(&loss, 1)).at(0).scalar_value<float>());
  return all;
}

TEST_P(TrainsAsOne, OfTheWholeBatch) {
  const std::vector<float> one = losses_of(GetParam(), 1), two = losses_of(GetParam(), 2),
                           four = losses_of(GetParam(), 4);
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_NEAR(one[i], two[i], 1e-5F * one[0]) << i;
    EXPECT_NEAR(one[i], four[i], 1e-5F * one[0]) << i;
  }
  EXPECT_LT(one.back(), 0.8F * one.front());
}
INSTANTIATE_TEST_SUITE_P(Optimizers, TrainsAsOne, testing::Values(0, 1, 2));

TEST_F(Distribute, CopiesHaveNamesAndChangeTogether) {
  const distribute::MirroredStrategy strategy({.devices = {"/cpu:0", "/cpu:1"}});
  const auto scope = strategy.scope();
  const Variable v(1.F, {.aggregation = VariableAggregation::SUM, .name = "v"});
  ASSERT_EQ(v.copies().size(), 2U);
  EXPECT_EQ(v.copies()[1].name(), "v/replica_1:0");
  EXPECT_EQ(v.copies()[1].device(), "/replica:0/task:0/device:CPU:1");
  EXPECT_EQ(v.copies()[1].whole(), v);
  EXPECT_EQ(global_variables().size(), 1U);
  const auto written = strategy.experimental_run_v2([&](distribute::ReplicaContext& context) {
    return v.assign_add(raw::Cast(context.replica_id_in_sync_group(), DType::f32));
  });
  run(v.initializer());
  EXPECT_EQ(number(written[1]), 2.F);  // 1 + 0 + 1
  for (const Variable& copy : v.copies()) EXPECT_EQ(number(copy.value()), 2.F);
}

TEST_F(Distribute, WithoutAggregationReplicasMayNotWrite) {
  const distribute::MirroredStrategy strategy({.devices = {"/cpu:0", "/cpu:1"}});
  const auto scope = strategy.scope();
  const Variable v(1.F, {.name = "v"});
  EXPECT_THROW(strategy.experimental_run_v2([&] { return v.assign(2.F); }), Error);
}

TEST_F(Distribute, ReplicasThatMergeDifferentlyFail) {
  const distribute::MirroredStrategy strategy({.devices = {"/cpu:0", "/cpu:1"}});
  const auto scope = strategy.scope();
  EXPECT_THROW(strategy.experimental_run_v2([&](distribute::ReplicaContext& context) {
    if (context.replica() == 0) context.all_reduce(ReduceOp::SUM, constant(1.F));
  }),
               Error);
}

TEST_F(Distribute, OnReadCopiesAreSummedOutside) {
  const distribute::MirroredStrategy strategy({.devices = {"/cpu:0", "/cpu:1"}});
  const auto scope = strategy.scope();
  const Variable seen(0.F, {.synchronization = VariableSynchronization::ON_READ,
                            .aggregation = VariableAggregation::SUM,
                            .name = "seen"});
  const auto counted = strategy.experimental_run_v2([&](distribute::ReplicaContext& context) {
    return seen.assign_add(1.F + static_cast<float>(context.replica()));
  });
  run(seen.initializer());
  session_.run({}, std::span<const Output>(counted));
  EXPECT_EQ(number(seen.value()), 3.F);
}

TEST(ClusterResolvers, SlurmListsAreExpanded) {
  using namespace distribute::cluster_resolver;
  const std::vector<std::string> hosts = {"n01", "n02", "n7", "m"};
  EXPECT_EQ(expanded_hosts("n[01-02,7],m"), hosts);
  EXPECT_EQ(expanded_tasks_per_node("2(x3),1"), (std::vector<int>{2, 2, 2, 1}));
  EXPECT_THROW(expanded_hosts("n[1-2"), Error);
}

}  // namespace
}  // namespace rill
