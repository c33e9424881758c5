// Sessions with several devices: where nodes go, what crosses between partitions, and how steps
// that span devices fail, stop and share a session.
#include <gtest/gtest.h>

#include <thread>

#include "rill/base/clock.h"
#include "rill/graph/scope.h"
#include "rill/ops/register.h"
#include "rill/runtime/session/session.h"

namespace rill {
namespace {

class DevicesTest : public testing::Test {
 protected:
  std::shared_ptr<Graph> graph = std::make_shared<Graph>(standard_ops());
  Scope scope{*graph};

  static SessionOptions options(int devices = 4) {
    SessionOptions made;
    made.device_count["CPU"] = devices;
    return made;
  }
  Output placeholder(const char* name = "x") {
    return scope.add("Placeholder", {}, {{"dtype", DType::f32}}, name).output();
  }
  Output on(int device, const char* op, Output x, const char* name = "") {
    return scope.on_device("/cpu:" + std::to_string(device)).add(op, {x}, {}, name).output();
  }
  // The message of the error that running `fetch` raises.
  std::string error_of(Session& session, Output fetch) {
    try {
      session.run({}, {{fetch}});
    } catch (const Error& error) {
      return str_cat(code_name(error.code()), ": ", error.message());
    }
    return "none";
  }
};

TEST_F(DevicesTest, every_node_runs_where_it_was_put) {
  const Output x = placeholder();
  const Output y = on(2, "Neg", on(1, "Square", x, "s"), "n");
  Session session(graph, options());
  StepStats stats;
  const auto results =
      session.run(std::vector<Feed>{{x, Tensor::scalar(3.0f)}}, {{y}}, {}, {.trace = true}, &stats);
  EXPECT_EQ(results[0].scalar_value<float>(), -9);
  std::map<std::string, std::string> device_of;
  for (const NodeStats& node : stats.nodes) device_of[std::string(node.node)] = node.device;
  EXPECT_EQ(device_of["s"], "/job:localhost/replica:0/task:0/device:CPU:1");
  EXPECT_EQ(device_of["n"], "/job:localhost/replica:0/task:0/device:CPU:2");
}

TEST_F(DevicesTest, a_device_that_is_not_there_is_an_error_with_node_and_line) {
  const Output a = scope.from(origin_at(std::source_location::current()))
                       .on_device("/gpu:0")
                       .add("Neg", {1.0f}, {}, "a")
                       .output();
  for (const int devices : {1, 4}) {
    Session session(graph, options(devices));
    const std::string error = error_of(session, a);
    for (const char* part : {"Cannot assign a device for operation a", "/device:GPU:0",
                             "available devices are [ /job:localhost/replica:0/task:0/device:CPU:0",
                             "devices_test.cc"})
      EXPECT_NE(error.find(part), std::string::npos) << part << " in " << error;
    SessionOptions soft = options(devices);
    soft.allow_soft_placement = true;
    EXPECT_EQ(Session(graph, soft).run({}, {{a}})[0].scalar_value<float>(), -1);
  }
}

TEST_F(DevicesTest, what_is_not_run_need_not_be_placeable) {
  scope.on_device("/gpu:0").add("Neg", {1.0f}, {}, "away");
  const Output here = scope.add("Neg", {1.0f}, {}, "here").output();
  Session session(graph, options());
  EXPECT_EQ(session.run({}, {{here}})[0].scalar_value<float>(), -1);
}

TEST_F(DevicesTest, constants_are_where_they_are_read) {
  const Output folded = on(3, "Neg", scope.constant(Tensor::scalar(2.0f)));
  const Output x = placeholder();
  const Output y = scope.on_device("/cpu:1").add("Mul", {x, folded}).output();
  Session session(graph, options());
  const auto got = session.run(std::vector<Feed>{{x, Tensor::scalar(3.0f)}}, {{y, folded}},
                               std::vector<Node*>{folded.node});
  EXPECT_EQ(got[0].scalar_value<float>(), -6);
  EXPECT_EQ(got[1].scalar_value<float>(), -2);
}

TEST_F(DevicesTest, a_variable_stays_where_it_was_put) {
  Scope second = scope.on_device("/cpu:1");
  const Output v =
      second.add("VariableV2", {}, {{"dtype", DType::f32}, {"shape", PartialShape{}}}, "v")
          .output();
  Node& init = scope.add("Assign", {v, Tensor::scalar(5.0f)});
  Session session(graph, options());
  session.run({}, {}, std::vector<Node*>{&init});
  const Output read = on(3, "Neg", v);  // added after the first run
  EXPECT_EQ(session.run({}, {{read}})[0].scalar_value<float>(), -5);
  Node& more = scope.add("AssignAdd", {v, Tensor::scalar(1.0f)});
  session.run({}, {}, std::vector<Node*>{&more});
  EXPECT_EQ(session.run({}, {{read}})[0].scalar_value<float>(), -6);
}

// The read happens where the variable is, but after what its reader waits for.
TEST_F(DevicesTest, a_read_on_another_device_comes_after_what_it_waits_for) {
  Scope second = scope.on_device("/cpu:1");
  const AttrMap attrs{{"dtype", DType::f32}, {"shape", PartialShape{}}};
  const Output v = second.add("VariableV2", {}, attrs, "v").output();
  const Output u = second.add("VariableV2", {}, attrs, "u").output();
  Node& set_v = scope.add("Assign", {v, Tensor::scalar(1.0f)});
  Node& set_u = scope.add("Assign", {u, Tensor::scalar(3.0f)});
  const Output picked =
      scope.add("RefSelect", {Tensor::scalar(1), std::vector<Input>{v, u}}).output();
  Node* const add = &scope.add("AssignAdd", {picked, Tensor::scalar(10.0f)});
  const Output read = scope.with_control(std::span<Node* const>(&add, 1))
                          .on_device("/cpu:2")
                          .add("Identity", {u})
                          .output();
  Session session(graph, options());
  for (int i = 0; i < 20; ++i) {
    session.run({}, {}, std::vector<Node*>{&set_v, &set_u});
    EXPECT_EQ(session.run({}, {{read}})[0].scalar_value<float>(), 13);
  }
}

TEST_F(DevicesTest, a_long_chain_between_two_devices) {
  const Output x = placeholder();
  Output y = x;
  for (int i = 0; i < 4001; ++i) y = on(i % 2, "Neg", y);
  Session session(graph, options(2));
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(
        session.run(std::vector<Feed>{{x, Tensor::scalar(2.0f)}}, {{y}})[0].scalar_value<float>(),
        -2);
}

TEST_F(DevicesTest, an_error_on_another_device_ends_the_step) {
  const Output x = placeholder();
  const Output bad = scope.on_device("/cpu:1")
                         .add("CheckNumerics", {x}, {{"message", "bad value"}}, "check")
                         .output();
  const Output y = on(3, "Neg", on(2, "Neg", bad));
  Session session(graph, options());
  for (int i = 0; i < 20; ++i) {
    try {
      session.run(std::vector<Feed>{{x, Tensor::scalar(1.0f / 0.0f)}}, {{y}});
      ADD_FAILURE();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::kInvalidArgument);
      EXPECT_NE(error.message().find("bad value : Tensor had Inf"), std::string::npos)
          << error.message();
    }
    EXPECT_EQ(
        session.run(std::vector<Feed>{{x, Tensor::scalar(1.0f)}}, {{y}})[0].scalar_value<float>(),
        1);
  }
}

TEST_F(DevicesTest, threads_share_a_session_that_spans_devices) {
  const Output x = placeholder();
  const Output y = on(1, "Neg", on(2, "Square", on(1, "Neg", x)));
  Session session(graph, options());
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      const float fed = static_cast<float>(t);
      for (int i = 0; i < 50; ++i)
        wrong += session.run(std::vector<Feed>{{x, Tensor::scalar(fed)}}, {{y}})[0]
                     .scalar_value<float>() != -fed * fed;
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST_F(DevicesTest, a_new_node_costs_the_same_in_a_large_graph) {
  const auto cost = [](int node_count) {
    auto large = std::make_shared<Graph>(standard_ops());
    Scope here(*large);
    for (int i = 0; i < node_count; ++i) here.constant(Tensor::scalar(1.0f));
    Session session(large, options());
    session.run({}, {{large->node(0).output()}});
    std::int64_t best = INT64_MAX;
    for (int i = 0; i < 20; ++i) {
      const Output fresh = here.add("Neg", {large->node(i).output()}).output();
      const std::int64_t begin = monotonic_nanos();
      session.run({}, {{fresh}});
      best = std::min(best, monotonic_nanos() - begin);
    }
    return best;
  };
  EXPECT_LT(cost(100'000), 20 * cost(100) + 20'000);
}

// A Merge of two devices whose second input never comes: alone the step would end without a result.
TEST_F(DevicesTest, a_deadlock_between_partitions_is_detected) {
  const auto put = [&](Node& node, int device) -> Node& {
    graph->set_device(node, "/cpu:" + std::to_string(device));
    return node;
  };
  const Output start = scope.constant(Tensor::scalar(1.0f));
  Node& merge = put(scope.add("Merge", {std::vector<Input>{start, start}}), 0);
  Node& next = put(scope.add("NextIteration", {put(scope.add("Neg", {merge}), 1)}), 0);
  graph->set_input(merge, 0, next.output());
  graph->set_input(merge, 1, next.output());
  Session session(graph, options());
  EXPECT_NE(error_of(session, on(2, "Neg", merge.output())), "none");
}

// Such nodes come with graphs that were cut elsewhere; alone they have nobody to talk to.
TEST_F(DevicesTest, a_receive_without_a_sender_is_an_error) {
  const std::string here = "/job:localhost/replica:0/task:0/device:CPU:0";
  const AttrMap ends{{"tensor_name", "t"},
                     {"send_device", here},
                     {"send_device_incarnation", std::int64_t{1}},
                     {"recv_device", here}};
  AttrMap receiving = ends, sending = ends;
  receiving.emplace("tensor_type", DType::f32);
  for (const char* op : {"_Recv", "_HostRecv"}) {
    const Output received = scope.add(op, {}, receiving, "received").output();
    const Output branch = scope.add("Switch", {received, true}).output();
    Session session(graph);
    EXPECT_NE(error_of(session, received), "none");
    EXPECT_NE(error_of(session, branch).find("is not for programs"), std::string::npos);
  }
  for (const char* op : {"_Send", "_HostSend"}) {
    Node& sent = scope.add(op, {scope.add("Switch", {1.0f, true}).output(1)}, sending, "sent");
    Session session(graph);
    EXPECT_THROW(session.run({}, {}, std::vector<Node*>{&sent}), Error);
  }
}

TEST_F(DevicesTest, groups_named_after_no_node_stay_together) {
  Node& a = scope.on_device("/cpu:*").add("Neg", {1.0f}, {}, "a");
  Node& b = scope.on_device("/cpu:2").add("Neg", {2.0f}, {}, "b");
  for (Node* node : {&a, &b})
    graph->set_attr(*node, "_class", std::vector<std::string>{"loc:@nobody"});
  Session session(graph, options());
  StepStats stats;
  session.run({}, {{a.output()}}, {}, {.trace = true}, &stats);
  for (const NodeStats& node : stats.nodes) {
    if (node.node != "a") continue;
    EXPECT_TRUE(node.device.ends_with("CPU:2")) << node.device;
  }
}

TEST_F(DevicesTest, references_keep_their_nodes_together_or_fail) {
  const Output v =
      scope.on_device("/cpu:1")
          .add("VariableV2", {}, {{"dtype", DType::f32}, {"shape", PartialShape{}}}, "v")
          .output();
  Node& assign = scope.add("Assign", {v, Tensor::scalar(1.0f)}, {}, "assign");
  graph->set_device(assign, "/cpu:2");
  graph->set_attr(assign, "_class", std::vector<std::string>{});
  Session session(graph, options());
  EXPECT_NE(error_of(session, assign.output()).find("connected by a reference or resource"),
            std::string::npos);
}

// --- growth ------------------------------------------------------------------------------------

TEST_F(DevicesTest, a_graph_that_grows_between_runs_is_reported_once) {
  const Output first = scope.constant(Tensor::scalar(1.0f));
  Session session(graph);
  session.run({}, {{first}});
  const Scope here = scope.from(origin_at(std::source_location::current()));
  testing::internal::CaptureStderr();
  for (int i = 0; i < 150; ++i) {
    Scope inner = here;
    inner.constant(Tensor::scalar(2.0f), "grown");
    session.run({}, {{first}});
    session.run({}, {{first}});
  }
  const std::string text = testing::internal::GetCapturedStderr();
  EXPECT_EQ(session.graph_extensions(), 150);
  const auto at = text.find("grown between runs 100 times");
  ASSERT_NE(at, std::string::npos) << text;
  EXPECT_EQ(text.find("grown between runs", at + 1), std::string::npos) << text;
  EXPECT_NE(text.find("'grown_99' (Const), made at "), std::string::npos) << text;
  EXPECT_NE(text.find("devices_test.cc:"), std::string::npos) << text;
}

TEST_F(DevicesTest, a_graph_can_be_finalised_by_running_it) {
  const Output first = scope.constant(Tensor::scalar(1.0f));
  SessionOptions finalising;
  finalising.finalize_after = 2;
  Session session(graph, finalising);
  session.run({}, {{first}});
  scope.constant(Tensor::scalar(2.0f));
  session.run({}, {{first}});
  EXPECT_TRUE(graph->finalized());
  EXPECT_THROW(scope.constant(Tensor::scalar(3.0f)), Error);
}

}  // namespace
}  // namespace rill
