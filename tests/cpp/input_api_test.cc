// Coordinators, queue runners, input producers and batches as C++ programs use them.
#include <gtest/gtest.h>

#include <atomic>

#include "rill/base/error_testing.h"
#include "rill/rill.h"
#include "tensorflow/core/protobuf/queue_runner.pb.h"

namespace tf = rill;

namespace {

class Inputs : public ::testing::Test {
 protected:
  std::shared_ptr<tf::Graph> graph_ = tf::make_graph();
  tf::AsDefault as_default_{graph_};
};

std::vector<float> floats_of(const tf::Tensor& t) {
  return {t.flat<float>().begin(), t.flat<float>().end()};
}

TEST_F(Inputs, batches_come_from_threads) {
  const auto rows = tf::train::slice_input_producer(
      {tf::Tensor::vector<float>({1, 2, 3, 4}), tf::Tensor::vector<std::int32_t>({10, 20, 30, 40})},
      {.num_epochs = 2, .shuffle = false});
  const tf::train::Batch batch = tf::train::batch({rows[0], rows[1]}, 3, {.capacity = 6});
  const tf::Output x = std::get<tf::Output>(batch[0]);
  EXPECT_EQ(x.name(), "batch:0");
  EXPECT_EQ(tf::to_text(x.shape()), "[3]");
  tf::Session session(graph_);
  session.run(tf::local_variables_initializer());
  tf::train::Coordinator coord;
  const auto threads = tf::train::start_queue_runners(session, &coord);
  EXPECT_EQ(threads.size(), 4U);  // two that enqueue, two that cancel
  EXPECT_EQ(floats_of(session.run(x)), (std::vector<float>{1, 2, 3}));
  EXPECT_EQ(floats_of(session.run(x)), (std::vector<float>{4, 1, 2}));
  EXPECT_EQ(tf::thrown_by([&] { session.run(x); }).code(), tf::Code::kOutOfRange);  // two are left
  coord.request_stop();
  coord.join();
  EXPECT_TRUE(coord.joined());
}

TEST_F(Inputs, shuffled_batches_have_the_same_elements) {
  tf::FIFOQueue numbers =
      tf::train::range_input_producer(10, {.shuffle = false, .name = "numbers"});
  EXPECT_EQ(numbers.name(), "numbers");
  const auto batch = tf::train::shuffle_batch({numbers.dequeue()[0]}, 10, 30, 10, {.seed = 3});
  tf::Session session(graph_);
  tf::train::Coordinator coord;
  EXPECT_EQ(tf::train::start_queue_runners(session, &coord).size(), 4U);
  EXPECT_TRUE(tf::train::start_queue_runners(session, &coord).empty());  // they run already
  const tf::Tensor got = session.run(std::get<tf::Output>(batch[0]));
  for (const std::int32_t value : got.flat<std::int32_t>()) EXPECT_TRUE(value >= 0 && value < 10);
  coord.request_stop();
  coord.join();
}

TEST_F(Inputs, sparse_batches) {
  const tf::SparseTensor one(tf::Tensor::of<std::int64_t>({1, 1}, {1}),
                             tf::Tensor::vector<float>({5}), tf::Tensor::vector<std::int64_t>({3}));
  const auto batch = tf::train::batch({one, 1}, 2);
  tf::Session session(graph_);
  tf::train::Coordinator coord;
  tf::train::start_queue_runners(session, &coord);
  const auto& sparse = std::get<tf::SparseTensor>(batch[0]);
  EXPECT_EQ(floats_of(session.run(sparse.values)), (std::vector<float>{5, 5}));
  coord.request_stop();
  coord.join();
}

TEST_F(Inputs, errors_of_threads_reach_join) {
  tf::FIFOQueue q(10, {tf::float32}, {.shapes = {tf::PartialShape::scalar()}});
  const tf::Output bad =
      tf::check_numerics(tf::placeholder(tf::float32, tf::PartialShape::scalar()), "m");
  tf::train::add_queue_runner(std::make_shared<tf::train::QueueRunner>(
      q, std::vector<tf::train::Runnable>{q.enqueue({bad})}));
  tf::Session session(graph_);
  tf::train::Coordinator coord;
  tf::train::start_queue_runners(session, &coord);
  EXPECT_TRUE(coord.wait_for_stop(10));
  EXPECT_EQ(tf::thrown_by([&] { coord.join(); }).code(),
            tf::Code::kInvalidArgument);  // nothing was fed
  EXPECT_EQ(tf::thrown_by([&] { coord.raise_requested_exception(); }).code(),
            tf::Code::kInvalidArgument);
  coord.clear_stop();
  EXPECT_FALSE(coord.should_stop());
}

TEST_F(Inputs, without_a_coordinator_errors_are_kept) {
  tf::FIFOQueue q(10, {tf::float32});
  const auto runner = std::make_shared<tf::train::QueueRunner>(
      q, std::vector<tf::train::Runnable>{q.enqueue({tf::placeholder(tf::float32)})});
  tf::Session session(graph_);
  for (const auto& thread : runner->create_threads(session, nullptr, {.start = true}))
    thread->join();
  EXPECT_EQ(runner->exceptions_raised().size(), 1U);
}

TEST_F(Inputs, runners_are_stored_as_messages) {
  tf::FIFOQueue q(10, {tf::float32}, {.name = "q"});
  const tf::train::QueueRunner runner(q, {q.enqueue(std::vector<tf::Input>{1.0F})},
                                      {.queue_closed_codes = {tf::Code::kCancelled}});
  const auto def = runner.to_proto();
  ASSERT_TRUE(def);
  const tf::train::QueueRunner again(*def);
  EXPECT_EQ(again.name(), "q");
  EXPECT_EQ(again.enqueue_ops()[0].name(), "q_enqueue");
  EXPECT_EQ(again.cancel_op().name(), "q_Close_1");
  EXPECT_EQ(again.queue_closed_codes(), std::vector<tf::Code>{tf::Code::kCancelled});
  EXPECT_FALSE(runner.to_proto("other"));
}

TEST(Coordinators, wait_for_threads_that_loop) {
  tf::train::Coordinator coord;
  std::atomic<int> count = 0;
  const auto looper = tf::train::LooperThread::loop(coord, 0.001, [&] {
    if (++count == 3) coord.request_stop();
  });
  coord.join({looper});
  EXPECT_GE(count, 3);
  EXPECT_FALSE(looper->is_alive());
}

TEST(Coordinators, name_threads_that_do_not_stop) {
  tf::train::Coordinator coord;
  std::atomic<bool> over = false;
  const auto slow = std::make_shared<tf::train::WorkThread>("slow", [&over] {
    while (!over) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  });
  slow->start();
  coord.register_thread(slow);
  coord.request_stop();
  try {
    coord.join({}, {.stop_grace_period_secs = 0.01});
    ADD_FAILURE() << "it should have been named";
  } catch (const tf::Error& error) {
    EXPECT_NE(error.message().find("threads still running: slow"), std::string::npos);
  }
  over = true;
  while (slow->is_alive()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

TEST(Coordinators, take_the_end_of_the_input_for_no_error) {
  tf::train::Coordinator coord;
  coord.stop_on_exception([] { throw tf::Error(tf::Code::kOutOfRange, "no more"); });
  EXPECT_TRUE(coord.should_stop());
  coord.join();
}

}  // namespace
