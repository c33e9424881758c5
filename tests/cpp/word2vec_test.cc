// Skipgram and NegTrain. Numbers are TensorFlow's, but for draws, which neither side repeats.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "rill/base/files.h"
#include "rill/graph/scope.h"
#include "rill/ops/register.h"
#include "rill/runtime/session/session.h"

namespace rill {
namespace {

class Word2Vec : public testing::Test {
 protected:
  static std::shared_ptr<Graph> old_graph() {
    auto graph = std::make_shared<Graph>(standard_ops());
    graph->versions.producer = 18;
    return graph;
  }
  // What raises is told by its code and message.
  static std::string error_of(const std::function<void()>& body) {
    try {
      body();
      return "nothing is raised";
    } catch (const Error& error) {
      return str_cat(code_name(error.code()), ": ", error.what());
    }
  }

  std::shared_ptr<Graph> graph_ = old_graph();
  Scope scope_{*graph_};
};

class Skipgram : public Word2Vec {
 protected:
  static inline const std::string kFile = "ram://word2vec/text";

  Node& skipgram(AttrMap attrs) {
    attrs.insert({{"filename", kFile}, {"batch_size", 8}, {"subsample", 0.0F}});
    return scope_.add("Skipgram", {}, std::move(attrs));
  }
  static std::vector<Tensor> run(Session& session, Node& node) {
    std::vector<Output> all;
    for (int i = 0; i < 7; ++i) all.push_back(node.output(i));
    return session.run({}, all);
  }
  std::vector<Tensor> run(AttrMap attrs) {
    Session session(graph_);
    return run(session, skipgram(std::move(attrs)));
  }
  std::string error(AttrMap attrs) {
    return error_of([&] { run(std::move(attrs)); });
  }
};

using Ints = std::vector<std::int32_t>;

Ints ints(const Tensor& tensor) {
  const auto values = tensor.flat<std::int32_t>();
  return {values.begin(), values.end()};
}

TEST_F(Skipgram, counts_and_pairs) {
  write_file(kFile, "b a c b a d e\nf g h b  a\tc z");
  Session session(graph_);
  Node& node = skipgram({{"window_size", 1}, {"min_count", 1}});
  const auto first = run(session, node);
  EXPECT_TRUE(identical(
      first[0], Tensor::vector<std::string>({"UNK", "b", "a", "c", "d", "e", "f", "g", "h", "z"})));
  EXPECT_EQ(ints(first[1]), (Ints{0, 3, 3, 2, 1, 1, 1, 1, 1, 1}));
  EXPECT_TRUE(identical(first[2], Tensor::scalar<std::int64_t>(14)));
  EXPECT_TRUE(identical(first[3], Tensor::scalar<std::int32_t>(142)));
  EXPECT_TRUE(identical(first[4], Tensor::scalar<std::int64_t>(1502)));
  EXPECT_EQ(ints(first[5]), (Ints{1, 2, 2, 3, 3, 1, 1, 2}));
  EXPECT_EQ(ints(first[6]), (Ints{2, 1, 3, 2, 1, 3, 2, 1}));
  const auto second = run(session, node);
  EXPECT_EQ(ints(second[5]), (Ints{2, 4, 4, 5, 5, 6, 6, 7}));
  EXPECT_EQ(ints(second[6]), (Ints{4, 2, 5, 4, 6, 5, 7, 6}));
}

TEST_F(Skipgram, counts_the_words_and_epochs_of_pairs_made_ahead) {
  write_file(kFile, "1 2 3 4 5 6 7 8 9 10");
  Session session(graph_);
  Node& node = skipgram({{"window_size", 1}, {"min_count", 1}, {"batch_size", 3000}});
  for (const auto& [epoch, words] : {std::pair{399, 3004}, {499, 4505}, {699, 6007}}) {
    const auto got = run(session, node);
    EXPECT_EQ(*got[3].data<std::int32_t>(), epoch);
    EXPECT_EQ(*got[4].data<std::int64_t>(), words);
  }
}

TEST_F(Skipgram, rare_words_are_unknown) {
  std::string text;
  for (const auto& [word, count] :
       {std::pair{"a ", 21}, {"b ", 10}, {"x ", 1}, {"c ", 10}, {"y", 1}})
    for (int i = 0; i < count; ++i) text += word;
  write_file(kFile, text);
  const auto some = run({{"window_size", 2}, {"min_count", 10}, {"batch_size", 100}});
  EXPECT_TRUE(identical(some[0], Tensor::vector<std::string>({"UNK", "a", "b", "c"})));
  EXPECT_EQ(ints(some[1]), (Ints{2, 21, 10, 10}));
  const auto none = run({{"window_size", 1}, {"min_count", 50}});
  EXPECT_EQ(ints(none[1]), Ints{43});
  EXPECT_EQ(ints(none[5]), Ints(8, 0));
}

TEST_F(Skipgram, windows_reach_as_far_as_they_may) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += str_cat("w", i, " ");
  write_file(kFile, text);
  const auto got = run({{"window_size", 3}, {"min_count", 1}, {"batch_size", 2000}});
  const Ints examples = ints(got[5]), labels = ints(got[6]);
  std::set<int> distances;
  for (std::size_t i = 0; i < examples.size(); ++i) distances.insert(labels[i] - examples[i]);
  EXPECT_EQ(distances, (std::set<int>{-3, -2, -1, 1, 2, 3}));
}

// Of a word that makes up half of the text a share of sqrt(s / 0.5) + s / 0.5 stays.
TEST_F(Skipgram, subsampling_keeps_rare_words) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += str_cat("often w", i, " ");
  write_file(kFile, text);
  const auto got =
      run({{"window_size", 1}, {"min_count", 1}, {"batch_size", 20000}, {"subsample", 0.005F}});
  const Ints examples = ints(got[5]);
  const double share = static_cast<double>(std::ranges::count(examples, 1)) / 20000;
  const double stays = std::sqrt(0.01) + 0.01;
  EXPECT_NEAR(share, stays / (1 + stays), 0.03);
}

