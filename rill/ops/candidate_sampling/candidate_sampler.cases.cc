#include "tests/optest/op_case.h"

namespace rill {
namespace {

using I = std::int64_t;

const char* const kSamplers[] = {"UniformCandidateSampler", "LogUniformCandidateSampler",
                                 "LearnedUnigramCandidateSampler",
                                 "ThreadUnsafeUnigramCandidateSampler"};

OpCase sample(const char* op, Tensor true_classes, I num_sampled, bool unique, AttrMap attrs) {
  attrs.emplace("num_true", true_classes.rank() < 2 ? I{1} : true_classes.dim(1));
  attrs.emplace("num_sampled", num_sampled);
  attrs.emplace("unique", unique);
  attrs.emplace("seed", I{87654321});
  attrs.emplace("seed2", I{3});
  return {.op = op, .in = {std::move(true_classes)}, .attrs = std::move(attrs)};
}

Tensor some_classes(I rows, I columns, double range) {
  return random<I>({rows, columns}, 7, 0, range);
}

void add_ranges(std::vector<OpCase>& cases) {
  for (const char* op : kSamplers)
    for (const bool unique : {false, true}) {
      const auto add = [&](I range, I count, Tensor true_classes) {
        cases.push_back(sample(op, std::move(true_classes), count, unique, {{"range_max", range}}));
      };
      add(5, 5, some_classes(3, 2, 5));
      add(64, 20, some_classes(4, 1, 64));  // a power of two
      add(1000, 100, some_classes(2, 3, 1000));
      add(50000, 64, some_classes(8, 1, 50000));
      add(1, 1, tensor<I>({1, 1}, {0}));
      add(7, 3, Tensor(DType::i64, {0, 2}));
    }
  cases.push_back(sample("UniformCandidateSampler", tensor<I>({1, 1}, {I{1} << 40}), 9, true,
                         {{"range_max", I{3} << 40}}));
  cases.push_back(sample("LogUniformCandidateSampler", tensor<I>({1, 1}, {I{1} << 40}), 9, true,
                         {{"range_max", I{3} << 40}}));
  for (const bool unique : {false, true})
    cases.push_back(sample("AllCandidateSampler", tensor<I>({2, 2}, {0, 5, 3, 3}), 6, unique, {}));
}

void add_weights(std::vector<OpCase>& cases) {
  const auto fixed = [&](I range, I count, bool unique, AttrMap attrs) {
    attrs.emplace("range_max", range);
    cases.push_back(sample("FixedUnigramCandidateSampler",
                           some_classes(3, 2, static_cast<double>(range)), count, unique,
                           std::move(attrs)));
  };
  const std::vector<float> weights{1, 8, 2.5F, 0.25F, 3, 0.125F, 7, 1, 1, 30, 4, 0.5F};
  std::vector<float> many;
  for (int i = 0; i < 3000; ++i) many.push_back(1000.0F / static_cast<float>(i + 3));
  for (const bool unique : {false, true}) {
    fixed(12, 8, unique, {{"unigrams", weights}});
    fixed(12, 12, unique, {{"unigrams", weights}, {"distortion", 0.75F}});
    fixed(14, 7, unique, {{"unigrams", weights}, {"num_reserved_ids", I{2}}});
    fixed(3000, 200, unique, {{"unigrams", many}});
    fixed(7, 5, unique, {{"vocab_file", "tests/data/unigrams.csv"}});
    fixed(9, 6, unique,
          {{"vocab_file", "tests/data/unigrams.csv"},
           {"num_reserved_ids", I{2}},
           {"distortion", 0.5F}});
    for (const I shard : {0, 1, 2})
      fixed(4, 3, unique, {{"unigrams", weights}, {"num_shards", I{3}}, {"shard", shard}});
  }
  const auto sharded = [&](I range, I shards, I shard, I reserved) {
    fixed(range, 3, false,
          {{"vocab_file", "tests/data/unigrams.csv"},
           {"num_shards", shards},
           {"shard", shard},
           {"num_reserved_ids", reserved}});
  };
  sharded(3, 2, 1, 1);
  sharded(4, 2, 0, 1);
  sharded(4, 3, 0, 5);
  sharded(5, 3, 2, 6);
  fixed(5, 9, false, {{"unigrams", std::vector<float>(5)}});
}

void add_errors(std::vector<OpCase>& cases) {
  const auto fails = [&](OpCase c, const char* error) {
    c.error = error;
    cases.push_back(std::move(c));
  };
  for (const char* op : kSamplers) {
    const AttrMap range{{"range_max", I{5}}};
    fails(sample(op, tensor<I>({1, 1}, {5}), 3, false, range),
          "`true_candidate` out of range \\[0, 5\\), received 5");
    fails(sample(op, tensor<I>({1, 2}, {0, -1}), 3, false, range), "received -1");
    fails(sample(op, tensor<I>({1, 1}, {0}), 6, true, range), "Sampler's range is too small");
    fails(sample(op, tensor<I>({2}, {0, 1}), 3, false, range), "must be (a matrix|rank 2)");
    fails(
        sample(op, tensor<I>({1, 2}, {0, 1}), 3, false, {{"range_max", I{5}}, {"num_true", I{3}}}),
        "true_classes must have num_true columns, expected: 2 was: 3");
  }
  fails(sample("AllCandidateSampler", tensor<I>({1, 1}, {5}), 5, true, {}),
        "`true_candidate` out of range \\[0, 5\\), received 5");
  const auto fixed = [&](AttrMap attrs, const char* error) {
    attrs.emplace("range_max", I{3});
    fails(sample("FixedUnigramCandidateSampler", tensor<I>({1, 1}, {0}), 3, false, attrs), error);
  };
  const std::vector<float> weights{1, 2, 3};
  fixed({}, "Must provide either vocab_file or unigrams");
  fixed({{"unigrams", weights}, {"vocab_file", "x"}}, "Must only provide one of vocab_file and");
  fixed({{"vocab_file", "tests/data/nonesuch"}}, "tests/data/nonesuch; No such file");
  fixed({{"vocab_file", "tests/data/unigrams.csv"}}, "range is 3 must be equal to weights size");
  fixed({{"vocab_file", "tests/optest/without_rows.tsv"}}, "Wrong vocabulary format at line: op");
  fixed({{"unigrams", weights}, {"range_max", I{4}}},
        "range is 4 must be equal to weights size  3");
  fixed({{"unigrams", weights}, {"num_shards", I{2}}, {"shard", I{2}}}, "weights size  0");
}

}  // namespace

extern const OpCases kCandidateSamplerCases{"candidate_sampler", [] {
                                              std::vector<OpCase> cases;
                                              add_ranges(cases);
                                              add_weights(cases);
                                              add_errors(cases);
                                              return cases;
                                            }};

}  // namespace rill
