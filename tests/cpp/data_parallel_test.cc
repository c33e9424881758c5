// Input pipelines with work in the background: order, limits, errors, ends of all kinds.
#include <algorithm>
#include <limits>
#include <map>

#include "rill/tensor/allocator.h"
#include "rill/tensor/list_value.h"
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

TEST_F(DataParallel, errors_come_in_their_place_and_the_walk_goes_on) {
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

TEST_F(DataParallel, cheap_and_dear_calls_take_turns) {
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
  EXPECT_TRUE(becomes_quiet());
  const int filled = calls.total;  // the first was taken before or after the rest had come
  EXPECT_TRUE(filled == 10 || filled == 11) << filled;
  EXPECT_EQ(read(session, reader, 3), "1 2 3");
  EXPECT_EQ(calls.total, filled);  // more than half are there
  EXPECT_EQ(read(session, reader, 4), "4 5 6 7");
  EXPECT_TRUE(becomes_quiet());
  EXPECT_GT(calls.total, filled);
  EXPECT_EQ(calls.most, 1);
}

TEST_F(DataParallel, an_end_stays_an_end) {
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

TEST_F(DataGenerator, without_end_behind_workers_stops_with_its_session) {
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

TEST_F(DataParallel, closing_wakes_a_step_that_waits) {
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

TEST_F(DataParallel, walks_that_are_replaced_in_the_middle_leave_nothing) {
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

class DataInterleave : public DataTest {
 protected:
  // x gives x, x, ... x times.
  static DefinedFunction repeated() {
    return function([](const Outputs& x) {
      const Output filled = raw::Fill(raw::ExpandDims(x[0], constant(0)), x[0]);
      return Outputs{current_scope()
                         .add("TensorSliceDataset", {InputArg(std::vector<Input>{filled})},
                              {{"output_shapes", std::vector<PartialShape>{PartialShape()}}})
                         .output()};
    });
  }
  static Output from_one(std::int64_t last) {
    Tensor values(DType::i64, {last});
    for (std::int64_t i = 0; i < last; ++i) values.data<std::int64_t>()[i] = i + 1;
    return rows(std::move(values));
  }
  static Output interleaved(std::int64_t cycle, std::int64_t block, std::int64_t calls) {
    std::vector<InputArg> sizes{Input(number(cycle)), Input(number(block))};
    if (calls > 0) sizes.emplace_back(Input(number(calls)));
    return applied(calls > 0 ? "ParallelInterleaveDatasetV2" : "InterleaveDataset", from_one(5),
                   repeated(), std::move(sizes));
  }
  static Output replacing(std::int64_t cycle, std::int64_t block, std::int64_t buffer,
                          std::int64_t ahead) {
    return applied(
        "ParallelInterleaveDataset", from_one(5), repeated(),
        {Input(number(cycle)), Input(number(block)), Input(constant(Tensor::scalar(false))),
         Input(number(buffer)), Input(number(ahead))});
  }
};

// What TensorFlow gives for these.
TEST_F(DataInterleave, order) {
  EXPECT_EQ(read(applied("FlatMapDataset", from_one(3), repeated())), "1 2 2 3 3 3 end");
  const std::string two_by_two = "1 2 2 3 3 3 4 4 5 5 4 4 5 5 5 end";
  EXPECT_EQ(read(interleaved(2, 2, 0)), two_by_two);
  EXPECT_EQ(read(interleaved(2, 2, 1)), two_by_two);
  EXPECT_EQ(read(interleaved(2, 2, 2)), two_by_two);
  for (const std::int64_t cycle : {1, 2, 3, 5, 9})
    for (const std::int64_t block : {1, 2, 3})
      EXPECT_EQ(read(interleaved(cycle, block, 1)), read(interleaved(cycle, block, 0)));
  EXPECT_EQ(read(replacing(2, 1, 1, 2)), "1 2 2 3 3 4 3 4 4 5 4 5 5 5 5 end");
  EXPECT_EQ(read(replacing(2, 2, 1, 0)), two_by_two);
  EXPECT_EQ(read(replacing(3, 2, 2, 3)), "1 2 2 3 3 4 4 3 4 5 5 4 5 5 5 end");
  EXPECT_EQ(read(replacing(3, 1, 1, 1)), "1 2 3 2 3 4 3 4 5 4 5 4 5 5 5 end");
  EXPECT_TRUE(becomes_quiet());
}

// As TensorFlow: an error is an element of its block only where datasets are read ahead.
TEST_F(DataInterleave, errors) {
  const auto f = hosted([](std::int64_t x) {
    require(x != 2, "bad");
    return x;
  });
  const auto three_from = function([&](const Outputs& x) {
    const Output values = raw::Add(x[0], constant(Tensor::vector<std::int64_t>({0, 1, 2})));
    return Outputs{applied("MapDataset",
                           current_scope()
                               .add("TensorSliceDataset", {InputArg(std::vector<Input>{values})},
                                    {{"output_shapes", std::vector<PartialShape>(1)}})
                               .output(),
                           f)};
  });
  const auto interleaved = [&](const char* op, std::vector<InputArg> sizes) {
    return read(applied(op, range(3), three_from, std::move(sizes)));
  };
  const std::vector<InputArg> two{Input(number(2)), Input(number(2))};
  EXPECT_EQ(interleaved("InterleaveDataset", two),
            "0 1 1 !InvalidArgument 3 !InvalidArgument !InvalidArgument 3 4 end");
  EXPECT_EQ(interleaved("ParallelInterleaveDatasetV2", {two[0], two[1], Input(number(2))}),
            "0 1 1 !InvalidArgument !InvalidArgument 3 !InvalidArgument 3 4 end");
}

// Every stage at every position: what follows a saved position follows a restored one.
class DataPositions : public DataInterleave {
 protected:
  void check(Output dataset, int length) {
    const Reader reader(dataset);
    Session session(default_graph());
    start(session, reader);
    const std::string all = read(session, reader);
    for (int at = 0; at <= length; at += 3) {
      start(session, reader);
      std::string before = read(session, reader, at);
      const Tensor position = save(session, reader);
      const std::string rest = read(session, reader);
      EXPECT_EQ(at == 0 ? rest : before + " " + rest, all);
      Session other(default_graph());
      start(other, reader);
      restore(other, reader, position);
      EXPECT_EQ(read(other, reader), rest) << "after " << at;
    }
  }
  static DefinedFunction plain() {
    return function([](const Outputs& x) { return Outputs{raw::Add(x[0], number(1))}; });
  }
  static DefinedFunction slow() {
    return hosted([](std::int64_t x) {
      rest(200);
      require(x != 7, "bad");
      return x;
    });
  }
};

TEST_F(DataPositions, of_maps) {
  check(applied("MapDataset", range(12), plain()), 12);
  check(parallel_map(range(12), plain(), 3), 12);
  check(parallel_map(range(12), slow(), 3), 12);
  check(prefetch(parallel_map(range(12), slow(), 2), 4), 12);
  check(prefetch(prefetch(range(12), 3), -1), 12);
}

TEST_F(DataPositions, of_interleaves) {
  check(applied("FlatMapDataset", from_one(5), repeated()), 15);
  check(interleaved(3, 2, 0), 15);
  check(interleaved(3, 2, 2), 15);
  check(replacing(2, 1, 1, 2), 15);
  check(prefetch(interleaved(4, 1, 4), 3), 15);
}

TEST_F(DataPositions, of_batches) {
  const auto f = slow();
  check(applied("MapAndBatchDataset", range(22), f,
                {Input(number(4)), Input(number(3)), Input(constant(Tensor::scalar(false)))}),
        6);
}

// Positions of which one number is wrong or missing may be refused, no more.
class DataHostilePositions : public DataPositions {
 protected:
  using State = std::map<std::string, Tensor>;

  static const Tensor& in_list(const Variant& variant) {
    return variant.get<ListValue>()->elements[0];
  }
  static Variant as_list(const Tensor& value) {
    auto list = std::make_shared<ListValue>(value.dtype(), PartialShape());
    list->push_back(value);
    return to_variant(std::shared_ptr<const ListValue>(std::move(list)));
  }
  static State state_of(const Tensor& position) {
    const auto parts = position.flat<Variant>();
    const auto keys = in_list(parts[0]).flat<std::string>();
    State state;
    for (std::size_t i = 0; i < keys.size(); ++i) state[keys[i]] = in_list(parts[i + 1]);
    return state;
  }
  static Tensor position_of(const State& state) {
    const auto count = static_cast<std::int64_t>(state.size());
    Tensor keys(DType::string, {count}), position(DType::variant, {count + 1});
    std::size_t i = 0;
    for (const auto& [key, value] : state) {
      keys.flat<std::string>()[i++] = key;
      position.flat<Variant>()[i] = as_list(value);
    }
    position.flat<Variant>()[0] = as_list(keys);
    return position;
  }
  // What is said of the position: an error, or nothing.
  static std::string went_on(const Reader& reader, const State& state) {
    Session session(default_graph());
    start(session, reader);
    try {
      restore(session, reader, position_of(state));
      read(session, reader, 4);
    } catch (const Error& error) {
      EXPECT_NE(error.code(), Code::kInternal) << error.message();
      return error.message();
    }
    return "";
  }

  // Both after `at` elements, in the middle of blocks.
  static State saved(const Reader& reader, int at) {
    Session session(default_graph());
    start(session, reader);
    read(session, reader, at);
    return state_of(save(session, reader));
  }
  static void check_all(Output dataset) {
    const Reader reader(dataset);
    const State state = saved(reader, 3);
    for (const auto& [key, value] : state) {
      State other = state;
      other.erase(key);
      went_on(reader, other);
      if (value.dtype() != DType::i64 || value.rank() > 0) continue;
      for (const std::int64_t wrong :
           {std::numeric_limits<std::int64_t>::min(), std::int64_t{-1}, std::int64_t{3},
            std::int64_t{1} << 40, std::numeric_limits<std::int64_t>::max()}) {
        other[key] = Tensor::scalar(wrong);
        went_on(reader, other);
      }
    }
  }
  static void expect_refused(Output dataset, const char* key, std::int64_t wrong) {
    const Reader reader(dataset);
    State state = saved(reader, 3);
    const auto found =
        std::ranges::find_if(state, [&](const auto& entry) { return entry.first.ends_with(key); });
    ASSERT_NE(found, state.end());
    found->second = Tensor::scalar(wrong);
    EXPECT_NE(went_on(reader, state).find(str_cat(key, ", which is at most")), std::string::npos)
        << key << " of " << wrong;
  }
};

TEST_F(DataHostilePositions, do_no_harm) {
  check_all(applied("FlatMapDataset", from_one(5), repeated()));
  for (const int calls : {0, 2}) check_all(interleaved(3, 2, calls));
  check_all(replacing(2, 1, 1, 2));
  check_all(parallel_map(range(12), plain(), 3));
  check_all(prefetch(parallel_map(range(12), slow(), 2), -1));
  check_all(applied("MapAndBatchDataset", range(22), plain(),
                    {Input(number(4)), Input(number(3)), Input(constant(Tensor::scalar(false)))}));
  EXPECT_TRUE(becomes_quiet());
}

// Places that a cycle cannot have would be made room for.
TEST_F(DataHostilePositions, of_interleaves_are_within_the_cycle) {
  for (const Output& dataset : {interleaved(3, 2, 0), interleaved(3, 2, 2), replacing(3, 2, 1, 2)})
    for (const auto& [key, wrong] : {std::pair("turn", 3),
                                     {"turn", 1 << 30},
                                     {"turn", -1},
                                     {"cycle", 4},
                                     {"in_block", 2},
                                     {"in_block", -1}})
      expect_refused(dataset, key, wrong);
  expect_refused(prefetch(range(9), -1), "limit", 1 << 20);
}

}  // namespace
}  // namespace rill
