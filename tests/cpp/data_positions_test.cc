// Interleaved datasets, and the positions of stages with work in the background: those that were
// saved and those that were not.
#include <algorithm>
#include <limits>
#include <map>

#include "rill/tensor/list_value.h"
#include "tests/cpp/data_stage_testing.h"

namespace rill {
namespace {

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
