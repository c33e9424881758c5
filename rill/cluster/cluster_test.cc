// Tasks of a cluster as servers of this process, which reach each other by gRPC.
#include <thread>

#include "rill/base/clock.h"
#include "rill/cluster/cluster_testing.h"
#include "tensorflow/core/protobuf/worker.pb.h"

namespace rill::cluster {
namespace {

TEST_F(ClusterTest, a_variable_on_another_task_is_shared_by_sessions) {
  const auto build = [&](std::shared_ptr<Graph> g) {
    Scope scope(*g);
    const std::string ps = "/job:ps/task:0";
    const Output v =
        on(scope, ps, "VarHandleOp", {},
           {{"dtype", DType::f32}, {"shape", PartialShape({2})}, {"shared_name", std::string("v")}},
           "v");
    const Output one = on(scope, "/job:worker/task:0", "Const", {},
                          {{"dtype", DType::f32}, {"value", Tensor::vector<float>({1, 2})}});
    on(scope, ps, "AssignVariableOp", {v, one}, {}, "set");
    on(scope, ps, "AssignAddVariableOp", {v, one}, {}, "add");
    const Output read = on(scope, ps, "ReadVariableOp", {v}, {{"dtype", DType::f32}}, "read");
    on(scope, "/job:worker/task:1", "Mul", {read, read}, {}, "square");
  };
  const auto first = graph(), second = graph();
  build(first);
  build(second);
  Session a(first, {.target = cluster_.target("worker0")});
  Session b(second, {.target = cluster_.target("worker1")});
  run_target(a, "set");
  run_target(b, "add");
  const auto values = run(a, {"square:0", "read:0"});
  EXPECT_EQ(floats(values[0]), Floats({4, 16}));
  EXPECT_EQ(floats(values[1]), Floats({2, 4}));
  EXPECT_EQ(a.list_devices().size(), 3u);
}

TEST_F(ClusterTest, feeds_go_to_other_tasks_and_graphs_may_grow) {
  const auto g = graph();
  Scope scope(*g);
  const Output x = on(scope, "", "Placeholder", {}, {{"dtype", DType::f32}}, "x");
  on(scope, "/job:ps/task:0", "Neg", {x}, {}, "y");
  Session session(g, {.target = cluster_.target("worker0")});
  EXPECT_EQ(floats(run(session, {"y:0"}, {{"x:0", Tensor::scalar(2.0f)}})[0]), Floats{-2.0f});
  on(scope, "/job:worker/task:1", "Neg", {g->tensor("y:0")}, {}, "z");
  EXPECT_EQ(floats(run(session, {"z:0"}, {{"x:0", Tensor::scalar(2.0f)}})[0]), Floats{2.0f});
}

TEST_F(ClusterTest, errors_come_back_with_their_class) {
  const auto g = graph();
  Scope scope(*g);
  const Output v = on(scope, "/job:ps/task:0", "VariableV2", {},
                      {{"dtype", DType::f32}, {"shape", PartialShape({})}}, "v");
  on(scope, "/job:worker/task:1", "Neg", {v}, {}, "y");
  Session session(g, {.target = cluster_.target("worker0")});
  try {
    run(session, {"y:0"});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::kFailedPrecondition) << error.what();
    EXPECT_NE(error.message().find("uninitialized value v"), std::string::npos) << error.what();
  }
}

TEST_F(ClusterTest, a_task_that_ends_is_unavailable_and_a_new_one_is_another) {
  const auto g = graph();
  Scope scope(*g);
  const Output one = on(scope, "/job:ps/task:0", "Const", {},
                        {{"dtype", DType::f32}, {"value", Tensor::scalar(1.0f)}});
  on(scope, "/job:worker/task:0", "Neg", {one}, {}, "y");
  Session session(g, {.target = cluster_.target("worker0")});
  EXPECT_EQ(floats(run(session, {"y:0"})[0]), Floats{-1.0f});
  const auto code = [&] {
    try {
      run(session, {"y:0"});
      return Code::kOk;
    } catch (const Error& error) {
      return error.code();
    }
  };
  cluster_.stop("ps0");
  EXPECT_EQ(code(), Code::kUnavailable);
  cluster_.start("ps", 0);
  const std::int64_t began = monotonic_nanos();
  Code last = code();  // until the connection is made anew
  while (last == Code::kUnavailable && monotonic_nanos() - began < 30'000'000'000) last = code();
  EXPECT_EQ(last, Code::kAborted);
}

TEST_F(ClusterTest, a_step_has_a_deadline) {
  const auto g = graph();
  Scope scope(*g);
  const Output queue = on(scope, "/job:ps/task:0", "FIFOQueueV2", {},
                          {{"component_types", std::vector<DType>{DType::f32}}}, "q");
  g->add({.op = "QueueDequeueV2",
          .name = "take",
          .inputs = {queue},
          .attrs = {{"component_types", std::vector<DType>{DType::f32}}},
          .device = "/job:ps/task:0"});
  Session session(g, {.target = cluster_.target("worker0"), .timeout_ms = 300});
  try {
    run(session, {"take:0"});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::kDeadlineExceeded) << error.what();
  }
}

// What another process may send: errors, and the task goes on.
TEST_F(ClusterTest, keys_that_are_none_are_refused) {
  const auto link = link_to(cluster_.target("ps0").substr(std::string("grpc://").size()));
  const auto ask = [&](const char* method, const auto& request, auto response) {
    using Request = std::decay_t<decltype(request)>;
    const auto answer = std::make_shared<decltype(response)>();
    call_and_wait(*link, std::string("/tensorflow.WorkerService/") + method,
                  std::make_shared<Request>(request), answer, {.timeout_ms = 10'000});
    return *answer;
  };
  tensorflow::CreateWorkerSessionRequest session;
  session.set_session_handle("s");
  ask("CreateWorkerSession", session, tensorflow::CreateWorkerSessionResponse());
  tensorflow::RegisterGraphRequest graph;
  graph.set_session_handle("s");
  auto& node = *graph.mutable_graph_def()->add_node();
  node.set_name("r");
  node.set_op("_Recv");
  (*node.mutable_attr())["tensor_type"].set_type(tensorflow::DT_FLOAT);
  for (const char* name : {"tensor_name", "send_device", "recv_device"})
    (*node.mutable_attr())[name].set_s("nonsense");
  (*node.mutable_attr())["send_device_incarnation"].set_i(1);
  tensorflow::RunGraphRequest run;
  run.set_session_handle("s");
  run.set_graph_handle(
      ask("RegisterGraph", graph, tensorflow::RegisterGraphResponse()).graph_handle());
  run.set_step_id(7);
  EXPECT_THROW(ask("RunGraph", run, tensorflow::RunGraphResponse()), Error);
  graph.mutable_graph_def()->mutable_node(0)->set_op("NoOp");
  graph.mutable_graph_def()->mutable_node(0)->clear_attr();
  run.set_graph_handle(
      ask("RegisterGraph", graph, tensorflow::RegisterGraphResponse()).graph_handle());
  run.set_step_id(8);
  run.add_recv_key("nobody sends this");
  EXPECT_THROW(ask("RunGraph", run, tensorflow::RunGraphResponse()), Error);
  EXPECT_EQ(ask("GetStatus", tensorflow::GetStatusRequest(), tensorflow::GetStatusResponse())
                .device_attributes_size(),
            1);
}

}  // namespace
}  // namespace rill::cluster
