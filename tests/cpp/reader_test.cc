// Readers and those who wait at them; what they read, tests/script/io tells.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <mutex>
#include <thread>

#include "rill/base/files.h"
#include "rill/graph/scope.h"
#include "rill/ops/queue/queue.h"
#include "rill/ops/register.h"
#include "rill/runtime/session/session.h"

namespace rill {
namespace {

using std::chrono::milliseconds;
using Texts = std::vector<std::string>;

class ReaderTest : public testing::Test {
 protected:
  explicit ReaderTest(int threads = 0) : session_(graph_, {.intra_op_threads = threads}) {}
  Node& add(std::string_view type, std::vector<InputArg> inputs, AttrMap attrs = {}) {
    return scope_.add(type, std::move(inputs), std::move(attrs));
  }
  Output queue(const char* kind) {
    return add(kind, {}, {{"component_types", std::vector{DType::string}}, {"capacity", -1}})
        .output();
  }
  void put(Output q, const Texts& works, const char* op = "QueueEnqueueManyV2") {
    const Output values =
        add("Const", {}, {{"dtype", DType::string}, {"value", vector_of(works)}}).output();
    session_.run({}, {}, {{&add(op, {q, std::vector<Input>{values}})}});
  }
  static Tensor vector_of(const Texts& texts) {
    Tensor all(DType::string, {static_cast<std::int64_t>(texts.size())});
    std::ranges::copy(texts, all.data<std::string>());
    return all;
  }
  static Texts texts(const Tensor& t) {
    return {t.flat<std::string>().begin(), t.flat<std::string>().end()};
  }
  static void expect_code(Code code, const std::function<void()>& f) {
    try {
      f();
      ADD_FAILURE() << "nothing was thrown";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), code) << error.what();
    }
  }
  void await_waiting(std::int64_t count) {
    const auto waiting = [&] {
      std::int64_t sum = 0;
      for (const auto& resource : session_.resources().all())
        if (const auto* q = dynamic_cast<const Queue*>(resource.get())) sum += q->waiting();
      return sum;
    };
    for (int i = 0; i < 10'000 && waiting() < count; ++i)
      std::this_thread::sleep_for(milliseconds(1));
    ASSERT_EQ(waiting(), count);
  }
  // Neither many empty files nor a long line of calls makes a deep stack.
  void read_many_works_without_a_record() {
    write_file(std::string("ram://reader_test/empty"), "");
    write_file(std::string("ram://reader_test/one"), "x");
    const Output q = queue("FIFOQueueV2");
    Node& read = add("ReaderReadV2", {add("TextLineReaderV2", {}).output(), q});
    Texts works(100'000, "ram://reader_test/empty");
    works.push_back("ram://reader_test/one");
    put(q, works);
    EXPECT_EQ(texts(session_.run({}, {{read.output(1)}})[0]), Texts({"x"}));
  }
  void read_in_a_long_line() {
    constexpr int kCount = 5'000;
    const Output q = queue("FIFOQueueV2"), reader = add("IdentityReaderV2", {}).output();
    std::vector<Output> reads;
    for (int i = 0; i < kCount; ++i) reads.push_back(add("ReaderReadV2", {reader, q}).output());
    Texts works;
    for (int i = 0; i < kCount; ++i) works.push_back(std::to_string(i));
    std::vector<Tensor> got;
    std::thread all([&] { got = session_.run({}, reads); });
    await_waiting(1);
    put(q, works);
    all.join();
    Texts seen;
    for (const Tensor& t : got) seen.push_back(t.scalar_value<std::string>());
    std::ranges::sort(seen);
    std::ranges::sort(works);
    EXPECT_EQ(seen, works);
  }

  std::shared_ptr<Graph> graph_ = std::make_shared<Graph>(standard_ops());
  Scope scope_{*graph_};
  Session session_;
};

// Without threads that others' work could be given to.
class ReaderOnOneThread : public ReaderTest {
 protected:
  ReaderOnOneThread() : ReaderTest(1) {}
};

TEST_F(ReaderTest, older_forms_in_an_older_graph) {
  graph_->versions.producer = 25;
  write_file(std::string("ram://reader_test/old"), "one\ntwo\n");
  const Output q = queue("FIFOQueue");
  const auto read = [&](const char* kind, AttrMap attrs) {
    put(q, {"ram://reader_test/old"}, "QueueEnqueueMany");
    Node& some =
        add("ReaderReadUpTo", {add(kind, {}, std::move(attrs)).output(), q, std::int64_t{10}});
    return texts(session_.run({}, {{some.output(1)}})[0]);
  };
  EXPECT_EQ(read("TextLineReader", {{"skip_header_lines", 1}}), Texts({"two"}));
  EXPECT_EQ(read("FixedLengthRecordReader",
                 {{"header_bytes", 1}, {"record_bytes", 3}, {"footer_bytes", 1}}),
            Texts({"ne\n", "two"}));
  EXPECT_EQ(read("IdentityReader", {}), Texts({"ram://reader_test/old"}));
  expect_code(Code::kDataLoss, [&] { read("TFRecordReader", {}); });
}

TEST_F(ReaderTest, a_waiting_read_can_be_cancelled) {
  const Output q = queue("FIFOQueueV2"), reader = add("IdentityReaderV2", {}).output();
  const Output read = add("ReaderReadV2", {reader, q}).output();
  Texts got(1);
  std::thread first([&] { got[0] = texts(session_.run({}, {{read}})[0])[0]; });
  await_waiting(1);
  expect_code(Code::kDeadlineExceeded, [&] { session_.run({}, {{read}}, {}, {.timeout_ms = 50}); });
  // What is asked of the counts is answered at once.
  const Output count = add("ReaderNumRecordsProducedV2", {reader}).output();
  EXPECT_EQ(session_.run({}, {{count}})[0].scalar_value<std::int64_t>(), 0);
  put(q, {"a", "b"});
  first.join();
  EXPECT_EQ(got[0], "a");
  EXPECT_EQ(texts(session_.run({}, {{read}})[0]), Texts({"b"}));
}

TEST_F(ReaderTest, a_wait_that_is_cut_short_leaves_the_reader_usable) {
  const Output q = queue("FIFOQueueV2");
  const Output read = add("ReaderReadV2", {add("IdentityReaderV2", {}).output(), q}).output();
  for (int i = 0; i < 3; ++i)
    expect_code(Code::kDeadlineExceeded,
                [&] { session_.run({}, {{read}}, {}, {.timeout_ms = 20}); });
  put(q, {"a"});
  EXPECT_EQ(texts(session_.run({}, {{read}})[0]), Texts({"a"}));
}

TEST_F(ReaderTest, many_works_without_a_record) { read_many_works_without_a_record(); }
TEST_F(ReaderTest, in_a_long_line) { read_in_a_long_line(); }
TEST_F(ReaderOnOneThread, many_works_without_a_record) { read_many_works_without_a_record(); }
TEST_F(ReaderOnOneThread, in_a_long_line) { read_in_a_long_line(); }

TEST_F(ReaderTest, many_threads_lose_and_double_no_line) {
  constexpr int kThreads = 4, kLines = 500, kFiles = 8;
  std::string text;
  for (int i = 0; i < kLines; ++i) text += std::to_string(i) + "\n";
  write_file(std::string("ram://reader_test/lines"), text);
  const Output q = queue("FIFOQueueV2");
  put(q, Texts(kFiles, "ram://reader_test/lines"));
  Node& read = add("ReaderReadV2", {add("TextLineReaderV2", {}).output(), q});
  std::vector<int> seen(kLines);
  std::mutex mutex;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < kLines * kFiles / kThreads; ++i) {
        const auto value = session_.run({}, {{read.output(1)}})[0].scalar_value<std::string>();
        const std::lock_guard lock(mutex);
        ++seen.at(static_cast<std::size_t>(std::stoi(value)));
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(seen, std::vector<int>(kLines, kFiles));
}

}  // namespace
}  // namespace rill
