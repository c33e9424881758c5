// Queues, staging areas and many threads: everything that was put in comes out once, whoever waits
// is woken, and nothing stays behind. What the ops compute, tests/golden/control tells.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <set>
#include <thread>

#include "rill/graph/scope.h"
#include "rill/kernel/host_functions.h"
#include "rill/ops/queue/queue.h"
#include "rill/ops/register.h"
#include "rill/runtime/session/session.h"
#include "rill/tensor/allocator.h"

namespace rill {
namespace {

using Feeds = std::vector<Feed>;
using std::chrono::milliseconds;

class QueueTest : public testing::Test {
 protected:
  Output op(std::string_view type, std::vector<InputArg> inputs, AttrMap attrs = {}) {
    return scope_.add(type, std::move(inputs), std::move(attrs)).output();
  }
  Node* target(std::string_view type, std::vector<InputArg> inputs, AttrMap attrs = {}) {
    return &scope_.add(type, std::move(inputs), std::move(attrs));
  }
  static std::vector<Input> list(Output x) { return {x}; }
  Output queue(const char* kind, int capacity) {
    return op(kind, {},
              {{"component_types", types_},
               {"shapes", std::vector{PartialShape::scalar()}},
               {"capacity", capacity}});
  }
  void run(Node* node) { session_.run({}, {}, {{node}}); }
  void put(Node* enqueue, std::int64_t value) {
    session_.run(Feeds{{x_, Tensor::scalar(value)}}, {}, {{enqueue}});
  }
  std::int64_t get(Output dequeue) {
    return session_.run({}, {{dequeue}})[0].scalar_value<std::int64_t>();
  }
  std::int32_t size(Output q) {
    return session_.run({}, {{op("QueueSizeV2", {q})}})[0].scalar_value<std::int32_t>();
  }
  static void expect_code(Code code, const std::function<void()>& f) {
    try {
      f();
      ADD_FAILURE() << "nothing was thrown";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), code) << error.what();
    }
  }
  // Returns once `count` calls wait at the queues of a session, which another thread has begun.
  static void await_waiting(Session& session, std::int64_t count) {
    const auto waiting = [&] {
      std::int64_t sum = 0;
      for (const auto& resource : session.resources().all())
        if (const auto* queue = dynamic_cast<const Queue*>(resource.get())) sum += queue->waiting();
      return sum;
    };
    for (int i = 0; i < 10'000 && waiting() < count; ++i)
      std::this_thread::sleep_for(milliseconds(1));
    ASSERT_EQ(waiting(), count);
  }

  std::shared_ptr<Graph> graph_ = std::make_shared<Graph>(standard_ops());
  Scope scope_{*graph_};
  const std::vector<DType> types_{DType::i64};
  Output x_ = op("Placeholder", {}, {{"dtype", DType::i64}, {"shape", PartialShape{}}});
  Session session_{graph_};
};

class QueueKinds : public QueueTest, public testing::WithParamInterface<const char*> {};

TEST_P(QueueKinds, many_threads_lose_and_double_nothing) {
  constexpr int kThreads = 4, kEach = 400;
  const Output q = queue(GetParam(), 7);
  Node* enqueue = target("QueueEnqueueV2", {q, list(x_)});
  const Output one = op("QueueDequeueV2", {q}, {{"component_types", types_}});
  const Output some = op("QueueDequeueManyV2", {q, 5}, {{"component_types", types_}});
  std::mutex mutex;
  std::multiset<std::int64_t> seen;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < kEach; ++i) put(enqueue, t * kEach + i);
    });
    threads.emplace_back([&, t] {
      for (int got = 0; got < kEach; got += t % 2 ? 1 : 5) {
        const auto values = session_.run({}, {{t % 2 ? one : some}})[0];
        const std::lock_guard lock(mutex);
        for (const std::int64_t value : values.flat<std::int64_t>()) seen.insert(value);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  ASSERT_EQ(seen.size(), static_cast<std::size_t>(kThreads * kEach));
  std::int64_t next = 0;
  for (const std::int64_t value : seen) EXPECT_EQ(value, next++);
  EXPECT_EQ(size(q), 0);
}
INSTANTIATE_TEST_SUITE_P(Kinds, QueueKinds,
                         testing::Values("FIFOQueueV2", "PaddingFIFOQueueV2",
                                         "RandomShuffleQueueV2"));

TEST_F(QueueTest, serves_in_the_order_of_arrival) {
  const Output q = queue("FIFOQueueV2", 10);
  Node* enqueue = target("QueueEnqueueV2", {q, list(x_)});
  const Output dequeue = op("QueueDequeueV2", {q}, {{"component_types", types_}});
  std::array<std::int64_t, 3> got{};
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < got.size(); ++t) {
    threads.emplace_back([&, t] { got[t] = get(dequeue); });
    await_waiting(session_, static_cast<std::int64_t>(t) + 1);
  }
  for (const std::int64_t value : {5, 6, 7}) put(enqueue, value);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(got, (std::array<std::int64_t, 3>{5, 6, 7}));
}

TEST_F(QueueTest, a_cancelled_step_gives_back_what_it_took) {
  const Output q = queue("FIFOQueueV2", 10);
  Node* enqueue = target("QueueEnqueueV2", {q, list(x_)});
  const Output many = op("QueueDequeueManyV2", {q, 3}, {{"component_types", types_}});
  put(enqueue, 1);
  put(enqueue, 2);
  expect_code(Code::kDeadlineExceeded, [&] { session_.run({}, {{many}}, {}, {.timeout_ms = 50}); });
  EXPECT_EQ(size(q), 2);
  put(enqueue, 3);
  EXPECT_TRUE(identical(session_.run({}, {{many}})[0], Tensor::vector<std::int64_t>({1, 2, 3})));
}

TEST_F(QueueTest, an_error_elsewhere_ends_the_wait) {
  const Output q = queue("FIFOQueueV2", 1);
  const Output dequeue = op("QueueDequeueV2", {q}, {{"component_types", types_}});
  const Output wrong = op("Reshape", {x_, Tensor::vector<std::int32_t>({2})});
  expect_code(Code::kInvalidArgument, [&] {
    session_.run(Feeds{{x_, Tensor::scalar<std::int64_t>(1)}}, {{dequeue, wrong}});
  });
}

TEST_F(QueueTest, a_step_that_waited_goes_on_in_its_own_thread) {
  std::thread::id ran_in;
  const std::string token = add_host_function([&](const std::vector<Tensor>& inputs) {
    ran_in = std::this_thread::get_id();
    return inputs;
  });
  const Output q = queue("FIFOQueueV2", 10);
  Node* enqueue = target("QueueEnqueueV2", {q, list(x_)});
  const Output dequeue = op("QueueDequeueV2", {q}, {{"component_types", types_}});
  const Output after =
      op("PyFunc", {list(dequeue)}, {{"token", token}, {"Tin", types_}, {"Tout", types_}});
  int own_thread = 0;
  for (int i = 0; i < 20; ++i) {
    std::thread consumer([&] { EXPECT_EQ(get(after), i); });
    const auto own = consumer.get_id();
    await_waiting(session_, 1);
    put(enqueue, i);
    consumer.join();
    own_thread += ran_in == own;
  }
  EXPECT_GT(own_thread, 0);  // whoever has not yet begun to sleep is helped out
  remove_host_function(token);
}

TEST_F(QueueTest, closing_wakes_all_waiters) {
  const Output full = queue("FIFOQueueV2", 1), empty = queue("FIFOQueueV2", 1);
  Node* enqueue = target("QueueEnqueueV2", {full, list(x_)});
  const Output dequeue = op("QueueDequeueV2", {empty}, {{"component_types", types_}});
  put(enqueue, 1);
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&] { expect_code(Code::kCancelled, [&] { put(enqueue, 2); }); });
    threads.emplace_back([&] { expect_code(Code::kOutOfRange, [&] { get(dequeue); }); });
  }
  await_waiting(session_, 6);
  run(target("QueueCloseV2", {full}, {{"cancel_pending_enqueues", true}}));
  run(target("QueueCloseV2", {empty}));
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(size(full), 1);
}

