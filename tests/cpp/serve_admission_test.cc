// Which steps run, wait and are refused when there is more to do than can be done, and that steps
// end for which nobody waits.
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <thread>

#include "rill/base/clock.h"
#include "rill/graph/scope.h"
#include "rill/ops/register.h"
#include "rill/serve/model/admission.h"
#include "tests/cpp/await_testing.h"

namespace rill::serve {
namespace {

// Steps that end at once, and steps that wait until they are given a value.
class WaitingSteps {
 public:
  WaitingSteps() {
    Scope scope(*graph_);
    Node& x = scope.add("Placeholder", {}, {{"dtype", DType::f32}});
    Node& same = scope.add("Identity", {x.output(0)});
    const std::vector<DType> types{DType::f32};
    Node& queue = scope.add("FIFOQueueV2", {}, {{"component_types", types}});
    Node& put = scope.add("QueueEnqueueV2", {queue.output(0), std::vector<Input>{x.output(0)}},
                          {{"Tcomponents", types}});
    Node& taken = scope.add("QueueDequeueV2", {queue.output(0)}, {{"component_types", types}});
    Node& sum = scope.add("Add", {taken.output(0), x.output(0)});
    quick = step({x.output(0)}, {same.output(0)});
    slow = step({x.output(0)}, {sum.output(0)});
    put_ = &put;
    x_ = x.output(0);
  }
  void give() { session_.run(std::vector<Feed>{{x_, feed()}}, {}, std::vector<Node*>{put_}); }
  static Tensor feed() { return Tensor::scalar(1.0f); }

  CompiledStepRef quick, slow;

