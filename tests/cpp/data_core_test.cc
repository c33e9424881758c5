// Stages of input pipelines that call no functions: what they give, how they are saved and taken up
// again behind every element (all() does), and what they refuse.
#include <limits>

#include "rill/tensor/variant.h"
#include "tests/cpp/data_testing.h"

namespace rill {
namespace {

class DataCoreTest : public DataFixture {
 protected:
  Output shuffled(Output input, std::int64_t buffer, int seed, int seed2, bool reshuffle = true) {
    return node("ShuffleDataset", {input, buffer, seed, seed2},
                with(numbers(), "reshuffle_each_iteration", reshuffle));
  }
  Output repeated(Output input, std::int64_t count) {
    return node("RepeatDataset", {input, count}, numbers());
  }
  static Texts listed(std::initializer_list<int> values) {
    Texts texts;
    for (const int value : values) texts.push_back(str_cat(value));
    texts.push_back("END");
    return texts;
  }
};

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();

TEST_F(DataCoreTest, ranges_count_up_and_down) {
  EXPECT_EQ(all(range(2, 9, 3)), listed({2, 5, 8}));
  EXPECT_EQ(all(range(3, -4, -3)), listed({3, 0, -3}));
  EXPECT_EQ(all(range(3, 3)), listed({}));
  EXPECT_EQ(all(range(3, 1)), listed({}));
  EXPECT_EQ(error_of(range(0, 3, 0)), "InvalidArgument: step must be a non-zero integer.");
}

TEST_F(DataCoreTest, ranges_do_not_run_over) {
  EXPECT_EQ(all(range(kMax - 1, kMax, 5)), (Texts{str_cat(kMax - 1), "END"}));
  EXPECT_EQ(all(range(kLeast, kMax, kMax)),
            (Texts{str_cat(kLeast), "-1", str_cat(kMax - 1), "END"}));
  EXPECT_EQ(size_of(range(kLeast, kMax, 1)), kMax);
}

TEST_F(DataCoreTest, batches_hold_the_next_elements) {
  EXPECT_EQ(all(batches(range(0, 7), 3)), (Texts{"[0 1 2]", "[3 4 5]", "[6]", "END"}));
  EXPECT_EQ(all(batches(range(0, 7), 3, true)), (Texts{"[0 1 2]", "[3 4 5]", "END"}));
  EXPECT_EQ(all(batches(range(0, 2), kMax)), (Texts{"[0 1]", "END"}));
  EXPECT_EQ(all(batches(range(0, 2), kMax, true)), (Texts{"END"}));
  EXPECT_EQ(all(node("BatchDataset", {range(0, 3), 2}, vectors())), (Texts{"[0 1]", "[2]", "END"}));
  EXPECT_EQ(error_of(batches(range(0, 2), 0)),
            "InvalidArgument: Batch size must be greater than zero.");
  EXPECT_EQ(error_of(batches(range(0, 2), kLeast)),
            "InvalidArgument: Batch size must be greater than zero.");
}

TEST_F(DataCoreTest, rows_of_one_tensor_become_batches_without_a_copy) {
  const Tensor rows = Tensor::of<std::int64_t>({4, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
  const auto iterator = walk(dataset(batches(slices(rows), 2)));
  Element first, second;
  ASSERT_TRUE(iterator->next(first) && iterator->next(second));
  EXPECT_EQ(text_of(first), "[[1 2][3 4]]");
  EXPECT_EQ(text_of(second), "[[5 6][7 8]]");
  EXPECT_TRUE(first[0].shares_storage(second[0]));
  EXPECT_FALSE(first[0].is_exclusive());
}

TEST_F(DataCoreTest, batches_of_strings_and_of_what_is_large) {
  const Tensor texts = Tensor::vector<std::string>({"a", "bb", "", "dd"});
  EXPECT_EQ(all(batches(shuffled(slices(texts), 1, 1, 1), 3)), (Texts{"[a bb ]", "[dd]", "END"}));
  Tensor large(DType::f32, {4, 300'000});
  for (std::int64_t i = 0; i < large.element_count(); ++i)
    large.data<float>()[i] = static_cast<float>(i % 1000);
  Element batch;
  ASSERT_TRUE(walk(dataset(batches(shuffled(slices(large), 4, 1, 1), 4)))->next(batch));
  ASSERT_EQ(batch[0].shape(), large.shape());
  for (std::int64_t row = 0; row < 4; ++row)
    EXPECT_EQ(batch[0].data<float>()[row * 300'000 + 299'999], 999.0F) << row;
}

TEST_F(DataCoreTest, batches_want_equal_shapes) {
  const Output ragged =
      node("ConcatenateDataset", {batches(range(0, 2), 2), batches(range(0, 9), 3)}, vectors());
  EXPECT_EQ(all(batches(ragged, 2)),
            (Texts{"InvalidArgument: Cannot batch tensors with different shapes in component 0. "
                   "First element had shape [2] and element 1 had shape [3].",
                   "[[3 4 5][6 7 8]]", "END"}));
}

TEST_F(DataCoreTest, repeats) {
  EXPECT_EQ(all(repeated(range(0, 2), 3)), listed({0, 1, 0, 1, 0, 1}));
  EXPECT_EQ(all(repeated(range(0, 2), 0)), listed({}));
  EXPECT_EQ(all(repeated(range(0, 2), -1), 5), (Texts{"0", "1", "0", "1", "0"}));
  EXPECT_EQ(all(repeated(range(0, 0), -1)), listed({}));
  EXPECT_EQ(size_of(repeated(range(0, 2), -7)), kInfiniteSize);
  EXPECT_EQ(size_of(repeated(range(0, kMax), kMax)), kUnknownSize);
}

TEST_F(DataCoreTest, takes_skips_and_shards) {
  const auto take = [&](std::int64_t n) {
    return node("TakeDataset", {range(0, 5), n}, numbers());
  };
  const auto skip = [&](std::int64_t n) {
    return node("SkipDataset", {range(0, 5), n}, numbers());
  };
  const auto shard = [&](std::int64_t count, std::int64_t i, bool non_empty = false) {
    return node("ShardDataset", {range(0, 5), count, i},
                with(numbers(), "require_non_empty", non_empty));
  };
  EXPECT_EQ(all(take(2)), listed({0, 1}));
  EXPECT_EQ(all(take(-1)), listed({0, 1, 2, 3, 4}));
  EXPECT_EQ(all(take(kMax)), listed({0, 1, 2, 3, 4}));
  EXPECT_EQ(all(skip(3)), listed({3, 4}));
  EXPECT_EQ(all(skip(kMax)), listed({}));
  EXPECT_EQ(all(skip(-1)), listed({}));
  EXPECT_EQ(all(shard(2, 1)), listed({1, 3}));
  EXPECT_EQ(all(shard(kMax, 4)), listed({4}));
  EXPECT_EQ(next_text(*walk(dataset(shard(7, 1, true)))).substr(0, 65),
            "InvalidArgument: There aren't enough elements in this dataset for");
  EXPECT_EQ(error_of(shard(0, 0)),
            "InvalidArgument: Number of shards must be greater than zero (currently num_shards = "
            "0).");
  EXPECT_EQ(error_of(shard(2, 2)),
            "InvalidArgument: Index must be between 0 and 1 (currently index = 2).");
}

TEST_F(DataCoreTest, concatenates_and_zips) {
  EXPECT_EQ(all(node("ConcatenateDataset", {range(0, 2), range(5, 7)}, numbers())),
            listed({0, 1, 5, 6}));
  const AttrMap two{{"output_types", std::vector<DType>{DType::i64, DType::i64}},
                    {"output_shapes", std::vector<PartialShape>(2, PartialShape::scalar())}};
  EXPECT_EQ(all(node("ZipDataset", {InputArg(std::vector<Input>{range(0, 9), range(5, 7)})}, two)),
            (Texts{"0;5", "1;6", "END"}));
  EXPECT_EQ(error_of(node("ConcatenateDataset", {range(0, 2), slices(Tensor::vector<float>({1}))},
                          numbers())),
            "InvalidArgument: input dataset and dataset to concatenate have different "
            "output_types");
}

TEST_F(DataCoreTest, shuffles_in_the_order_of_tensorflow) {
  EXPECT_EQ(all(shuffled(range(0, 10), 4, 1, 2)), listed({0, 2, 1, 3, 5, 8, 6, 4, 7, 9}));
  EXPECT_EQ(all(shuffled(range(0, 10), 100, 5, 0)), listed({6, 2, 5, 1, 7, 0, 4, 3, 8, 9}));
  EXPECT_EQ(all(repeated(shuffled(range(0, 6), 6, 7, 9), 3)),
            listed({2, 3, 4, 0, 5, 1, 3, 4, 0, 5, 2, 1, 1, 3, 0, 5, 4, 2}));
  EXPECT_EQ(all(repeated(shuffled(range(0, 6), 6, 7, 9, false), 2)),
            listed({1, 0, 4, 2, 5, 3, 1, 0, 4, 2, 5, 3}));
  EXPECT_EQ(all(repeated(shuffled(shuffled(range(0, 5), 5, 1, 1), 3, 2, 2), 3)),
            listed({0, 3, 1, 2, 4, 4, 2, 3, 0, 1, 0, 3, 1, 4, 2}));
  EXPECT_EQ(all(shuffled(range(0, 3), kMax, 1, 1)).size(), 4u);
  EXPECT_EQ(error_of(shuffled(range(0, 3), 0, 1, 1)),
            "InvalidArgument: buffer_size must be greater than zero.");
}

TEST_F(DataCoreTest, shuffles_and_repeats_in_the_order_of_tensorflow) {
  const auto both = [&](int n, int buffer, std::int64_t count) {
    return node("ShuffleAndRepeatDataset", {range(0, n), buffer, 3, 4, count}, numbers());
  };
  EXPECT_EQ(all(both(5, 3, 3)), listed({2, 1, 0, 4, 3, 1, 3, 0, 2, 4, 1, 2, 3, 4, 0}));
  EXPECT_EQ(all(both(3, 20, 4)), listed({2, 0, 1, 1, 2, 0, 1, 2, 0, 2, 0, 1}));
  Texts endless = listed({2, 0, 1, 1, 2, 0, 1, 2, 0, 2, 0, 1, 1});
  endless.pop_back();
  EXPECT_EQ(all(both(3, 4, -1), 13), endless);
  EXPECT_EQ(all(both(0, 4, -1)), listed({}));
  EXPECT_EQ(error_of(both(3, 4, 0)),
            "InvalidArgument: count must be greater than zero or equal to -1.");
}

TEST_F(DataCoreTest, chance_is_that_of_tensorflow) {
  EXPECT_EQ(
      all(node("RandomDataset", {1, 2}, numbers()), 6),
      (Texts{"3878945999", "2364392915", "1057429302", "168492509", "3082076531", "3674517586"}));
  EXPECT_EQ(all(node("SamplingDataset", {range(0, 30), 0.4F, 1, 2}, numbers())),
            listed({2, 3, 5, 7, 9, 10, 11, 12, 20, 24}));
  const auto unseeded = [&] {
    return rest(*walk(dataset(node("RandomDataset", {0, 0}, numbers()))), 4);
  };
  EXPECT_NE(unseeded(), unseeded());
}

TEST_F(DataCoreTest, seeds_from_a_generator_go_on_from_walk_to_walk) {
  Node& generator = scope_.add("AnonymousRandomSeedGenerator", {7, 9}, {});
  const Output handle = node("ShuffleDatasetV2", {range(0, 6), 6, generator.output(0)}, numbers());
  EXPECT_EQ(all(repeated(handle, 3)),
            listed({2, 3, 4, 0, 5, 1, 3, 4, 0, 5, 2, 1, 1, 3, 0, 5, 4, 2}));
}

TEST_F(DataCoreTest, pads) {
  const Output ragged =
      node("ConcatenateDataset", {batches(range(1, 3), 2), batches(range(3, 7), 3)}, vectors());
  const auto padded = [&](std::int64_t size, std::vector<std::int64_t> shape, bool drop = false) {
    const auto rank = static_cast<std::int64_t>(shape.size());
    return node("PaddedBatchDatasetV2",
                {ragged, size,
                 InputArg(std::vector<Input>{
                     Tensor::of<std::int64_t>({rank}, std::span<const std::int64_t>(shape))}),
                 InputArg(std::vector<Input>{Tensor::scalar(std::int64_t{-5})}), drop},
                {{"Toutput_types", std::vector<DType>{DType::i64}},
                 {"output_shapes", std::vector<PartialShape>{PartialShape()}},
                 {"N", 1}});
  };
  EXPECT_EQ(all(padded(2, {-1})), (Texts{"[[1 2 -5][3 4 5]]", "[[6]]", "END"}));
  EXPECT_EQ(all(padded(2, {4}, true)), (Texts{"[[1 2 -5 -5][3 4 5 -5]]", "END"}));
  EXPECT_EQ(all(padded(3, {2})),
            (Texts{"DataLoss: Attempted to pad to a smaller size than the input element.", "END"}));
  EXPECT_EQ(all(padded(9, {-1, -1})),
            (Texts{"InvalidArgument: All elements in a batch must have the same rank as the padded "
                   "shape for component0: expected rank 2 but got element with rank 1",
                   "END"}));
  EXPECT_EQ(error_of(padded(2, {-3})).substr(0, 16), "InvalidArgument:");
  EXPECT_EQ(error_of(padded(0, {-1})), "InvalidArgument: Batch size must be greater than zero.");
}

TEST_F(DataCoreTest, pads_corners_of_matrices) {
  const Tensor rows = Tensor::of<std::int64_t>({1, 2, 2}, {1, 2, 3, 4});
  EXPECT_EQ(
      all(node("PaddedBatchDataset",
               {slices(rows), 1, InputArg(std::vector<Input>{Tensor::vector<std::int64_t>({3, 4})}),
                InputArg(std::vector<Input>{Tensor::scalar(std::int64_t{0})})},
               {{"Toutput_types", std::vector<DType>{DType::i64}},
                {"output_shapes", std::vector<PartialShape>{PartialShape()}},
                {"N", 1}})),
      (Texts{"[[[1 2 0 0][3 4 0 0][0 0 0 0]]]", "END"}));
}

TEST_F(DataCoreTest, windows_are_datasets) {
  const auto window = [&](std::int64_t size, std::int64_t shift, std::int64_t stride, bool drop) {
    return node("WindowDataset", {range(0, 7), size, shift, stride, drop},
                stating(DType::variant, PartialShape::scalar()));
  };
  const auto contents = [&](Output windows) {
    Texts texts;
    Element element;
    const auto iterator = walk(dataset(windows));
    while (iterator->next(element)) {
      std::string text;
      for (const std::string& one : rest(*walk(dataset_in(element[0])))) text += one + " ";
      texts.push_back(text);
    }
    return texts;
  };
  EXPECT_EQ(contents(window(3, 3, 1, false)), (Texts{"0 1 2 END ", "3 4 5 END ", "6 END "}));
  EXPECT_EQ(contents(window(3, 3, 1, true)), (Texts{"0 1 2 END ", "3 4 5 END "}));
  EXPECT_EQ(contents(window(2, 3, 2, true)), (Texts{"0 2 END ", "3 5 END "}));
  EXPECT_EQ(contents(window(1, 5, 1, false)), (Texts{"0 END ", "5 END "}));
  EXPECT_EQ(all(window(2, 3, 1, false)), (Texts{"variant", "variant", "variant", "END"}));
  EXPECT_EQ(error_of(window(0, 1, 1, false)),
            "InvalidArgument: Window size must be greater than zero.");
  EXPECT_EQ(error_of(window(kMax, 1, kMax, false)).substr(0, 16), "InvalidArgument:");
}

TEST_F(DataCoreTest, sliding_windows_are_batches) {
  EXPECT_EQ(all(node("SlidingWindowDataset", {range(0, 10), 3, 2, 2}, vectors())),
            (Texts{"[0 2 4]", "[2 4 6]", "[4 6 8]", "END"}));
}

TEST_F(DataCoreTest, unbatches_and_splits) {
  EXPECT_EQ(all(node("UnbatchDataset", {batches(range(0, 5), 3)}, numbers())),
            listed({0, 1, 2, 3, 4}));
  EXPECT_EQ(next_text(*walk(dataset(node("UnbatchDataset", {range(0, 5)}, numbers())))),
            "InvalidArgument: Input element must have a non-scalar value in each component.");
  EXPECT_EQ(all(node("RebatchDataset", {batches(range(0, 5), 4), 2}, vectors())),
            (Texts{"[0 1]", "[2 3]", "[4]", "[]", "END"}));
  EXPECT_EQ(all(node("AutoShardDataset", {range(0, 10), 3, 1}, numbers())), listed({1, 4, 7}));
}

TEST_F(DataCoreTest, slices_sparse_tensors) {
  const auto sparse = [&](Tensor indices, Tensor values, Tensor shape) {
    return node("SparseTensorSliceDataset",
                {std::move(indices), std::move(values), std::move(shape)}, {});
  };
  const Tensor values = Tensor::vector<std::int32_t>({1, 2, 3});
  EXPECT_EQ(all(sparse(Tensor::of<std::int64_t>({3, 2}, {0, 0, 0, 1, 2, 2}), values,
                       Tensor::vector<std::int64_t>({3, 3}))),
            (Texts{"[[0][1]];[1 2];[3]", "[];[];[3]", "[[2]];[3];[3]", "END"}));
  EXPECT_EQ(error_of(sparse(Tensor::of<std::int64_t>({3, 2}, {1, 0, 0, 1, 2, 2}), values,
                            Tensor::vector<std::int64_t>({3, 3})))
                .substr(0, 14),
            "Unimplemented:");
  EXPECT_EQ(error_of(sparse(Tensor::of<std::int64_t>({2, 2}, {1, 0, 0, 1}), values,
                            Tensor::vector<std::int64_t>({3, 3})))
                .substr(0, 16),
            "InvalidArgument:");
  EXPECT_EQ(error_of(sparse(Tensor::of<std::int64_t>({3, 0}, std::span<const std::int64_t>()),
                            values, Tensor::of<std::int64_t>({0}, std::span<const std::int64_t>())))
                .substr(0, 16),
            "InvalidArgument:");
}

TEST_F(DataCoreTest, gives_each_element_once) {
  EXPECT_EQ(all(node("UniqueDataset", {repeated(range(0, 3), 2)}, numbers())), listed({0, 1, 2}));
  EXPECT_EQ(all(node("UniqueDataset", {slices(Tensor::vector<std::string>({"a", "b", "a"}))},
                     stating(DType::string, PartialShape::scalar()))),
            (Texts{"a", "b", "END"}));
  EXPECT_EQ(error_of(node("UniqueDataset", {slices(Tensor::vector<float>({1}))},
                          stating(DType::f32, PartialShape::scalar())))
                .substr(0, 16),
            "InvalidArgument:");
}

TEST_F(DataCoreTest, passes_errors_by) {
  const Output ragged =
      node("ConcatenateDataset", {batches(range(0, 2), 2), batches(range(0, 9), 3)}, vectors());
  EXPECT_EQ(all(node("IgnoreErrorsDataset", {batches(ragged, 2)}, vectors())),
            (Texts{"[[3 4 5][6 7 8]]", "END"}));
}

TEST_F(DataCoreTest, assert_next) {
  const auto asserted = [&](Tensor names) {
    return repeated(node("AssertNextDataset", {range(0, 2), std::move(names)}, numbers()), 1);
  };
  const auto started = [&](Output handle) -> std::string {
    const Output iterator =
        node("IteratorV2", {}, with(with(numbers(), "shared_name", ""), "container", ""));
    Node& start = scope_.add("MakeIterator", {handle, iterator}, {});
    try {
      Session(graph_).run(start);
      return "ok";
    } catch (const Error& error) {
      return error.message().substr(0, error.message().find('.'));
    }
  };
  EXPECT_EQ(started(asserted(Tensor::vector<std::string>({"FiniteRepeat"}))), "ok");
  EXPECT_EQ(started(asserted(Tensor::vector<std::string>({"Map"}))),
            "Asserted transformation matching Map at offset 0 but encountered FiniteRepeat "
            "transformation instead");
  EXPECT_EQ(started(asserted(Tensor::vector<std::string>({"FiniteRepeat", "Map"}))),
            "Asserted next 2 transformations but encountered only 1");
}

TEST_F(DataCoreTest, knows_how_many_there_are) {
  const auto cardinality = [&](Output handle) {
    return Session(graph_)
        .run({}, {{node("DatasetCardinality", {handle}, {})}})[0]
        .scalar_value<std::int64_t>();
  };
  EXPECT_EQ(cardinality(batches(range(0, 7), 3)), 3);
  EXPECT_EQ(cardinality(batches(range(0, 7), 3, true)), 2);
  EXPECT_EQ(cardinality(repeated(range(0, 7), -1)), -1);
  EXPECT_EQ(cardinality(node("SamplingDataset", {range(0, 7), 0.5F, 1, 1}, numbers())), -2);
  EXPECT_EQ(cardinality(node("ShardDataset", {range(0, 10), 3, 2}, numbers())), 3);
}

TEST_F(DataCoreTest, sleeps) {
  EXPECT_EQ(all(node("SleepDataset", {range(0, 2), 10}, numbers())), listed({0, 1}));
  EXPECT_EQ(error_of(node("SleepDataset", {range(0, 2), -1}, numbers())),
            "InvalidArgument: `sleep_microseconds` must be >= 0");
}

TEST_F(DataCoreTest, sparse_batches_hold_indices_values_and_shape) {
  const Output ragged =
      node("ConcatenateDataset", {batches(range(1, 3), 2), batches(range(3, 6), 3)}, vectors());
  const auto sparse = [&](std::int64_t width) {
    return node("DenseToSparseBatchDataset", {ragged, 2, Tensor::vector<std::int64_t>({width})},
                vectors());
  };
  Element element;
  ASSERT_TRUE(walk(dataset(sparse(-1)))->next(element));
  std::string text;
  for (const Variant& part : element[0].flat<Variant>()) text += text_of(*part.get<Tensor>()) + ";";
  EXPECT_EQ(text, "[[0 0][0 1][1 0][1 1][1 2]];[1 2 3 4 5];[2 3];");
  EXPECT_EQ(next_text(*walk(dataset(sparse(2)))),
            "DataLoss: Input element had shape ([3]) that is larger than the row shape ([2]).");
}

TEST_F(DataCoreTest, positions_that_are_wrong_do_no_harm) {
  const Output pairs = batches(range(0, 9), 2);
  for (const Output& stage :
       {pairs,
        repeated(range(0, 3), 4),
        shuffled(range(0, 9), 4, 1, 2),
        node("ShuffleAndRepeatDataset", {range(0, 3), 7, 3, 4, 3}, numbers()),
        node("TakeDataset", {range(0, 5), 3}, numbers()),
        node("SkipDataset", {range(0, 5), 1}, numbers()),
        node("ShardDataset", {range(0, 9), 2, 1}, numbers()),
        node("ConcatenateDataset", {range(0, 1), range(3, 7)}, numbers()),
        node("ZipDataset", {InputArg(std::vector<Input>{range(0, 9), range(5, 9)})},
             {{"output_types", std::vector<DType>(2, DType::i64)},
              {"output_shapes", std::vector<PartialShape>(2, PartialShape::scalar())}}),
        node("WindowDataset", {range(0, 9), 3, 1, 1, true},
             stating(DType::variant, PartialShape::scalar())),
        node("SlidingWindowDataset", {range(0, 9), 3, 1, 1}, vectors()),
        node("UnbatchDataset", {pairs}, numbers()),
        node("RebatchDataset", {pairs, 3}, vectors()),
        node("UniqueDataset", {range(0, 5)}, numbers()),
        node("PrefetchDataset", {range(0, 5), 2}, numbers()),
        node("LatencyStatsDataset", {range(0, 5), "time"}, numbers()),
        node("RandomDataset", {1, 2}, numbers()),
        node("SamplingDataset", {range(0, 9), 0.9F, 1, 2}, numbers()),
        node("CacheDataset", {range(0, 5), ""}, numbers()),
        repeated(node("CacheDataset", {range(0, 1), ""}, numbers()), 5),
        slices(Tensor::vector<std::string>({"a", "b", "c"})),
        node("SparseTensorSliceDataset",
             {Tensor::of<std::int64_t>({3, 2}, {0, 0, 1, 1, 2, 2}),
              Tensor::vector<std::int32_t>({1, 2, 3}), Tensor::vector<std::int64_t>({3, 3})},
             {})})
    check_hostile_positions(stage);
}

TEST_F(DataCoreTest, ops_have_kept_their_experimental_names) {
  const Output pairs = batches(range(0, 5), 2);
  EXPECT_EQ(all(node("ExperimentalUnbatchDataset", {pairs}, numbers())), listed({0, 1, 2, 3, 4}));
  EXPECT_EQ(all(node("ExperimentalSlidingWindowDataset", {range(0, 3), 2, 1, 1}, vectors())),
            (Texts{"[0 1]", "[1 2]", "END"}));
  EXPECT_EQ(all(node("ExperimentalRandomDataset", {1, 2}, numbers()), 1), (Texts{"3878945999"}));
  for (const char* same : {"ExperimentalUniqueDataset", "ExperimentalIgnoreErrorsDataset",
                           "ExperimentalNonSerializableDataset", "NonSerializableDataset"})
    EXPECT_EQ(all(node(same, {range(0, 2)}, numbers())), listed({0, 1})) << same;
  EXPECT_EQ(all(node("ExperimentalSleepDataset", {range(0, 1), 1}, numbers())), listed({0}));
  EXPECT_EQ(all(node("ExperimentalAutoShardDataset", {range(0, 4), 2, 1}, numbers())),
            listed({1, 3}));
  EXPECT_EQ(all(node("ExperimentalRebatchDataset", {pairs, 2}, vectors())),
            (Texts{"[0]", "[1]", "[2]", "[3]", "[4]", "[]", "END"}));
  EXPECT_EQ(all(node("ExperimentalAssertNextDataset",
                     {range(0, 1), Tensor::of<std::string>({0}, std::span<const std::string>())},
                     numbers())),
            listed({0}));
  EXPECT_EQ(all(node("ExperimentalDenseToSparseBatchDataset",
                     {pairs, 2, Tensor::vector<std::int64_t>({2})}, vectors())),
            (Texts{"variant", "variant", "END"}));
}

}  // namespace
}  // namespace rill
