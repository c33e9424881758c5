// How many messages a step takes, as bench/cluster_model.h has it for clusters of any size.
#include <gtest/gtest.h>

#include "bench/cluster_model.h"
#include "rill/api/core/basic_ops.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/core/default_graph.h"
#include "rill/api/core/session.h"
#include "rill/api/variables/variable.h"
#include "rill/api/variables/variable_lists.h"
#include "rill/cluster/simulation/simulated_cluster.h"

namespace rill {
namespace {

// Variables on servers, gradients of the worker.
Node& make_step(int servers) {
  Dependencies updates;
  for (int i = 0; i < servers; ++i) {
    const std::string server = str_cat("/job:ps/task:", i);
    std::optional<Variable> value;
    {
      const DeviceScope on_server(server);
      value.emplace(constant(1.0f), VariableOptions{.use_resource = true, .name = str_cat("v", i)});
    }
    Output gradient;
    {
      const DeviceScope on_worker("/job:worker/task:0");
      gradient = current_scope().add("Neg", {InputArg(Input(value->value()))}).output();
    }
    const DeviceScope on_server(server);
    updates.push_back(&value->assign_sub_op(gradient));
  }
  return group(updates);
}

double messages_of_step(int servers) {
  SimulatedThreads threads(1);
  cluster::SimulatedNetwork network(threads, {.slow = 0});
  cluster::SimulatedCluster tasks(network, {{"ps", servers}, {"worker", 1}});
  for (const std::string& task : tasks.tasks()) tasks.start(task);
  constexpr int kSteps = 10;
  std::size_t messages = 0;
  threads.start_in(tasks.process("worker0"), [&] {
    pause_for(std::chrono::milliseconds(10));  // servers start
    const AsDefault in_graph(make_graph());
    Node& step = make_step(servers);
    Node& start = global_variables_initializer();
    Session session({.target = cluster::SimulatedCluster::target("worker0")});
    session.run(start);
    session.run(step);
    const std::size_t before = network.messages();
    for (int i = 0; i < kSteps; ++i) session.run(step);
    messages = network.messages() - before;
  });
  threads.run(60'000'000'000);
  tasks.stop_all();
  threads.run(120'000'000'000);
  return static_cast<double>(messages) / kSteps;
}

TEST(Messages, a_step_takes_as_many_as_the_model_of_large_clusters_says) {
  for (const int servers : {1, 2, 5})
    EXPECT_EQ(messages_of_step(servers), bench::messages_of_step(servers)) << servers << " servers";
}

TEST(Messages, the_model_saturates_where_a_card_is_full) {
  const bench::ClusterCosts costs;  // 10 Gbit/s: 1,250 MB/s in each direction
  const auto rate = [&](int workers) {
    return bench::simulate_steps(costs, {.workers = workers, .servers = 1, .model_bytes = 1e6})
        .steps_per_second;
  };
  EXPECT_NEAR(rate(100), 1250, 60);
  EXPECT_NEAR(rate(200), 1250, 60);
  EXPECT_LT(rate(1), 400);
}

}  // namespace
}  // namespace rill
