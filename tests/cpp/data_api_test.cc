// Input pipelines as C++ programs write them.
#include <gtest/gtest.h>

#include <fstream>

#include "rill/rill.h"

namespace tf = rill;
using tf::data::Dataset;

namespace {

class Data : public ::testing::Test {
 protected:
  void run(tf::Node& node) {
    tf::Node* const target = &node;
    session_.run({}, {}, {&target, 1});
  }
  tf::Tensor get(tf::Output x) { return session_.run({}, {&x, 1})[0]; }
  // The numbers of all elements, which are scalars or vectors, one after the other.
  template <class T = std::int64_t>
  std::vector<T> all(const Dataset& dataset) {
    const tf::data::Iterator iterator = dataset.make_initializable_iterator();
    run(iterator.initializer());
    return rest<T>(iterator.next_tensors()[0]);
  }
  template <class T = std::int64_t>
  std::vector<T> rest(tf::Output next) {
    std::vector<T> values;
    for (int i = 0; i < 1000; ++i) {
      try {
        const tf::Tensor value = get(next);
        for (const T& x : value.flat<T>()) values.push_back(x);
      } catch (const tf::Error& error) {
        EXPECT_EQ(error.code(), tf::Code::kOutOfRange) << error.what();
        break;
      }
    }
    return values;
  }
  using Numbers = std::vector<std::int64_t>;