TEST_F(QueueTest, closing_the_session_leaves_nothing_behind) {
  constexpr std::int64_t kBytes = 8
                                  << 17;  // too much for the caches of threads, which are not seen
  const std::int64_t before = cpu_allocator().stats().live_bytes;
  {
    Session session(graph_);
    const Output empty = queue("FIFOQueueV2", 2);
    const Output big = op("Fill", {Tensor::vector<std::int64_t>({1 << 17}), x_}, {});
    const Output wide = op("FIFOQueueV2", {}, {{"component_types", types_}, {"capacity", 2}});
    Node* enqueue = target("QueueEnqueueV2", {wide, list(big)});
    const Output dequeue = op("QueueDequeueV2", {empty}, {{"component_types", types_}});
    const Feeds feeds{{x_, Tensor::scalar<std::int64_t>(1)}};
    for (int i = 0; i < 2; ++i) session.run(feeds, {}, {{enqueue}});
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; ++t) {
      threads.emplace_back(
          [&] { expect_code(Code::kCancelled, [&] { session.run(feeds, {}, {{enqueue}}); }); });
      threads.emplace_back(
          [&] { expect_code(Code::kCancelled, [&] { session.run({}, {{dequeue}}); }); });
    }
    await_waiting(session, 6);
    EXPECT_GE(cpu_allocator().stats().live_bytes, before + 5 * kBytes);
    session.close();
    for (std::thread& thread : threads) thread.join();
  }
  EXPECT_LT(cpu_allocator().stats().live_bytes, before + kBytes);
}