 private:
  CompiledStepRef step(std::vector<Output> feeds, std::vector<Output> fetches) {
    auto made = std::make_shared<CompiledStep>();
    made->callable = session_.make_callable(feeds, fetches);
    return made;
  }
  std::shared_ptr<Graph> graph_ = std::make_shared<Graph>(standard_ops());
  Session session_{graph_};
  Node* put_ = nullptr;
  Output x_;
};

class AdmissionTest : public testing::Test {
 protected:
  ~AdmissionTest() override {
    for (std::thread& thread : threads_) thread.join();
  }
  void start(const AdmissionOptions& options) {
    admission_ = std::make_shared<Admission>(options, metrics_);
    a_ = admission_->runner({"a", 1});
    b_ = admission_->runner({"b", 1});
  }
  // On a thread of its own, as if a client had asked.
  void ask(StepRunner& runner, const CompiledStepRef& step, const std::string& name,
           const RequestLimits& limits = {}) {
    threads_.emplace_back([this, &runner, step, name, limits] {
      runner.run(step, {WaitingSteps::feed()}, limits,
                 [this, name](std::vector<Tensor>, std::optional<Error> error) {
                   const std::lock_guard lock(mutex_);
                   ended_.push_back(name + (error ? str_cat(" ", code_name(error->code())) : ""));
                 });
    });
  }
  std::vector<std::string> ended() {
    const std::lock_guard lock(mutex_);
    return ended_;
  }
  bool await_ended(std::size_t count) {
    return await([&] { return ended().size() == count; }, 20'000);
  }

  WaitingSteps steps_;
  const std::shared_ptr<Metrics> metrics_ = std::make_shared<Metrics>();
  std::shared_ptr<Admission> admission_;
  std::unique_ptr<StepRunner> a_, b_;
  std::mutex mutex_;
  std::vector<std::string> ended_;
  std::vector<std::thread> threads_;
};

TEST_F(AdmissionTest, waits_for_its_turn_and_no_more_than_may) {
  start({.max_running = 1, .max_queued = 2});
  ask(*a_, steps_.slow, "first");
  ASSERT_TRUE(await([&] {  // it runs
    ask(*a_, steps_.quick, "waits");
    return await([&] { return admission_->queued() == 1; }, 200);
  }));
  const std::size_t before = ended().size();  // those that found it idle
  ask(*a_, steps_.quick, "waits too");
  ASSERT_TRUE(await([&] { return admission_->queued() == 2; }));
  ask(*a_, steps_.quick, "refused");
  ASSERT_TRUE(await_ended(before + 1));
  EXPECT_EQ(ended().back(), "refused Unavailable");
  EXPECT_EQ(metrics_->model("a").refused.value(), 1);
  EXPECT_EQ(metrics_->model("a").queued.value(), 2);
  steps_.give();
  ASSERT_TRUE(await_ended(before + 4));
  EXPECT_EQ(admission_->queued(), 0);
  EXPECT_EQ(metrics_->model("a").queued.value(), 0);
}

TEST_F(AdmissionTest, one_model_does_not_keep_another_from_its_turn) {
  start({.max_running = 1});
  ask(*a_, steps_.slow, "first");
  ASSERT_TRUE(await([&] {
    ask(*a_, steps_.quick, "a");
    return await([&] { return admission_->queued() == 1; }, 200);
  }));
  const std::size_t before = ended().size();
  for (int i = 0; i < 5; ++i) ask(*a_, steps_.quick, "a");
  ASSERT_TRUE(await([&] { return admission_->queued() == 6; }));
  ask(*b_, steps_.quick, "b");
  ASSERT_TRUE(await([&] { return admission_->queued() == 7; }));
  steps_.give();
  ASSERT_TRUE(await_ended(before + 8));
  EXPECT_EQ(ended()[before + 1], "b");  // right behind the first
}

TEST_F(AdmissionTest, a_step_ends_when_its_client_leaves) {
  start({.max_running = 1});
  std::atomic<bool> is_gone = false;
  ask(*a_, steps_.slow, "left", net::CallLimits{.is_gone = [&] { return is_gone.load(); }});
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_TRUE(ended().empty());
  is_gone = true;
  ASSERT_TRUE(await_ended(1));
  EXPECT_EQ(ended()[0], "left Cancelled");
  // What comes next is not touched.
  ask(*a_, steps_.quick, "next");
  ASSERT_TRUE(await_ended(2));
  EXPECT_EQ(ended()[1], "next");
}

TEST_F(AdmissionTest, a_step_ends_at_its_deadline) {
  start({.max_running = 1});
  ask(*a_, steps_.slow, "late",
      net::CallLimits{.deadline_nanos = monotonic_nanos() + 50'000'000, .is_gone = {}});
  ASSERT_TRUE(await_ended(1));
  EXPECT_EQ(ended()[0], "late DeadlineExceeded");
  EXPECT_EQ(metrics_->model("a").cancelled.value(), 1);
}

TEST_F(AdmissionTest, what_cannot_be_answered_in_time_is_refused) {
  start({.max_running = 1});
  ask(*a_, steps_.slow, "long");
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  steps_.give();
  ASSERT_TRUE(await_ended(1));  // that took 100 ms: so much is known now
  ask(*a_, steps_.slow, "long");
  ASSERT_TRUE(await([&] {
    ask(*a_, steps_.quick, "hasty",
        net::CallLimits{.deadline_nanos = monotonic_nanos() + 20'000'000, .is_gone = {}});
    return await([&] { return metrics_->model("a").refused.value() > 0; }, 200);
  }));
  steps_.give();
}

TEST_F(AdmissionTest, priority_goes_first_and_takes_the_last_place) {
  start({.max_running = 1, .max_queued = 3});
  admission_->configure({{"b", {.priority = 1}}});
  ask(*a_, steps_.slow, "first");
  ASSERT_TRUE(await([&] {  // it runs
    ask(*a_, steps_.quick, "a");
    return await([&] { return admission_->queued() == 1; }, 200);
  }));
  const std::size_t before = ended().size();
  ask(*a_, steps_.quick, "a");
  ASSERT_TRUE(await([&] { return admission_->queued() == 2; }));
  ask(*a_, steps_.quick, "a last");
  ASSERT_TRUE(await([&] { return admission_->queued() == 3; }));
  ask(*b_, steps_.quick, "b");
  ASSERT_TRUE(await_ended(before + 1));
  EXPECT_EQ(ended().back(), "a last Unavailable");
  EXPECT_EQ(metrics_->model("a").refused.value(), 1);
  EXPECT_EQ(metrics_->model("b").refused.value(), 0);
  steps_.give();
  ASSERT_TRUE(await_ended(before + 5));
  EXPECT_EQ(ended()[before + 2], "b");  // right behind the first
}

TEST_F(AdmissionTest, a_model_has_no_more_steps_than_its_own_limit) {
  start({.max_running = 4});
  admission_->configure({{"a", {.max_running = 1, .max_queued = 1}}});
  ask(*a_, steps_.slow, "first");
  ASSERT_TRUE(await([&] {
    ask(*a_, steps_.quick, "a");
    return await([&] { return admission_->queued() == 1; }, 200);
  }));
  const std::size_t before = ended().size();
  ask(*b_, steps_.quick, "b");  // others have room
  ASSERT_TRUE(await_ended(before + 1));
  EXPECT_EQ(ended().back(), "b");
  EXPECT_THROW(a_->require_room({}), Error);
  EXPECT_NO_THROW(b_->require_room({}));
  EXPECT_EQ(metrics_->model("a").refused.value(), 1);
  steps_.give();
  ASSERT_TRUE(await_ended(before + 3));
}

// One product of 600 billion operations, and nothing behind it at which a step could end.
TEST_F(AdmissionTest, a_step_ends_in_the_middle_of_a_long_op) {
  auto graph = std::make_shared<Graph>(standard_ops());
  Scope scope(*graph);
  Node& x = scope.add("Placeholder", {}, {{"dtype", DType::f32}});
  Node& product = scope.add("MatMul", {x.output(0), x.output(0)});
  Session session(graph);
  auto step = std::make_shared<CompiledStep>();
  step->callable = session.make_callable(std::vector<Output>{x.output(0)},
                                         std::vector<Output>{product.output(0)});
  start({.max_running = 1});
  std::optional<Error> ended_with;
  a_->run(step, {Tensor::zeros(DType::f32, Shape({6720, 6720}))},
          net::CallLimits{.deadline_nanos = monotonic_nanos() + 150'000'000, .is_gone = {}},
          [&](const std::vector<Tensor>&, std::optional<Error> error) { ended_with = error; });
  ASSERT_TRUE(ended_with);
  EXPECT_EQ(ended_with->code(), Code::kDeadlineExceeded);
}

}  // namespace
}  // namespace rill::serve
