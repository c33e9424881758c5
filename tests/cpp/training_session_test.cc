// Monitored sessions and supervisors as C++ programs use them; the twins of
// tests/programs/training_*.py.
#include <gtest/gtest.h>

#include <filesystem>

#include "rill/messages.h"
#include "rill/rill.h"
#include "rill/runtime/plan/plan_count.h"

namespace tf = rill;

namespace {

// Writes down when it is called; throws what `fails` has for a call.
class Telling : public tf::train::SessionRunHook {
 public:
  explicit Telling(tf::Output fetch = {}) : fetch_(fetch) {}
  void begin() override { tell("begin"); }
  void after_create_session(tf::Session&, tf::train::Coordinator&) override { tell("created"); }
  std::optional<tf::train::SessionRunArgs> before_run(tf::train::SessionRunContext&) override {
    tell("before");
    if (!fetch_.node) return {};
    return tf::train::SessionRunArgs{.fetches = {fetch_}};
  }
  void after_run(tf::train::SessionRunContext& context,
                 const tf::train::SessionRunValues& values) override {
    tell("after");
    if (!values.results.empty()) last = values.results[0];
    if (++steps_ == stop_after) context.request_stop();
  }
  void end(tf::Session&) override { tell("end"); }

  std::string lines;
  std::map<std::string, tf::Code> fails;  // "before 2": the second call of before_run
  int stop_after = 0;
  tf::Tensor last;

 private:
  void tell(const std::string& what) {
    lines += (lines.empty() ? "" : " ") + what;
    const auto found = fails.find(what + " " + std::to_string(++calls_[what]));
    if (found != fails.end()) throw tf::Error(found->second, "lost");
  }
  tf::Output fetch_;
  std::map<std::string, int> calls_;
  int steps_ = 0;
};

class Training : public ::testing::Test {
 protected:
  Training() {
    std::filesystem::remove_all(directory_);
    step_ = tf::train::get_or_create_global_step();
    weight_ = tf::get_variable("weight", {.initializer = 4.0f});
    const tf::Output counted = tf::assign_add(step_, std::int64_t{1});
    tf::Node* const first[] = {counted.node};
    const tf::ControlDependencies after(first);
    train_ = tf::assign_add(weight_, 1.0f);
  }
  ~Training() override { std::filesystem::remove_all(directory_); }
  static float number(const tf::Tensor& value) { return *value.data<float>(); }

