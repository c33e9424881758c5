#include <gtest/gtest.h>

#include <cmath>

#include "rill/api/core/basic_ops.h"
#include "rill/api/core/default_graph.h"
#include "rill/api/estimator/schedule/early_stopping.h"
#include "rill/api/gen/math.h"
#include "rill/api/logging/tf_logging.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/operators.h"
#include "rill/api/saver/checkpoint_state.h"
#include "rill/api/summary/summary.h"
#include "rill/api/train/global_step.h"
#include "rill/api/train/optimizers.h"
#include "rill/api/training/basic_hooks.h"
#include "rill/api/training/global_step_read.h"
#include "rill/api/training/timeline.h"
#include "rill/api/variables/variable_lists.h"
#include "rill/base/file_testing.h"
#include "rill/base/files.h"
#include "rill/base/json.h"
#include "rill/io/event_reader.h"
#include "rill/runtime/session/config.h"
#include "tensorflow/core/protobuf/config.pb.h"
#include "tensorflow/core/util/event.pb.h"

namespace rill::train {
namespace {

// Calls hooks around the steps of a small model, and keeps the log.
class TrainingHooks : public testing::Test {
 protected:
  TrainingHooks() : graph_(make_graph()), inside_(graph_) {
    directory_ = scratch_ / "model";
    logging::set_listener(
        {.is_shown = [](logging::Level) { return true; },
         .write = [this](logging::Level, const std::string& text) { lines_.push_back(text); }});
    step_ = train::get_or_create_global_step();
    const Output read = train::get_or_create_global_step_read();
    weight_ = Variable(4.0f, {.name = "weight"});
    loss_ = raw::Mul(weight_, weight_, {.name = "loss"});
    train::GradientDescentOptimizer optimizer(0.125);
    const auto gradients = optimizer.compute_gradients(loss_);
    Node* const first[] = {read.node, loss_.node};
    const ControlDependencies when_read(first);
    train_ = &optimizer.apply_gradients(gradients, {.global_step = step_});
  }
  ~TrainingHooks() override {
    logging::set_listener({});
    summaries::FileWriterCache::clear();
  }

  int run(const std::vector<HookRef>& hooks, int steps) {
    for (const HookRef& hook : hooks) hook->begin();
    Node& init = global_variables_initializer();
    Node& local_init = local_variables_initializer();
    session_.emplace(graph_);
    session_->run(init);
    session_->run(local_init);
    for (const HookRef& hook : hooks) hook->after_create_session(*session_, coordinator_);
    int done = 0;
    for (; done < steps; ++done)
      if (one_step(hooks)) {
        ++done;
        break;
      }
    for (const HookRef& hook : hooks) hook->end(*session_);
    return done;
  }
  bool one_step(const std::vector<HookRef>& hooks) {
    const train::SessionRunArgs original{.fetches = {*train_}};
    train::SessionRunContext context(original, *session_);
    std::vector<Output> fetches;
    std::vector<std::size_t> counts;
    RunOptions options;
    for (const HookRef& hook : hooks) {
      const auto args = hook->before_run(context);
      counts.push_back(args ? args->fetches.size() : 0);
      if (!args) continue;
      for (const train::Runnable& fetch : args->fetches) fetches.push_back(fetch.tensor());
      if (args->options) options.trace |= args->options->trace;
    }
    asked_.push_back(fetches.size());
    StepStats stats;
    const auto values = session_->run({}, fetches, std::span(&train_, 1), options, &stats);
    auto next = values.begin();
    for (std::size_t i = 0; i < hooks.size(); ++i) {
      train::SessionRunValues given{.results = {next, next + static_cast<long>(counts[i])},
                                    .options = options,
                                    .run_metadata = &stats};
      next += static_cast<long>(counts[i]);
      hooks[i]->after_run(context, given);
    }
    return context.stop_requested();
  }

  std::vector<tensorflow::Event> events() {
    summaries::FileWriterCache::clear();
    std::vector<tensorflow::Event> all;
    for (const std::string& path : matching_paths(directory_ + "/events.out.*")) {
      EventReader reader(path);
      tensorflow::Event event;
      while (reader.read(&event)) all.push_back(event);
    }
    return all;
  }

