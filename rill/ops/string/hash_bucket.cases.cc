#include "tests/optest/op_case.h"

namespace rill {
namespace {

// Every length up to 80, then some longer ones: the hashes differ by length.
Tensor texts_of_all_lengths() {
  Tensor texts(DType::string, {84});
  for (std::size_t i = 0; i < 84; ++i) {
    std::string& text = texts.data<std::string>()[i];
    const std::size_t length = i <= 80 ? i : 100 * (i - 79);
    for (std::size_t k = 0; k < length; ++k) text += static_cast<char>(k * 37 + i);
  }
  return texts;
}

}  // namespace

extern const OpCases kHashBucketCases{
    "hash_bucket", [] {
      std::vector<OpCase> cases;
      const Tensor all = texts_of_all_lengths();
      const Tensor few = tensor<std::string>({2, 2}, {"", std::string("a\0b", 3), "\xc3\xa9", "x"});
      for (const std::int64_t buckets : {std::int64_t{1}, std::int64_t{10}, std::int64_t{1} << 32,
                                         std::numeric_limits<std::int64_t>::max()}) {
        for (const char* op : {"StringToHashBucket", "StringToHashBucketFast"})
          for (const Tensor& texts : {all, few, strings({}, {"word"}), strings({0, 3}, {})})
            cases.push_back({.op = op, .in = {texts}, .attrs = {{"num_buckets", buckets}}});
        for (const Tensor& texts : {all, few, strings({0}, {})})
          for (const std::vector<std::int64_t>& key :
               {std::vector<std::int64_t>{0, 0}, {123, -456}})
            cases.push_back({.op = "StringToHashBucketStrong",
                             .in = {texts},
                             .attrs = {{"num_buckets", buckets}, {"key", key}}});
      }
      cases.push_back({.op = "StringToHashBucketStrong",
                       .in = {few},
                       .attrs = {{"num_buckets", 10}, {"key", std::vector<std::int64_t>{1}}},
                       .error = "Key must have 2 elements"});
      for (const char* op : {"StringToHashBucket", "StringToHashBucketFast"})
        cases.push_back({.op = op,
                         .in = {few},
                         .attrs = {{"num_buckets", 0}},
                         .error = "must be at least minimum 1"});
      return cases;
    }};

}  // namespace rill