TEST_F(QueueTest, cancellation_races_with_service) {
  const Output q = queue("FIFOQueueV2", 1000);
  Node* enqueue = target("QueueEnqueueV2", {q, list(x_)});
  const Output dequeue = op("QueueDequeueV2", {q}, {{"component_types", types_}});
  std::atomic<int> put_count = 0, taken = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 60; ++i) {
        try {
          session_.run({}, {{dequeue}}, {}, {.timeout_ms = 1 + i % 3});
          ++taken;
        } catch (const Error& error) {
          EXPECT_EQ(error.code(), Code::kDeadlineExceeded) << error.what();
        }
      }
    });
  threads.emplace_back([&] {
    for (int i = 0; i < 100; ++i, ++put_count) {
      put(enqueue, i);
      std::this_thread::sleep_for(milliseconds(1));
    }
  });
  for (std::thread& thread : threads) thread.join();
  // A step whose time ran out between taking and returning has lost its element.
  EXPECT_LE(taken + size(q), put_count);
  EXPECT_GT(taken, 0);
}

class StagingTest : public QueueTest {
 protected:
  static AttrMap area(AttrMap more = {}) {
    more.insert({{"shared_name", "area"}, {"dtypes", std::vector{DType::i64}}});
    return more;
  }
  std::int32_t staged() {
    return session_.run({}, {{op("StageSize", {}, area())}})[0].scalar_value<std::int32_t>();
  }
};

TEST_F(StagingTest, a_full_area_waits) {
  Node* stage = target("Stage", {list(x_)}, {{"shared_name", "area"}, {"capacity", 1}});
  const Output unstage = op("Unstage", {}, area());
  put(stage, 1);
  expect_code(Code::kDeadlineExceeded, [&] {
    session_.run(Feeds{{x_, Tensor::scalar<std::int64_t>(2)}}, {}, {{stage}}, {.timeout_ms = 30});
  });
  EXPECT_EQ(staged(), 1);
  std::thread later([&] { put(stage, 3); });
  EXPECT_EQ(get(unstage), 1);
  EXPECT_EQ(get(unstage), 3);
  later.join();
}