  std::shared_ptr<tf::Graph> graph_ = tf::make_graph();
  tf::AsDefault as_default_{graph_};
  tf::Session session_{graph_};
};

TEST_F(Data, functions_on_slices) {
  const Dataset squares =
      Dataset::from_tensor_slices({tf::Tensor::vector<float>({1, 2, 3})}).map([](tf::Output x) {
        return x * x;
      });
  EXPECT_EQ(all<float>(squares), (std::vector<float>{1, 4, 9}));
  EXPECT_EQ(squares.variant().node->op().name, "MapDataset");
  EXPECT_EQ(squares.variant().name(), "MapDataset:0");
  EXPECT_EQ(tf::to_text(squares.element().parts[0].shape), "[]");
}

TEST_F(Data, several_parts_and_captured_tensors) {
  const tf::Output offset = tf::constant(10.0F);
  const Dataset sums = Dataset::from_tensor_slices(
                           {tf::Tensor::vector<float>({1, 2}), tf::Tensor::vector<float>({5, 6})})
                           .map([offset](tf::Output a, tf::Output b) {
                             return std::vector<tf::Output>{a + b + offset, b};
                           });
  const tf::data::Iterator iterator = sums.make_initializable_iterator();
  run(iterator.initializer());
  const std::vector<tf::Output> next = iterator.next_tensors();
  const std::vector<tf::Tensor> values = session_.run({}, next);
  EXPECT_EQ(values[0].scalar_value<float>(), 16);
  EXPECT_EQ(values[1].scalar_value<float>(), 5);
}

TEST_F(Data, sparse_parts) {
  const tf::SparseTensor sparse(tf::Tensor::of<std::int64_t>({2, 2}, {0, 0, 1, 2}),
                                tf::Tensor::vector<float>({1, 2}),
                                tf::Tensor::vector<std::int64_t>({2, 3}));
  const Dataset rows = Dataset::from_tensor_slices({sparse}).map(
      [](const tf::data::Components& parts) { return tf::sparse::to_dense(parts[0].sparse()); });
  EXPECT_EQ(tf::to_text(rows.element().parts[0].shape), "[3]");
  EXPECT_EQ(all<float>(rows), (std::vector<float>{1, 0, 0, 0, 0, 2}));
}

TEST_F(Data, wrong_uses) {
  const Dataset pairs = Dataset::from_tensors({1, 2});
  EXPECT_THROW(pairs.map([](tf::Output x) { return x; }), tf::Error);
  EXPECT_THROW(Dataset::from_tensor_slices({1}), tf::Error);
  EXPECT_THROW(pairs.make_one_shot_iterator().initializer(), tf::Error);
  EXPECT_THROW(pairs.flat_map([](tf::Output x, tf::Output) { return x; }), tf::Error);
  EXPECT_THROW(pairs.filter([](tf::Output x, tf::Output) { return x; }), tf::Error);
}

TEST_F(Data, plain_transformations) {
  const Dataset ten = Dataset::range(10);
  EXPECT_EQ(all(ten.skip(2).take(3)), (Numbers{2, 3, 4}));
  EXPECT_EQ(all(ten.shard(3, 1)), (Numbers{1, 4, 7}));
  EXPECT_EQ(all(Dataset::range(2).repeat(2).concatenate(Dataset::range(5, 6))),
            (Numbers{0, 1, 0, 1, 5}));
  const Dataset batches = ten.batch(4, {.drop_remainder = true});
  EXPECT_EQ(tf::to_text(batches.element().parts[0].shape), "[4]");
  EXPECT_EQ(all(batches), (Numbers{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(all(batches.unbatch()).size(), 8U);
  EXPECT_EQ(all(Dataset::range(3).shuffle(3, {.seed = 1}).cache().prefetch(1)).size(), 3U);
  EXPECT_EQ(all(Dataset::zip({ten, ten}).map([](tf::Output a, tf::Output b) { return a + b; }))[9],
            18);
}

TEST_F(Data, functions_that_make_datasets) {
  const auto twice = [](tf::Output x) { return Dataset::from_tensors({x}).repeat(2); };
  EXPECT_EQ(all(Dataset::range(2).flat_map(twice)), (Numbers{0, 0, 1, 1}));
  EXPECT_EQ(all(Dataset::range(2).interleave(twice, {.cycle_length = 2})), (Numbers{0, 1, 0, 1}));
  EXPECT_EQ(all(Dataset::range(6).filter([](tf::Output x) { return x > 3; })), (Numbers{4, 5}));
  EXPECT_EQ(
      all(Dataset::range(3).map([](tf::Output x) { return x + 1; }, {.num_parallel_calls = 2})),
      (Numbers{1, 2, 3}));
  const Dataset windows = Dataset::range(4).window(2).flat_map(
      [](const tf::data::Components& parts) { return Dataset::of(parts[0]).batch(2); });
  EXPECT_EQ(all(windows), (Numbers{0, 1, 2, 3}));
}

TEST_F(Data, padded_batches) {
  const Dataset counted =
      Dataset::range(1, 3).map([](tf::Output n) { return tf::fill(tf::expand_dims(n, 0), n); });
  EXPECT_EQ(all(counted.padded_batch(2, {{-1}}, {.padding_values = {-1}})), (Numbers{1, -1, 2, 2}));
}

TEST_F(Data, reduce_and_generators) {
  const tf::data::Components sum =
      Dataset::range(5).reduce({tf::Tensor::scalar<std::int64_t>(0)},
                               [](tf::Output so_far, tf::Output x) { return so_far + x; });
  EXPECT_EQ(get(sum[0].tensor()).scalar_value<std::int64_t>(), 10);
  const auto start = [] {
    return [i = std::int64_t{0}]() mutable -> std::optional<std::vector<tf::Tensor>> {
      if (i == 3) return {};
      return std::vector{tf::Tensor::scalar<std::int64_t>(i++ * 10)};
    };
  };
  const Dataset made = Dataset::from_generator(
      start, {tf::data::ComponentSpec::tensor(tf::int64, tf::PartialShape::scalar())});
  EXPECT_EQ(all(made), (Numbers{0, 10, 20}));
}

TEST_F(Data, iterators) {
  const Dataset three = Dataset::range(3);
  const tf::data::Iterator once = three.make_one_shot_iterator();
  EXPECT_EQ(rest(once.next_tensors()[0]), (Numbers{0, 1, 2}));
  const tf::data::Iterator any = tf::data::Iterator::from_structure(three.element());
  const tf::Output next = any.next_tensors()[0];
  run(any.make_initializer(Dataset::range(7, 9)));
  EXPECT_EQ(rest(next), (Numbers{7, 8}));
  EXPECT_THROW(any.make_initializer(Dataset::from_tensors({1.5F})), tf::Error);
  const tf::Output handle = tf::placeholder(tf::string, tf::PartialShape::scalar());
  const tf::data::Iterator fed = tf::data::Iterator::from_string_handle(handle, three.element());
  const tf::data::Iterator source = three.make_initializable_iterator();
  run(source.initializer());
  const tf::Tensor name = get(source.string_handle());
  const tf::Output value = fed.next_tensors()[0];
  const tf::Feed feed{handle, name};
  EXPECT_EQ(session_.run({&feed, 1}, {&value, 1})[0].scalar_value<std::int64_t>(), 0);
  EXPECT_THROW(Dataset::from_tensors({handle}).make_one_shot_iterator(), tf::Error);
}

TEST_F(Data, devices_get_elements_in_turn) {
  const tf::data::MultiDeviceIterator iterator(Dataset::range(4), {"/cpu:0", "/cpu:0"});
  run(iterator.initializer());
  const tf::Output next[] = {iterator.get_next(0)[0].tensor(), iterator.get_next(1)[0].tensor()};
  for (std::int64_t i = 0; i < 4; i += 2) {
    const std::vector<tf::Tensor> values = session_.run({}, next);
    EXPECT_EQ(values[0].scalar_value<std::int64_t>(), i);
    EXPECT_EQ(values[1].scalar_value<std::int64_t>(), i + 1);
  }
  EXPECT_THROW(iterator.get_next(2), tf::Error);
}

TEST_F(Data, variables_and_tables_inside_of_functions) {
  const tf::Variable weights = tf::get_variable(
      "w", {.initializer = tf::Tensor::vector<float>({1, 2}), .use_resource = true});
  run(weights.initializer());
  const Dataset read =
      Dataset::range(2).map([&](tf::Output i) { return tf::gather(weights.value(), i); });
  EXPECT_EQ(tf::to_text(read.element().parts[0].shape), "[]");
  EXPECT_EQ(all<float>(read), (std::vector<float>{1, 2}));
  EXPECT_THROW(read.make_one_shot_iterator(), tf::Error);
}

TEST_F(Data, optionals) {
  const tf::data::Component full = tf::data::optional_from_value({3});
  EXPECT_TRUE(get(tf::data::optional_has_value(full)).scalar_value<bool>());
  EXPECT_EQ(get(tf::data::optional_get_value(full)[0].tensor()).scalar_value<std::int32_t>(), 3);
  const tf::data::Component none = tf::data::optional_none(full.nested().element);
  EXPECT_FALSE(get(tf::data::optional_has_value(none)).scalar_value<bool>());
}

TEST_F(Data, experimental_transformations) {
  namespace ex = tf::data::experimental;
  const Dataset lengths =
      Dataset::range(1, 7).map([](tf::Output n) { return tf::fill(tf::expand_dims(n, 0), n); });
  const Dataset buckets =
      ex::bucket_by_sequence_length(lengths, [](tf::Output x) { return tf::size(x); }, {4}, {3, 3});
  EXPECT_EQ(all(buckets).size(), 9U + 18U);
  EXPECT_EQ(all(ex::scan(Dataset::range(4), {tf::Tensor::scalar<std::int64_t>(0)},
                         [](tf::Output state, tf::Output x) {
                           return std::vector<tf::Output>{state + x, state + x};
                         })),
            (Numbers{0, 1, 3, 6}));
  EXPECT_EQ(all(ex::counter(5, 2).take(3)), (Numbers{5, 7, 9}));
  EXPECT_EQ(all(ex::unique(Dataset::range(3).repeat(2))), (Numbers{0, 1, 2}));
  const Dataset chosen = ex::choose_from_datasets(
      {Dataset::range(3), Dataset::range(10, 13)},
      Dataset::from_tensor_slices({tf::Tensor::vector<std::int64_t>({1, 0, 1})}));
  EXPECT_EQ(all(chosen), (Numbers{10, 0, 11}));
}

TEST_F(Data, files) {
  const std::string path = ::testing::TempDir() + "/data_api_test.txt";
  std::ofstream(path) << "1,a\n2,b\n";
  const Dataset lines = tf::data::TextLineDataset(tf::Input(path));
  EXPECT_EQ(all<std::string>(lines), (std::vector<std::string>{"1,a", "2,b"}));
  const Dataset fields = tf::data::experimental::CsvDataset(path, {tf::int64, tf::string});
  EXPECT_EQ(all(fields), (Numbers{1, 2}));
  EXPECT_EQ(all<std::string>(Dataset::list_files(path)), std::vector<std::string>{path});
  EXPECT_EQ(tf::data::experimental::csv_column_types({path}, 2, {.header = false}),
            (std::vector<tf::DType>{tf::int32, tf::string}));
}

}  // namespace
