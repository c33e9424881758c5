// What steps of a cluster say to tasks, and how often.
#include <thread>

#include "rill/cluster/cluster_testing.h"
#include "rill/cluster/status.h"
#include "rill/net/grpc/grpc_client.h"
#include "tensorflow/core/protobuf/worker.pb.h"

namespace rill::cluster {
namespace {

class ClusterStepsTest : public ClusterTest {
 protected:
  // "y" on worker 0 waits for "one" on the ps.
  std::shared_ptr<Graph> two_tasks() {
    auto g = graph();
    Scope scope(*g);
    const Output one = on(scope, "/job:ps/task:0", "Const", {},
                          {{"dtype", DType::f32}, {"value", Tensor::vector<float>({1, 2})}}, "one");
    const Output x = on(scope, "/job:ps/task:0", "Identity", {one}, {}, "x");
    on(scope, "/job:worker/task:0", "Neg", {x}, {}, "y");
    return g;
  }
  template <class Request, class Response>
  Response ask(const std::string& task, const char* method, const Request& request,
               const Response&) {
    const auto answer = std::make_shared<Response>();
    call_and_wait(*link_to(cluster_.target(task).substr(std::string("grpc://").size())), method,
                  std::make_shared<Request>(request), answer, {.timeout_ms = 10'000});
    return *answer;
  }
};

TEST_F(ClusterStepsTest, a_step_over_two_tasks_is_two_calls) {
  Session session(two_tasks(), {.target = cluster_.target("worker0")});
  for (int i = 0; i < 3; ++i) run(session, {"y:0"});
  constexpr int kSteps = 20;
  const net::ClientCounts before = net::client_counts();
  for (int i = 0; i < kSteps; ++i) EXPECT_EQ(floats(run(session, {"y:0"})[0]), Floats({-1, -2}));
  const net::ClientCounts after = net::client_counts();
  // RunGraph and RecvTensor. What steps leave behind is told with the next, or now and then.
  EXPECT_GE(after.calls - before.calls, 2 * kSteps);
  EXPECT_LE(after.calls - before.calls, 2 * kSteps + kSteps / 4);
  EXPECT_EQ(after.connections, before.connections);
  EXPECT_LE(after.writes - before.writes, 3 * kSteps);
}

TEST_F(ClusterStepsTest, a_large_tensor_comes_in_few_reads) {
  const auto g = graph();
  Scope scope(*g);
  constexpr std::int64_t kCount = 4 << 20;
  const Output size =
      on(scope, "/job:ps/task:0", "Const", {},
         {{"dtype", DType::i32}, {"value", Tensor::vector<std::int32_t>({kCount})}});
  const Output value = on(scope, "/job:ps/task:0", "Const", {},
                          {{"dtype", DType::f32}, {"value", Tensor::scalar(2.0f)}});
  const Output large = on(scope, "/job:ps/task:0", "Fill", {size, value}, {}, "large");
  const Output axis = on(scope, "/job:worker/task:0", "Const", {},
                         {{"dtype", DType::i32}, {"value", Tensor::scalar<std::int32_t>(0)}});
  on(scope, "/job:worker/task:0", "Sum", {large, axis}, {}, "sum");
  Session session(g, {.target = cluster_.target("worker0")});
  run(session, {"sum:0"});
  const net::ClientCounts before = net::client_counts();
  EXPECT_EQ(floats(run(session, {"sum:0"})[0]), Floats{2.0f * kCount});
  // 16 MB, 256 KB in one read where they are there.
  EXPECT_LE(net::client_counts().reads - before.reads, 2000);
}

TEST_F(ClusterStepsTest, transfers_are_logged_while_somebody_wants_them) {
  const std::string logging = "/tensorflow.WorkerService/Logging";
  tensorflow::LoggingRequest on;
  on.set_enable_rpc_logging(true);
  ask("worker0", logging.c_str(), on, tensorflow::LoggingResponse());
  Session session(two_tasks(), {.target = cluster_.target("worker0")});
  StepStats stats;
  session.run({}, std::vector{session.graph().tensor("y:0")}, {}, {.trace = true}, &stats);
  EXPECT_NE(stats.metadata.find("RecvTensor"), std::string::npos);
  EXPECT_NE(stats.metadata.find("from /job:ps/replica:0/task:0/device:CPU:0"), std::string::npos);
  tensorflow::LoggingRequest off;
  off.set_disable_rpc_logging(true);
  off.set_clear(true);
  ask("worker0", logging.c_str(), off, tensorflow::LoggingResponse());
  try {
    ask("worker0", "/tensorflow.WorkerService/Tracing", tensorflow::TracingRequest(),
        tensorflow::TracingResponse());
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::kUnimplemented);
  }
}

TEST_F(ClusterStepsTest, a_partial_run_goes_over_tasks) {
  const auto g = graph();
  Scope scope(*g);
  const Output a = on(scope, "", "Placeholder", {}, {{"dtype", DType::f32}}, "a");
  const Output b = on(scope, "", "Placeholder", {}, {{"dtype", DType::f32}}, "b");
  const Output x = on(scope, "/job:ps/task:0", "Neg", {a}, {}, "x");
  const Output y = on(scope, "/job:worker/task:1", "Mul", {x, b}, {}, "y");
  Session session(g, {.target = cluster_.target("worker0")});
  const std::vector<Output> feeds{a, b}, fetches{x, y};
  for (int i = 0; i < 2; ++i) {
    const std::string handle = session.partial_run_setup(feeds, fetches);
    EXPECT_THROW(session.partial_run(handle, {}, std::vector{x}), Error);
    const std::vector<Feed> first{{a, Tensor::scalar(2.0f)}}, second{{b, Tensor::scalar(5.0f)}};
    EXPECT_EQ(floats(session.partial_run(handle, first, std::vector{x})[0]), Floats{-2.0f});
    EXPECT_EQ(floats(session.partial_run(handle, second, std::vector{y})[0]), Floats{-10.0f});
    EXPECT_THROW(session.partial_run(handle, {}, std::vector{y}), Error);
  }
  session.partial_run_setup(feeds, fetches);  // never goes on: the session's end ends it
}

TEST_F(ClusterStepsTest, the_status_says_who_waits_for_whom) {
  const auto g = graph();
  Scope scope(*g);
  const AttrMap types{{"component_types", std::vector<DType>{DType::f32}}};
  const Output queue = on(scope, "/job:ps/task:0", "FIFOQueueV2", {}, types, "q");
  const Output taken = on(scope, "/job:ps/task:0", "QueueDequeueV2", {queue}, types, "take");
  on(scope, "/job:worker/task:0", "Neg", {taken}, {}, "y");
  Session session(g, {.target = cluster_.target("worker0")});
  std::thread runner([&] {
    try {
      run(session, {"y:0"});
    } catch (const Error&) {
    }
  });
  std::string text;
  for (int i = 0; i < 100 && text.find("waits for edge_") == std::string::npos; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    text = cluster_status(cluster_.target("worker0"));
  }
  session.close();
  runner.join();
  EXPECT_NE(text.find("/job:worker/replica:0/task:0 at 127.0.0.1:"), std::string::npos) << text;
  EXPECT_NE(text.find("/job:ps/replica:0/task:0 at 127.0.0.1:"), std::string::npos) << text;
  EXPECT_NE(text.find("of /job:ps/replica:0/task:0 since"), std::string::npos) << text;
  EXPECT_NE(text.find("master of session"), std::string::npos) << text;
  EXPECT_NE(text.find("answered"), std::string::npos) << text;
}

TEST_F(ClusterStepsTest, tasks_let_in_who_knows_the_token) {
  cluster_.stop("ps0");
  cluster_.start("ps", 0, {.security = {.token = "sesame"}, .ops = {.refuse = "files,Neg"}});
  const std::string target = cluster_.target("ps0");
  const std::string address = target.substr(std::string("grpc://").size());
  const auto code = [&](const SecurityOptions& security) {
    try {
      call_and_wait(*link_to(address, client_security(security)),
                    "/tensorflow.WorkerService/GetStatus",
                    std::make_shared<tensorflow::GetStatusRequest>(),
                    std::make_shared<tensorflow::GetStatusResponse>(), {.timeout_ms = 10'000});
      return Code::kOk;
    } catch (const Error& error) {
      return error.code();
    }
  };
  EXPECT_EQ(code({}), Code::kUnauthenticated);
  EXPECT_EQ(code({.token = "sesamf"}), Code::kUnauthenticated);
  EXPECT_EQ(code({.token = "sesame"}), Code::kOk);
  const RemoteTarget remote = remote_target("grpc://h:1?token=t&authority=/a");
  EXPECT_EQ(remote.address, "h:1");
  EXPECT_EQ(remote.security.token, "t");
  EXPECT_EQ(remote.security.authority, "/a");
  EXPECT_THROW(remote_target("grpc://h:1?tokn=t"), Error);
  EXPECT_THROW(op_guard({.refuse = "NoSuchOp"}), Error);
}

}  // namespace
}  // namespace rill::cluster