  std::shared_ptr<Graph> graph_;
  AsDefault inside_;
  ScratchDirectory scratch_;  // so that tests may run beside each other
  std::string directory_;
  std::vector<std::string> lines_;
  std::vector<std::size_t> asked_;  // fetches of hooks, by step
  Variable step_, weight_;
  Output loss_;
  Node* train_ = nullptr;
  std::optional<Session> session_;
  train::Coordinator coordinator_;
};

TEST_F(TrainingHooks, timers) {
  train::SecondOrStepTimer timer({.every_steps = 3});
  EXPECT_TRUE(timer.should_trigger_for_step(0));
  EXPECT_FALSE(timer.update_last_triggered_step(0));
  EXPECT_FALSE(timer.should_trigger_for_step(2));
  EXPECT_TRUE(timer.should_trigger_for_step(3));
  EXPECT_EQ(timer.update_last_triggered_step(3)->steps, 3);
  timer.reset();
  EXPECT_TRUE(timer.should_trigger_for_step(3));
  EXPECT_THROW(train::SecondOrStepTimer({}), Error);
  EXPECT_THROW(train::SecondOrStepTimer({.every_secs = 1, .every_steps = 1}), Error);
}

TEST_F(TrainingHooks, logs_tensors_and_asks_for_nothing_in_between) {
  run({make_hook<LoggingTensorHook>({{"loss", loss_}, {"again", "loss"}}, {.every_n_iter = 2})}, 4);
  ASSERT_EQ(lines_.size(), 2u);
  EXPECT_EQ(lines_[0], "again = 16.0, loss = 16.0");
  EXPECT_EQ(lines_[1].substr(0, 31), "again = 5.0625, loss = 5.0625 (");
  EXPECT_EQ(lines_[1].substr(lines_[1].size() - 5), " sec)");
  EXPECT_EQ(asked_, (std::vector<std::size_t>{2, 0, 2, 0}));
}

TEST_F(TrainingHooks, logs_with_a_formatter_at_the_end) {
  train::LoggingTensorHookOptions options{.at_end = true};
  options.formatter = [](const train::TaggedValues& values) { return values.at(0).first + "!"; };
  run({std::make_shared<train::LoggingTensorHook>(std::vector<train::TensorOrName>{"loss:0"},
                                                  options)},
      2);
  EXPECT_EQ(lines_, std::vector<std::string>{"loss:0!"});
}

TEST_F(TrainingHooks, counts_and_stops) {
  const auto counter = make_hook<StepCounterHook>({.every_n_steps = 2, .output_dir = directory_});
  const auto stop = make_hook<StopAtStepHook>({.num_steps = 5});
  EXPECT_EQ(run({counter, stop}, 20), 5);
  ASSERT_EQ(lines_.size(), 2u);
  EXPECT_EQ(lines_[0].substr(0, 17), "global_step/sec: ");
  std::vector<std::int64_t> steps;
  for (const auto& event : events())
    if (event.has_summary()) steps.push_back(event.step());
  EXPECT_EQ(steps, (std::vector<std::int64_t>{3, 5}));
}

struct Noting : train::CheckpointSaverListener {
  std::vector<std::string> calls;
  void begin() override { calls.push_back("begin"); }
  void before_save(Session&, std::int64_t step) override {
    calls.push_back("before " + std::to_string(step));
  }
  bool after_save(Session&, std::int64_t step) override {
    calls.push_back("after " + std::to_string(step));
    return step == 4;
  }
  void end(Session&, std::int64_t step) override { calls.push_back("end " + std::to_string(step)); }
};

TEST_F(TrainingHooks, saves_checkpoints_and_tells_listeners) {
  const auto listener = std::make_shared<Noting>();
  const auto saver = std::make_shared<train::Saver>();
  const auto hook = make_hook<CheckpointSaverHook>(
      directory_, {.save_steps = 2, .saver = saver, .listeners = {listener}});
  EXPECT_EQ(run({hook}, 20), 4);
  EXPECT_EQ(listener->calls, (std::vector<std::string>{"begin", "before 0", "after 0", "before 2",
                                                       "after 2", "before 4", "after 4", "end 4"}));
  EXPECT_TRUE(file_exists(directory_ + "/graph.pbtxt"));
  EXPECT_TRUE(file_exists(directory_ + "/model.ckpt-4.meta"));
  EXPECT_EQ(*train::latest_checkpoint(directory_), directory_ + "/model.ckpt-4");
  EXPECT_EQ(lines_[1], "Saving checkpoints for 0 into " + directory_ + "/model.ckpt.");
  std::vector<std::int64_t> saved;
  for (const auto& event : events())
    if (event.session_log().status() == tensorflow::SessionLog::CHECKPOINT)
      saved.push_back(event.step());
  EXPECT_EQ(saved, (std::vector<std::int64_t>{0, 2, 4}));
}

TEST_F(TrainingHooks, writes_summaries) {
  const Output summary = summaries::scalar("value", loss_);
  run({make_hook<SummarySaverHook>(
          {.save_steps = 2, .output_dir = directory_, .summary_op = {summary}})},
      5);
  std::vector<std::string> found;
  for (const auto& event : events()) {
    if (event.has_session_log()) found.push_back("start " + std::to_string(event.step()));
    if (event.has_summary()) found.push_back("summary " + std::to_string(event.step()));
  }
  EXPECT_EQ(found, (std::vector<std::string>{"start 1", "summary 1", "summary 3", "summary 5"}));
  EXPECT_EQ(asked_, (std::vector<std::size_t>{2, 1, 2, 1, 2}));
}

TEST_F(TrainingHooks, no_number_fails_or_stops) {
  const Output nan = loss_ * std::nanf("");
  EXPECT_THROW(run({make_hook<NanTensorHook>(nan)}, 3), train::NanLossDuringTrainingError);
  EXPECT_EQ(run({make_hook<NanTensorHook>(nan, false)}, 3), 1);
  EXPECT_EQ(run({make_hook<NanTensorHook>("loss")}, 3), 3);
}

TEST_F(TrainingHooks, final_operations) {
  const auto hook = std::make_shared<train::FinalOpsHook>(
      std::vector<train::Runnable>{loss_, *train_, weight_.snapshot()});
  run({hook}, 1);
  ASSERT_EQ(hook->final_ops_values().size(), 3u);
  EXPECT_EQ(hook->final_ops_values()[0].scalar_value<float>(), 9);
  EXPECT_FALSE(hook->final_ops_values()[1].has_value());
}

TEST_F(TrainingHooks, profiles) {
  make_directories(directory_);
  run({make_hook<ProfilerHook>({.save_steps = 2, .output_dir = directory_, .show_memory = true})},
      4);
  ASSERT_TRUE(file_exists(directory_ + "/timeline-2.json"));
  ASSERT_TRUE(file_exists(directory_ + "/timeline-4.json"));
  const Json page = parse_json(read_file(directory_ + "/timeline-4.json"));
  std::map<std::string, int> phases;
  for (const Json& event : page.find("traceEvents")->items) ++phases[event.find("ph")->text];
  EXPECT_GT(phases["X"], 3);
  EXPECT_GT(phases["N"], 0);
  EXPECT_EQ(phases["N"], phases["D"]);
  EXPECT_EQ(phases["s"], phases["t"]);
}

TEST_F(TrainingHooks, stops_after_evaluations) {
  const auto hook = make_hook<StopAfterNEvalsHook>(3);
  const Output update = train::count_evaluations({loss_}, {hook});
  train_ = update.node;
  EXPECT_EQ(run({hook}, 10), 3);
  EXPECT_EQ(lines_,
            (std::vector<std::string>{"Evaluation [1/3]", "Evaluation [2/3]", "Evaluation [3/3]"}));
}

TEST_F(TrainingHooks, several_steps_in_a_run) {
  const Output three =
      step_.assign_add(cast(train::get_or_create_steps_per_run_variable(), DType::i64));
  train_ = three.node;
  run({std::make_shared<train::MultiStepStopAtStepHook>(
          train::StopAtStepHookOptions{.last_step = 7}, 3)},
      10);
  EXPECT_EQ(train::read_step(*session_, step_.snapshot()), 7);
}

// What early stopping needs of an estimator.
struct Config {
  bool is_chief = true;
};
struct FakeEstimator {
  Config config_;
  std::string directory;
  const Config& config() const { return config_; }
  std::string eval_dir() const { return directory; }
  std::string model_dir() const { return directory; }
};

TEST_F(TrainingHooks, stops_early) {
  {
    summaries::FileWriter writer(directory_);
    for (const auto& [step, accuracy] : {std::pair(10, 0.5f), std::pair(20, 0.75f)}) {
      tensorflow::Summary summary;
      summary.add_value()->set_tag("accuracy");
      summary.mutable_value(0)->set_simple_value(accuracy);
      writer.add_summary(summary, step);
    }
    writer.close();
  }
  const FakeEstimator estimator{{}, directory_};
  const estimator::StopIfOptions every_step{.run_every_steps = 1};
  EXPECT_EQ(run({estimator::stop_if_higher_hook(estimator, "accuracy", 0.7, every_step)}, 5), 1);
  EXPECT_EQ(lines_.at(0),
            "At step 20, metric \"accuracy\" has value 0.75 which is greater than the configured "
            "threshold (0.7) for early stopping.");
  EXPECT_EQ(run({estimator::stop_if_lower_hook(estimator, "accuracy", 0.4, every_step)}, 2), 2);
  EXPECT_EQ(run({estimator::stop_if_no_decrease_hook(estimator, "accuracy", 10, every_step)}, 5),
            1);
  EXPECT_EQ(run({estimator::stop_if_no_increase_hook(estimator, "accuracy", 10, every_step)}, 2),
            2);
  const FakeEstimator worker{{.is_chief = false}, directory_};
  EXPECT_EQ(run({estimator::stop_if_higher_hook(worker, "accuracy", 0.7, every_step)}, 2), 2);
}

}  // namespace
}  // namespace rill::train