  std::shared_ptr<tf::Graph> graph_ = tf::make_graph();
  tf::AsDefault as_default_{graph_};
  tf::Variable step_, weight_;
  tf::Output train_;
  std::string directory_ = (std::filesystem::temp_directory_path() /
                            ::testing::UnitTest::GetInstance()->current_test_info()->name())
                               .string();
};

TEST_F(Training, hooks_around_steps) {
  auto hook = std::make_shared<Telling>(weight_.value());
  hook->stop_after = 2;
  tf::train::MonitoredSession session({.hooks = {hook}});
  session.run_until_stop([&](auto& sess) { sess.run(train_); });
  EXPECT_EQ(hook->lines, "begin created before after before after end");
  EXPECT_TRUE(session.is_closed());
  EXPECT_FALSE(graph_->finalized());
  EXPECT_THROW(session.run(train_), tf::train::Misuse);
  EXPECT_THROW(session.close(), tf::train::Misuse);
}

TEST_F(Training, run_after_stop) {
  auto hook = std::make_shared<Telling>();
  hook->stop_after = 1;
  tf::train::MonitoredSession session({.hooks = {hook}});
  EXPECT_FALSE(session.should_stop());
  session.run(train_);
  EXPECT_TRUE(session.should_stop());
  EXPECT_THROW(session.run(train_), tf::train::Misuse);
}

TEST_F(Training, steady_steps_compile_nothing) {
  auto session = tf::train::MonitoredTrainingSession({.checkpoint_dir = directory_});
  for (int i = 0; i < 3; ++i) session.run(train_);
  const std::int64_t before = tf::compiled_plan_count();
  for (int i = 0; i < 50; ++i) session.run(train_);
  EXPECT_EQ(tf::compiled_plan_count(), before);
}

TEST_F(Training, lost_sessions_are_replaced) {
  auto hook = std::make_shared<Telling>();
  hook->fails = {{"before 2", tf::Code::kAborted}, {"created 2", tf::Code::kUnavailable}};
  tf::train::MonitoredSession session({.hooks = {hook}});
  EXPECT_EQ(number(session.run(train_)), 5);
  EXPECT_EQ(number(session.run(train_)), 5);  // initialised again
  session.close();
  EXPECT_EQ(hook->lines, "begin created before after before created created before after end");
}

TEST_F(Training, restored_from_the_last_checkpoint) {
  auto hook = std::make_shared<Telling>();
  hook->fails = {{"before 4", tf::Code::kUnavailable}};
  auto session = tf::train::MonitoredTrainingSession({.checkpoint_dir = directory_,
                                                      .hooks = {hook},
                                                      .save_checkpoint_steps = 2,
                                                      .save_summaries_steps = 0,
                                                      .log_step_count_steps = 0});
  for (int i = 0; i < 3; ++i) session.run(train_);
  EXPECT_EQ(number(session.run(train_)), 7);  // step 2 was saved
  session.close();
  EXPECT_TRUE(tf::train::latest_checkpoint(directory_)->ends_with("model.ckpt-3"));
}

TEST_F(Training, other_errors_come_out) {
  auto hook = std::make_shared<Telling>();
  hook->fails = {{"before 1", tf::Code::kInternal}};
  tf::train::MonitoredSession session({.hooks = {hook}});
  try {
    session.run_until_stop([&](auto& sess) { sess.run(train_); });
    FAIL();
  } catch (const tf::Error& error) {
    EXPECT_EQ(error.code(), tf::Code::kInternal);
  }
  EXPECT_EQ(hook->lines, "begin created before");
}

TEST_F(Training, singular_sessions_give_up) {
  auto hook = std::make_shared<Telling>();
  hook->fails = {{"before 1", tf::Code::kAborted}};
  auto session = tf::train::SingularMonitoredSession({.hooks = {hook}});
  EXPECT_THROW(session.run(train_), tf::Error);
  session.close_after_error();
  EXPECT_EQ(hook->lines, "begin created before");
}

TEST_F(Training, step_functions) {
  tf::train::MonitoredSession session;
  int count = 0;
  session.run_until_stop([&](auto& sess) {
    sess.run_step_fn([&](tf::train::StepContext& context) {
      const auto values = context.run_with_hooks({.fetches = {train_}});
      if (++count; number(values.results[0]) > 6) context.request_stop();
    });
  });
  EXPECT_EQ(count, 3);
  EXPECT_TRUE(session.is_closed());
}

TEST_F(Training, feeds_of_two) {
  class Feeding : public tf::train::SessionRunHook {
   public:
    explicit Feeding(tf::Output x) : x_(x) {}
    std::optional<tf::train::SessionRunArgs> before_run(tf::train::SessionRunContext&) override {
      return tf::train::SessionRunArgs{.feed_dict = {{x_, tf::Tensor::scalar(2.0f)}}};
    }

   private:
    tf::Output x_;
  };
  const tf::Output x = tf::placeholder(tf::float32, {}), y = tf::multiply(x, x);
  tf::train::MonitoredSession session({.hooks = {std::make_shared<Feeding>(x)}});
  EXPECT_EQ(number(session.run(y)), 4);
  EXPECT_EQ(number(session.run(x)), 2);
  EXPECT_THROW(session.run(y, {{x, tf::Tensor::scalar(3.0f)}}), tf::train::Misuse);
}

TEST_F(Training, queue_runners) {
  auto queue = tf::train::string_input_producer(tf::Tensor::vector<std::string>({"a", "b"}),
                                                {.num_epochs = 2, .shuffle = false});
  const tf::Output element = queue.dequeue()[0];
  std::string seen;
  tf::train::MonitoredSession session;
  session.run_until_stop(
      [&](auto& sess) { seen += *sess.run(element).template data<std::string>(); });
  EXPECT_EQ(seen, "abab");
}

TEST_F(Training, scaffold_parts) {
  auto scaffold = std::make_shared<tf::train::Scaffold>();
  scaffold->finalize();
  EXPECT_EQ(scaffold->init_op().name(), "group_deps");
  EXPECT_EQ(scaffold->ready_op().name(), "concat:0");
  EXPECT_EQ(scaffold->ready_for_local_init_op().name(), "concat_1:0");
  EXPECT_EQ(scaffold->local_init_op().name(), "group_deps_1");
  EXPECT_FALSE(scaffold->summary_op().node);
  EXPECT_TRUE(graph_->finalized());
  graph_->unsafe_unfinalize();
  tf::Node& other = tf::no_op();
  const tf::train::Scaffold copy({.init_op = other}, scaffold.get());
  EXPECT_EQ(&copy.init_op().node(), &other);
  EXPECT_EQ(copy.saver(), scaffold->saver());
}

TEST_F(Training, session_managers) {
  tf::train::SessionManager manager(
      {.ready_op = tf::report_uninitialized_variables(tf::global_variables())});
  EXPECT_THROW(manager.prepare_session(""), tf::train::Misuse);
  tf::train::PrepareSessionOptions options;
  options.init_op = tf::global_variables_initializer();
  const auto session = manager.prepare_session("", options);
  EXPECT_EQ(number(session->run(weight_.value())), 4);
  EXPECT_FALSE(manager.recover_session("").second);
  tf::train::SessionManager hasty(
      {.ready_op = tf::report_uninitialized_variables(tf::global_variables()),
       .recovery_wait_secs = 0.01});
  EXPECT_THROW(hasty.wait_for_session("", {.max_wait_secs = 0.02}), tf::Error);
}

TEST_F(Training, supervisors) {
  tf::summaries::scalar("w", weight_.value());
  tf::train::Supervisor supervisor({.logdir = directory_});
  EXPECT_EQ(supervisor.parts().init_op->name(), "init");
  EXPECT_EQ(supervisor.save_path(), directory_ + "/model.ckpt");
  float value = 0;
  supervisor.managed_session([&](tf::Session& session) {
    while (!supervisor.should_stop()) {
      value = number(session.run(train_));
      if (value > 6 && tf::train::latest_checkpoint(directory_)) supervisor.request_stop();
    }
  });
  EXPECT_GT(value, 6);
  EXPECT_TRUE(std::filesystem::exists(directory_ + "/graph.pbtxt"));
  EXPECT_THROW(supervisor.managed_session(
                   [](tf::Session&) { throw tf::Error(tf::Code::kInternal, "mine"); }),
               tf::Error);
}

TEST_F(Training, basic_loops) {
  tf::train::Supervisor supervisor;
  int calls = 0;
  tf::train::basic_train_loop(supervisor, [&](tf::Session& session) {
    EXPECT_EQ(number(session.run(train_)), calls == 2 ? 5 : 5 + calls % 2);
    if (++calls == 2) throw tf::Error(tf::Code::kAborted, "lost");  // a new session follows
    if (calls == 4) supervisor.request_stop();
  });
  EXPECT_EQ(calls, 4);
}

TEST_F(Training, checkpoint_states) {
  const auto state = tf::train::generate_checkpoint_state_proto(
      "/d", "/d/m-2", {.all_model_checkpoint_paths = {"/d/m-1"}});
  EXPECT_EQ(state.model_checkpoint_path(), "/d/m-2");
  EXPECT_EQ(state.all_model_checkpoint_paths_size(), 2);
}

}  // namespace
