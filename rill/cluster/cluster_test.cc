// Tasks of a cluster as servers of this process, which reach each other by gRPC.
#include <gtest/gtest.h>

#include <thread>

#include "rill/base/clock.h"
#include "rill/cluster/remote_session.h"
#include "rill/cluster/server.h"
#include "rill/cluster/service.h"
#include "rill/graph/scope.h"
#include "rill/net/socket/listener.h"
#include "rill/ops/register.h"
#include "rill/runtime/session/session.h"
#include "tensorflow/core/protobuf/tensorflow_server.pb.h"
#include "tensorflow/core/protobuf/worker.pb.h"

namespace rill::cluster {
namespace {

// A port that was free a moment ago.
int free_port() {
  const net::Listener listener("127.0.0.1", 0);
  return listener.port();
}

// "ps" with one task, "worker" with two.
class Cluster {
 public:
  Cluster() {
    add_job("ps", 1);
    add_job("worker", 2);
    for (const auto& job : def_.job())
      for (const auto& [index, address] : job.tasks()) start(job.name(), index);
  }
  void start(const std::string& job, int index) {
    tensorflow::ServerDef def;
    *def.mutable_cluster() = def_;
    def.set_job_name(job);
    def.set_task_index(index);
    def.set_protocol("grpc");
    servers_[job + std::to_string(index)] = Server::create(def);
  }
  void stop(const std::string& task) { servers_.erase(task); }
  std::string target(const std::string& task) const { return servers_.at(task)->target(); }

 private:
  void add_job(const std::string& name, int tasks) {
    auto& job = *def_.add_job();
    job.set_name(name);
    for (int i = 0; i < tasks; ++i) (*job.mutable_tasks())[i] = str_cat("127.0.0.1:", free_port());
  }

  tensorflow::ClusterDef def_;
  std::map<std::string, std::unique_ptr<Server>> servers_;
};

using Floats = std::vector<float>;
Floats floats(const Tensor& tensor) {
  const auto values = tensor.flat<float>();
  return {values.begin(), values.end()};
}

using Named = std::vector<std::pair<std::string, Tensor>>;
using Names = std::vector<std::string>;
std::vector<Tensor> run(Session& session, const Names& fetches, const Named& feeds = {}) {
  return session.run(feeds, fetches, Names());
}
void run_target(Session& session, const std::string& name) {
  session.run(Named(), Names(), Names{name});
}

class ClusterTest : public testing::Test {
 protected:
  void SetUp() override { register_remote_sessions(); }
  std::shared_ptr<Graph> graph() { return std::make_shared<Graph>(standard_ops()); }
  static Output on(Scope& scope, const std::string& device, const std::string& op,
                   std::vector<Output> inputs, AttrMap attrs = {}, const std::string& name = "") {
    return Output{&scope.graph().add({.op = op,
                                      .name = scope.graph().unique_name(name.empty() ? op : name),
                                      .inputs = std::move(inputs),
                                      .attrs = std::move(attrs),
                                      .device = device}),
                  0};
  }
  Cluster cluster_;
};

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