TEST_F(Skipgram, errors) {
  write_file(kFile, "1 2 3 4 5 6 7 8 9");
  const auto expect = [&](AttrMap attrs, const char* wanted) {
    const std::string got = error(std::move(attrs));
    EXPECT_NE(got.find(wanted), got.npos) << got;
  };
  expect({{"window_size", 1}}, "contains too little data: 9 words");
  expect({{"window_size", std::int64_t{1} << 62}}, "contains too little data: 9 words");
  expect({{"filename", "no/such/file"}}, "no/such/file; No such file or directory");
  expect({{"window_size", -1}}, "window_size must not be negative, got -1");
  expect({{"batch_size", -1}}, "batch_size must not be negative, got -1");
  expect({{"window_size", 0}, {"subsample", 1e-20F}}, "keeps less than");
  write_file(kFile, " \n");
  expect({{"window_size", 0}}, "contains too little data: 0 words");
}

class NegTrain : public Word2Vec {
 protected:
  Output variable(const char* name, Tensor value) {
    const Output made = scope_
                            .add("VariableV2", {},
                                 {{"dtype", DType::f32},
                                  {"shape", PartialShape(value.shape())},
                                  {"shared_name", name}})
                            .output();
    session_.run({}, {{scope_.add("Assign", {made, value}).output()}});
    return made;
  }
  Node& train(AttrMap attrs) {
    attrs.insert(
        {{"vocab_count", std::vector<std::int64_t>{3, 2, 1}}, {"num_negative_samples", 1}});
    return scope_.add("NegTrain", {in_, out_, examples_, labels_, rate_}, std::move(attrs));
  }
  void run(AttrMap attrs) { session_.run({}, {}, {{&train(std::move(attrs))}}); }
  void expect_vectors(const std::vector<float>& in, const std::vector<float>& out) {
    const auto got = session_.run({}, std::vector{in_, out_});
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t k = 0; k < 2; ++k) {
        EXPECT_NEAR(got[0].flat<float>()[2 * i + k], in[i], 1e-6);
        EXPECT_NEAR(got[1].flat<float>()[2 * i + k], out[i], 1e-6);
      }
  }
  void expect_error(AttrMap attrs, const char* wanted) {
    const std::string got = error_of([&] { run(std::move(attrs)); });
    EXPECT_NE(got.find(wanted), got.npos) << got;
    expect_vectors({1, 1, 1}, {0.5F, 0.5F, 0.5F});
  }

  Session session_{graph_};
  Output in_ = variable("in", Tensor::of<float>({3, 2}, {1, 1, 1, 1, 1, 1}));
  Output out_ = variable("out", Tensor::of<float>({3, 2}, {0.5F, 0.5F, 0.5F, 0.5F, 0.5F, 0.5F}));
  InputArg examples_ = Tensor::vector<std::int32_t>({0, 1});
  InputArg labels_ = Tensor::vector<std::int32_t>({1, 2});
  InputArg rate_ = Tensor::scalar(0.1F);
};

