// Input pipelines with work in the background: order, limits, errors, ends of all kinds.
#include "rill/tensor/allocator.h"
#include "tests/cpp/data_stage_testing.h"

namespace rill {
namespace {

class DataParallel : public DataTest {};

std::int64_t uneven_rest(std::int64_t x) { return (x * 7919) % 13 * 150; }

TEST_F(DataParallel, map_keeps_the_order_and_the_limit) {
  InFlight calls;
  const auto f = hosted([&](std::int64_t x) {
    const InFlight::Call call(calls);
    rest(static_cast<int>(uneven_rest(x)));
    return 10 * x;
  });
  EXPECT_EQ(read(parallel_map(range(60), f, 4)),
            numbers(60, [](std::int64_t i) { return str_cat(10 * i); }));
  EXPECT_LE(calls.most, 4);
  EXPECT_GT(calls.most, 1);
  EXPECT_EQ(calls.total, 60);
  EXPECT_TRUE(becomes_quiet());
}

TEST_F(DataParallel, map_reads_ahead_so_far_and_no_farther) {
  InFlight calls;
  const auto f = hosted([&](std::int64_t x) {
    const InFlight::Call call(calls);
    rest(300);
    return x;
  });
  const Reader reader(parallel_map(range(1000), f, 3));
  Session session(default_graph());
  start(session, reader);
  EXPECT_EQ(read(session, reader, 5), "0 1 2 3 4");
  EXPECT_TRUE(becomes_quiet());  // while nobody asks, nobody works
  EXPECT_LE(calls.total, 5 + 2 * 3);
  EXPECT_GE(calls.total, 5 + 3);
}

TEST_F(DataParallel, errors_keep_their_position_and_iteration_continues) {
  const auto f = hosted([](std::int64_t x) {
    rest(static_cast<int>(uneven_rest(x)));
    require(x % 5 != 3, "bad ", x);
    return x;
  });
  const std::string wanted =
      numbers(20, [](std::int64_t i) { return i % 5 == 3 ? "!InvalidArgument" : str_cat(i); });
  EXPECT_EQ(read(applied("MapDataset", range(20), f)), wanted);
  EXPECT_EQ(read(parallel_map(range(20), f, 4)), wanted);
  EXPECT_EQ(read(prefetch(parallel_map(range(20), f, 4), 3)), wanted);
  EXPECT_EQ(read(prefetch(applied("MapDataset", range(20), f), -1)), wanted);
}

TEST_F(DataParallel, a_sloppy_map_gives_everything_once) {
  const auto f = hosted([](std::int64_t x) {
    rest(static_cast<int>(uneven_rest(x)));
    return x;
  });
  std::string text = read(parallel_map(range(50), f, 5, true));
  std::istringstream words(text);
  std::set<std::string> seen;
  for (std::string word; words >> word;) EXPECT_TRUE(seen.insert(word).second) << word;
  EXPECT_EQ(seen.size(), 51u);
}

TEST_F(DataParallel, cheap_and_expensive_calls_alternate) {
  const auto f = hosted([](std::int64_t x) {
    if (x % 100 == 99) rest(2000);
    return x;
  });
  EXPECT_EQ(read(parallel_map(range(900), f, 3)),
            numbers(900, [](std::int64_t i) { return str_cat(i); }));
}

TEST_F(DataParallel, prefetch_fills_its_buffer_and_rests) {
  InFlight calls;
  const auto f = hosted([&](std::int64_t x) {
    const InFlight::Call call(calls);
    return x;
  });
  const Reader reader(prefetch(applied("MapDataset", range(100), f), 10));
  Session session(default_graph());
  start(session, reader);
  EXPECT_EQ(read(session, reader, 1), "0");
  // Ten lie ready beside what was taken, and each that is taken is made up for at once.
  EXPECT_TRUE(becomes_quiet());
  EXPECT_EQ(calls.total, 11);
  EXPECT_EQ(read(session, reader, 3), "1 2 3");
  EXPECT_TRUE(becomes_quiet());
  EXPECT_EQ(calls.total, 14);
  EXPECT_EQ(calls.most, 1);
}

TEST_F(DataParallel, end_of_sequence_is_final) {
  const Reader reader(
      prefetch(parallel_map(range(3), hosted([](std::int64_t x) { return x; }), 2), 2));
  Session session(default_graph());
  start(session, reader);
  EXPECT_EQ(read(session, reader), "0 1 2 end");
  for (int i = 0; i < 3; ++i) EXPECT_EQ(read(session, reader), "end");
}

// A generator without end: each walk has a number of its own.
class DataGenerator : public DataTest {
 protected:
  Output generator(std::int64_t limit = -1) {
    const auto init = function(
        [this](const Outputs&) {
          return host_function(
              [this](const std::vector<Tensor>&) {
                return std::vector<Tensor>{Tensor::scalar(std::int64_t{started++})};
              },
              {}, {DType::i64});
        },
        {});
    const auto next = function([this, limit](const Outputs& x) {
      return host_function(
          [this, limit](const std::vector<Tensor>&) {
            const std::int64_t now = given++;
            if (limit >= 0 && now >= limit) raise(Code::kOutOfRange, "no more");
            return std::vector<Tensor>{Tensor::scalar(now)};
          },
          {x[0]}, {DType::i64});
    });
    const auto finalize = function([this](const Outputs& x) {
      return host_function(
          [this](const std::vector<Tensor>& in) {
            ++finalized;
            return in;
          },
          {x[0]}, {DType::i64});
    });
    const AttrValue none = AttrValue::empty_list(AttrKind::kType);
    const InputArg nothing{std::vector<Input>()};
    return stage("GeneratorDataset", {nothing, nothing, nothing},
                 {{"init_func", name(init)},
                  {"next_func", name(next)},
                  {"finalize_func", name(finalize)},
                  {"Tinit_func_args", none},
                  {"Tnext_func_args", none},
                  {"Tfinalize_func_args", none}});
  }
  bool becomes_finalized(int count) {
    for (int i = 0; i < 1000 && finalized < count; ++i) rest(5000);
    return finalized == count;
  }
  std::atomic<int> started{0}, finalized{0};
  std::atomic<std::int64_t> given{0};
};

TEST_F(DataGenerator, gives_until_it_says_so_and_is_finalized_once) {
  const Reader reader(generator(3));
  Session session(default_graph());
  start(session, reader);
  EXPECT_EQ(started, 0);  // nobody has asked
  EXPECT_EQ(read(session, reader), "0 1 2 end");
  EXPECT_EQ(read(session, reader), "end");
  EXPECT_EQ(started, 1);
  EXPECT_EQ(finalized, 1);
  start(session, reader);
  EXPECT_TRUE(becomes_quiet());
  EXPECT_EQ(finalized, 1);
}

TEST_F(DataGenerator, is_finalized_when_its_walk_is_replaced_or_its_session_goes) {
  const Reader reader(generator());
  {
    Session session(default_graph());
    start(session, reader);
    EXPECT_EQ(read(session, reader, 2), "0 1");
    start(session, reader);
    EXPECT_TRUE(becomes_finalized(1));
    EXPECT_EQ(read(session, reader, 2), "2 3");
  }
  EXPECT_EQ(finalized, 2);  // by the time the session is gone
  EXPECT_TRUE(becomes_quiet());
}

TEST_F(DataGenerator, infinite_generators_stop_with_their_session) {
  for (int round = 0; round < 20; ++round) {
    const AsDefault graph(make_graph());
    const auto f = hosted([](std::int64_t x) {
      rest(100);
      return x;
    });
    const Reader reader(prefetch(parallel_map(prefetch(generator(), 4), f, 3), 5));
    Session session(default_graph());
    start(session, reader);
    read(session, reader, round);
    if (round % 3 == 1) session.close();
    if (round % 3 == 2) start(session, reader);
  }
  EXPECT_TRUE(becomes_quiet());
  EXPECT_EQ(started, finalized);
}

TEST_F(DataParallel, closing_cancels_a_blocked_step) {
  const auto f = hosted([](std::int64_t x) {
    rest(20'000);
    return x;
  });
  const Reader reader(prefetch(parallel_map(range(1'000'000), f, 2), 2));
  Session session(default_graph());
  start(session, reader);
  std::thread closer([&] {
    rest(50'000);
    session.close();
  });
  const std::string text = read(session, reader);
  closer.join();
  EXPECT_TRUE(text.ends_with("!Cancelled")) << text;
  EXPECT_TRUE(becomes_quiet());
}

TEST_F(DataParallel, iterators_replaced_midway_leak_nothing) {
  const auto f = hosted([](std::int64_t x) {
    rest(50);
    return x;
  });
  const Reader reader(prefetch(parallel_map(range(100'000), f, 4), 8));
  Session session(default_graph());
  for (int round = 0; round < 100; ++round) {
    start(session, reader);
    if (round % 2 == 0) {
      EXPECT_EQ(read(session, reader, 2), "0 1");
    }
  }
  start(session, reader);
  EXPECT_EQ(read(session, reader, 3), "0 1 2");
  EXPECT_TRUE(becomes_quiet());
}

// Elements of a MiB lie in buffers of several stages when the session ends; small blocks of threads
// are counted late.
TEST_F(DataParallel, sessions_closed_in_the_middle_leave_no_memory) {
  const auto live = [] { return cpu_allocator().stats().live_bytes; };
  const auto one_session = [&](bool close) {
    const AsDefault graph(make_graph());
    const auto f = function([](const Outputs& x) {
      return Outputs{raw::Fill(constant(Tensor::vector<std::int32_t>({1 << 17})), x[0])};
    });
    const Reader reader(prefetch(parallel_map(prefetch(range(10'000), 4), f, 3), 8));
    Session session(default_graph());
    start(session, reader);
    read(session, reader, 5);
    const std::int64_t during = live();
    if (close) session.close();
    return during;
  };
  one_session(true);
  EXPECT_TRUE(becomes_quiet());
  const std::int64_t before = live();
  for (int round = 0; round < 10; ++round) {
    EXPECT_GT(one_session(round % 2 == 0), before + (1 << 20));
    EXPECT_TRUE(becomes_quiet());
    EXPECT_LT(live(), before + (1 << 19)) << "after round " << round;
  }
}

TEST_F(DataParallel, map_and_batch_fills_batches_in_order) {
  InFlight calls;
  const auto f = hosted([&](std::int64_t x) {
    const InFlight::Call call(calls);
    rest(static_cast<int>(uneven_rest(x)));
    require(x != 9, "bad");
    return x;
  });
  const auto batched = [&](bool drop) {
    return applied("MapAndBatchDataset", range(22), f,
                   {Input(number(4)), Input(number(5)), Input(constant(Tensor::scalar(drop)))});
  };
  EXPECT_EQ(read(batched(false)),
            "[0 1 2 3] [4 5 6 7] !InvalidArgument [12 13 14 15] [16 17 18 19] [20 21] end");
  EXPECT_EQ(read(batched(true)),
            "[0 1 2 3] [4 5 6 7] !InvalidArgument [12 13 14 15] [16 17 18 19] end");
  EXPECT_LE(calls.most, 5);
  EXPECT_GT(calls.most, 1);
  EXPECT_TRUE(becomes_quiet());
}

}  // namespace
}  // namespace rill