TEST_F(StagingTest, threads_stage_and_unstage) {
  Node* stage = target("Stage", {list(x_)}, {{"shared_name", "area"}, {"capacity", 3}});
  const Output unstage = op("Unstage", {}, area()), peek = op("StagePeek", {0}, area());
  std::thread writer([&] {
    for (int i = 0; i < 500; ++i) put(stage, i);
  });
  for (int i = 0; i < 500; ++i) {
    EXPECT_EQ(get(peek), i);
    EXPECT_EQ(get(unstage), i);
  }
  writer.join();
}

TEST_F(StagingTest, a_map_waits_for_its_key) {
  const std::vector<DType> types{DType::i64};
  for (const char* kind : {"Map", "OrderedMap"}) {
    const auto name = [&](const char* what) { return str_cat(kind, what); };
    const Tensor first = Tensor::vector<std::int32_t>({0});
    Node* stage = target(name("Stage"), {Tensor::scalar<std::int64_t>(7), first, list(x_)},
                         {{"shared_name", "area"}, {"dtypes", types}});
    const Output unstage = op(name("Unstage"), {Tensor::scalar<std::int64_t>(7), first}, area());
    const Output other = op(name("Peek"), {Tensor::scalar<std::int64_t>(8), first}, area());
    std::thread later([&] { put(stage, 3); });
    EXPECT_EQ(get(unstage), 3);
    later.join();
    expect_code(Code::kDeadlineExceeded,
                [&] { session_.run({}, {{other}}, {}, {.timeout_ms = 30}); });
  }
}

TEST_F(StagingTest, refuses_indices_that_no_element_has) {
  for (const std::int32_t index : {-1, 1, 1 << 30}) {
    const Output peek =
        op("MapPeek", {Tensor::scalar<std::int64_t>(7), Tensor::vector<std::int32_t>({index})},
           area());
    expect_code(Code::kInvalidArgument, [&] { session_.run({}, {{peek}}); });
  }
  const Output peek = op("StagePeek", {-1}, area());
  expect_code(Code::kInvalidArgument, [&] { session_.run({}, {{peek}}); });
}

TEST_F(QueueTest, tensors_stay_in_the_session) {
  const Output handle = op("GetSessionHandle", {x_});
  const Output name = op("Placeholder", {}, {{"dtype", DType::string}});
  const Output value = op("GetSessionTensor", {name}, {{"dtype", DType::i64}});
  const Output wrong = op("GetSessionTensor", {name}, {{"dtype", DType::f32}});
  Node* forget = target("DeleteSessionTensor", {name});
  const Tensor kept = session_.run(Feeds{{x_, Tensor::scalar<std::int64_t>(5)}}, {{handle}})[0];
  EXPECT_TRUE(
      kept.scalar_value<std::string>().ends_with(";/job:localhost/replica:0/task:0/device:CPU:0"));
  const Feeds feeds{{name, kept}};
  EXPECT_EQ(session_.run(feeds, {{value}})[0].scalar_value<std::int64_t>(), 5);
  expect_code(Code::kInternal, [&] { session_.run(feeds, {{wrong}}); });
  session_.run(feeds, {}, {{forget}});
  expect_code(Code::kInvalidArgument, [&] { session_.run(feeds, {{value}}); });
  expect_code(Code::kInvalidArgument, [&] { session_.run(feeds, {}, {{forget}}); });
  const Output resource = op("GetSessionHandleV2", {x_});
  session_.run(Feeds{{x_, Tensor::scalar<std::int64_t>(5)}}, {}, {{resource.node}});
}

}  // namespace
}  // namespace rill