using Counts = std::vector<std::int64_t>;

TEST_F(NegTrain, without_negative_samples) {
  run({{"num_negative_samples", 0}});
  expect_vectors({1.013447F, 1.013447F, 1}, {0.5F, 0.526894F, 0.526894F});
}

// One word alone can be drawn; where it is the label itself it is left out.
TEST_F(NegTrain, with_a_negative_sample) {
  run({{"vocab_count", Counts{0, 0, 5}}});
  expect_vectors({0.976894F, 1.012749F, 1}, {0.5F, 0.526894F, 0.456758F});
}

TEST_F(NegTrain, draws_by_counts_to_the_power_of_three_quarters) {
  examples_ = Tensor::vector<std::int32_t>({0});
  labels_ = Tensor::vector<std::int32_t>({2});
  rate_ = Tensor::scalar(1e-6F);  // so that each draw moves a vector by as much
  run({{"vocab_count", Counts{81, 16, 0}}, {"num_negative_samples", 100000}});
  const auto out = session_.run({}, {{out_}})[0].flat<float>();
  EXPECT_NEAR((0.5F - out[0]) / (0.5F - out[2]), 27.0 / 8, 0.3);
  EXPECT_GT(out[4], 0.5F);
}

TEST_F(NegTrain, errors_leave_the_vectors_alone) {
  expect_error({{"vocab_count", Counts{3, 2}}}, "vocab_size mismatches: 3 vs. 2");
  expect_error({{"vocab_count", Counts{}}}, "vocab_size mismatches: 3 vs. 0");
  expect_error({{"vocab_count", Counts{3, -2, 1}}}, "vocab_count must not be negative, got -2");
  expect_error({{"vocab_count", Counts{0, 0, 0}}}, "vocab_count holds nothing but zeros");
  expect_error({{"num_negative_samples", std::int64_t{1} << 40}},
               "num_negative_samples must be at");
  rate_ = Tensor::vector<float>({0.1F});
  expect_error({}, "Must be a scalar: lr");
  rate_ = Tensor::scalar(0.1F);
  labels_ = Tensor::vector<std::int32_t>({1, 3});
  expect_error({}, "labels holds 3, which is not in [0, 3)");
  labels_ = Tensor::vector<std::int32_t>({1});
  expect_error({}, "examples.shape == labels.shape");
  examples_ = Tensor::of<std::int32_t>({1, 1}, {0});
  expect_error({}, "Must be a vector: examples");
  examples_ = Tensor::vector<std::int32_t>({-1});
  expect_error({}, "examples holds -1");
}

TEST_F(NegTrain, variables_that_do_not_fit) {
  const Output in = in_, row = variable("row", Tensor::vector<float>({1, 1, 1}));
  const auto fails_with = [&](Output first, Output second, const char* wanted) {
    Node& node = scope_.add("NegTrain", {first, second, examples_, labels_, rate_},
                            {{"vocab_count", Counts{3, 2, 1}}, {"num_negative_samples", 1}});
    const std::string got = error_of([&] { session_.run({}, {}, {{&node}}); });
    EXPECT_NE(got.find(wanted), got.npos) << got;
  };
  fails_with(row, row, "w_in and w_out are the same variable");
  fails_with(row, in, "Must be a matrix: w_in");
  fails_with(in, row, "w_in.shape == w_out.shape");
  const Output unset =
      scope_.add("VariableV2", {}, {{"dtype", DType::f32}, {"shape", PartialShape(Shape({3, 2}))}})
          .output();
  fails_with(in, unset, "Attempting to use uninitialized value");
}

}  // namespace
}  // namespace rill
