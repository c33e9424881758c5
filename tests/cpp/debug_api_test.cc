// tf_debug in C++: dumps, tfdbg's command line, runs that are gone back to.
#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <mutex>

#include "rill/base/error_testing.h"
#include "rill/base/file_testing.h"
#include "rill/base/files.h"
#include "rill/debug.h"
#include "rill/inspect/debugger/event_server.h"
#include "rill/rill.h"

namespace rill {
namespace {

// y = w x + noise; each run adds 1 to w.
struct DebuggedNet {
  std::shared_ptr<Graph> graph = make_graph();
  AsDefault as_default{graph};
  Output x = placeholder(float32, {2}, {.name = "x"});
  Variable w = Variable(Tensor::vector<float>({1, 2}), {.name = "w"});
  Output noise = random_uniform({2}, {.name = "noise"});
  Output y = add(multiply(w, x, {.name = "product"}), noise, {.name = "y"});
  Output grown = w.assign_add(Tensor::vector<float>({1, 1}));
  Session session;

  DebuggedNet() { session.run(global_variables_initializer()); }
  std::vector<float> run(float a, float b) {
    const auto found = session.run({y}, {{x, Tensor::vector<float>({a, b})}});
    const auto all = found[0].flat<float>();
    return {all.begin(), all.end()};
  }
};

std::vector<float> floats(const Tensor& tensor) {
  const auto all = tensor.flat<float>();
  return {all.begin(), all.end()};
}

// A person at a plain terminal: types these lines, and this is what was shown.
struct TypedLines {
  std::deque<std::string> lines;
  std::string shown;
  debugger::LineIo io() {
    return {.read = [this](const std::string&) -> std::optional<std::string> {
              if (lines.empty()) return {};
              std::string line = lines.front();
              lines.pop_front();
              return line;
            },
            .write = [this](const std::string& text) { shown += text; }};
  }
};

// A debugger's server, and what it has heard, by tensor.
struct Listener {
  std::mutex mutex;
  std::map<std::string, std::vector<std::vector<float>>> heard;
  debugger::EventServer server{
      {.on_tensor = [this](const std::string&, const auto& watched, const auto& value) {
        const std::lock_guard lock(mutex);
        if (value.tensor.dtype() == DType::f32)
          heard[watched.key()].push_back(floats(value.tensor));
      }}};
  std::vector<std::string> address() const { return {str_cat("localhost:", server.port())}; }
};

TEST(DebugApi, a_listener_hears_what_runs_compute) {
  DebuggedNet net;
  Listener listener;
  {
    const debug::GrpcDebugWrapperSession streamed(net.session, listener.address(), {},
                                                  /*sends_sources=*/true);
    net.run(3, 4);
    net.run(5, 6);
  }
  const std::lock_guard lock(listener.mutex);
  EXPECT_EQ(listener.heard["product:0:DebugIdentity"],
            (std::vector<std::vector<float>>{{3, 8}, {5, 12}}));
  EXPECT_FALSE(listener.server.tracebacks().empty());
  EXPECT_FALSE(listener.server.sources().empty());
}

TEST(DebugApi, a_listener_opens_the_gates_that_it_wants) {
  DebuggedNet net;
  Listener listener;
  listener.server.set_gate("product", 0, "DebugIdentity", debugger::EventServer::Gate::read_only);
  {
    const auto gated = [](const auto&...) {
      return debugger::WatchOptions{.debug_ops = {"DebugIdentity(gated_grpc=true)"}};
    };
    const debug::GrpcDebugWrapperSession streamed(net.session, listener.address(), gated);
    net.run(3, 4);
  }
  const std::lock_guard lock(listener.mutex);
  EXPECT_EQ(listener.heard.size(), 1u);
  EXPECT_EQ(listener.heard["product:0:DebugIdentity"], (std::vector<std::vector<float>>{{3, 8}}));
}

TEST(DebugApi, dumps_hold_what_a_run_computed) {
  DebuggedNet net;
  const ScratchDirectory folder;
  {
    const debug::DumpingDebugWrapperSession dumping(net.session, folder.path() + "/runs");
    net.run(3, 4);
  }
  net.run(5, 6);  // nobody watches any more
  const auto runs = file_system_of(folder.path()).list(folder.path() + "/runs");
  ASSERT_EQ(runs.size(), 1u);
  const debug::DebugDumpDir dumps(folder.path() + "/runs/" + runs[0]);
  const auto found = dumps.dumps_of("product:0:DebugIdentity");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(floats(found[0]->read().tensor), (std::vector<float>{3, 8}));
  EXPECT_TRUE(dumps.find(debug::has_inf_or_nan).empty());
}

TEST(DebugApi, the_command_line_of_a_session) {
  DebuggedNet net;
  TypedLines person{.lines = {"run", "pt product", "run"}, .shown = {}};
  const ScratchDirectory home;
  const debug::LocalCLIDebugWrapperSession debugged(
      net.session, {.config_file = home.path() + "/config", .io = person.io()});
  net.run(3, 4);
  EXPECT_NE(person.shown.find("run-start: run #1: 1 fetch (y:0); 1 feed (x:0)"), std::string::npos)
      << person.shown;
  EXPECT_NE(person.shown.find("array([3., 8.], dtype=float32)"), std::string::npos) << person.shown;
}

TEST(DebugApi, any_tensor_of_a_run_that_is_over) {
  DebuggedNet net;
  const debug::RecordingDebugWrapperSession recording(net.session, {.runs = 3});
  std::vector<std::vector<float>> seen;
  for (int i = 0; i < 5; ++i) {
    seen.push_back(net.run(1, 1));
    net.session.run({net.grown});
  }
  const debugger::RunRecorder& recorder = recording.recorder();
  ASSERT_EQ(recorder.runs().size(), 3u);
  EXPECT_EQ(recorder.runs().back().number, 10);
  const debug::RecordedRun& run = recorder.at(9);  // the fifth of y
  EXPECT_EQ(floats(recorder.value_in(run, "product:0")), (std::vector<float>{5, 6}));
  EXPECT_EQ(floats(recorder.value_in(run, "y:0")), seen[4]);  // with the same noise
  EXPECT_FALSE(recorder.value_in(recorder.at(10), "y:0").has_value());
  EXPECT_EQ(floats(recorder.value_in(recorder.at(10), "w:0")), (std::vector<float>{5, 6}));
  EXPECT_EQ(floats(net.session.run({net.w})[0]),
            (std::vector<float>{6, 7}));  // nothing has changed
  EXPECT_EQ(thrown_by([&] { recorder.at(7); }).code(), Code::kNotFound);
}

TEST(DebugApi, going_back_to_where_it_went_wrong) {
  DebuggedNet net;
  const Output root = sqrt(add(net.y, -4.5f, {.name = "shifted"}), {.name = "root"});
  TypedLines person{.lines = {"history", "find_first", "pt shifted", "back", "pt product",
                              "track product", "forward 9", "nonsense", "exit"},
                    .shown = {}};
  const ScratchDirectory home;
  debug::RecordingDebugWrapperSession recording(
      net.session, {.command_line = {.config_file = home.path() + "/config", .io = person.io()}});
  for (const float a : {9.f, 8.f, 1.f, 7.f})
    net.session.run({root}, {{net.x, Tensor::vector<float>({a, a})}});
  const debug::RecordedRun* const bad = recording.recorder().first_passing(debug::has_inf_or_nan);
  ASSERT_NE(bad, nullptr);
  EXPECT_EQ(bad->number, 3);
  recording.look_back();
  for (const char* phrase :
       {"recorded run #4: 1 fetch (root:0); 1 feed (x:0)", "4 recorded run(s)", "recorded run #3:",
        "recorded run #2:", "array([ 8., 16.], dtype=float32)", "Tensor \"product:0\" in 4",
        "#3  float[2]  min 1  mean 1.5  max 2", "ERROR: there is no run #11; #1 to #4 are kept",
        "ERROR: Invalid command prefix \"nonsense\""})
    EXPECT_NE(person.shown.find(phrase), std::string::npos) << phrase << "\n" << person.shown;
}

TEST(DebugApi, runs_that_write_are_not_run_again) {
  DebuggedNet net;
  const ScratchDirectory folder;
  const Output path = constant(folder.path() + "/file");
  Node& writes = io::write_file(path, constant("text"));
  const debug::RecordingDebugWrapperSession recording(net.session);
  net.session.run({&writes});
  remove_tree(folder.path() + "/file");
  const Error error =
      thrown_by([&] { recording.recorder().value_in(recording.recorder().at(1), path.name()); });
  EXPECT_EQ(error.code(), Code::kFailedPrecondition);
  EXPECT_FALSE(file_exists(folder.path() + "/file"));
}

TEST(DebugApi, errors_of_recorded_runs_reach_the_program) {
  DebuggedNet net;
  const debug::RecordingDebugWrapperSession recording(net.session);
  const Output checked = check_numerics(log(net.x, {.name = "log"}), "bad", {.name = "checked"});
  const auto feeds = std::vector<Feed>{{net.x, Tensor::vector<float>({1, -1})}};
  EXPECT_EQ(thrown_by([&] { net.session.run(feeds, std::vector{checked}); }).code(),
            Code::kInvalidArgument);
  const debug::RecordedRun& run = recording.recorder().at(1);
  EXPECT_FALSE(run.error.empty());
  EXPECT_TRUE(std::isnan(floats(recording.recorder().value_in(run, "log:0"))[1]));
}

}  // namespace
}  // namespace rill
