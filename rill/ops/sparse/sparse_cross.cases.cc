#include "rill/ops/sparse/sparse_case.h"

namespace rill {
namespace {

struct Sparse {
  Tensor indices, values, shape;
};

OpCase cross(const std::vector<Sparse>& sparse, const std::vector<Tensor>& dense, DType out,
             std::int64_t buckets = 0, std::int64_t key = 956888297470, const char* error = "") {
  std::vector<Tensor> indices, values, shapes;
  std::vector<DType> sparse_types, dense_types;
  for (const Sparse& s : sparse) {
    indices.push_back(s.indices);
    values.push_back(s.values);
    shapes.push_back(s.shape);
    sparse_types.push_back(s.values.dtype());
  }
  for (const Tensor& d : dense) dense_types.push_back(d.dtype());
  const auto types = [](const std::vector<DType>& list) {
    return list.empty() ? AttrValue::empty_list(AttrKind::kType) : AttrValue(list);
  };
  return {.op = "SparseCross",
          .in = {list(indices), list(values), list(shapes), list(dense)},
          .attrs = {{"N", static_cast<std::int64_t>(sparse.size())},
                    {"hashed_output", out == DType::i64},
                    {"num_buckets", buckets},
                    {"hash_key", key},
                    {"sparse_types", types(sparse_types)},
                    {"dense_types", types(dense_types)},
                    {"out_type", out},
                    {"internal_type", out}},
          .error = error};
}

}  // namespace

extern const OpCases kSparseCrossCases{
    "sparse_cross", [] {
      std::vector<OpCase> cases;
      const Sparse words{places(2, {0, 0, 0, 1, 2, 0}), strings({3}, {"a", "b", "c"}),
                         dims({3, 2})};
      const Sparse numbers{places(2, {0, 0, 1, 0, 2, 0, 2, 1}), dims({7, -8, 9, 10}), dims({3, 2})};
      const Tensor dense_words = strings({3, 2}, {"p", "q", "r", "s", "t", ""});
      const Tensor dense_numbers = longs({3, 1}, {1, 2, 3});
      const Sparse other{numbers.indices, strings({4}, {"7", "-8", "9", "10"}), numbers.shape};
      const Tensor other_dense = strings({3, 1}, {"1", "2", "3"});
      cases.push_back(cross({words, numbers}, {}, DType::i64));
      cases.push_back(cross({words, numbers}, {dense_words, dense_numbers}, DType::i64, 100));
      cases.push_back(cross({numbers, words, words}, {}, DType::i64));
      cases.push_back(cross({}, {dense_numbers, dense_words}, DType::i64, 13));
      for (const DType out : {DType::string, DType::i64}) {
        cases.push_back(cross({words, other}, {}, out));
        cases.push_back(cross({words, other}, {dense_words, other_dense}, out, 100));
        cases.push_back(cross({words}, {}, out, 1000, 7));
        cases.push_back(cross({}, {other_dense, dense_words}, out, 13));
        cases.push_back(cross({{places(2, {}), strings({0}, {}), dims({3, 0})}, words}, {}, out));
        cases.push_back(
            cross({words, {other.indices, other.values, dims({4, 2})}}, {}, out, 0, 1, "xpected"));
        cases.push_back(cross({words}, {strings({2, 1}, {"1", "2"})}, out, 0, 1, "xpected"));
        cases.push_back(cross({{words.indices, strings({2}, {"a", "b"}), words.shape}}, {}, out, 0,
                              1, "xpected|match|equal"));
        cases.push_back(
            cross({{longs({1}, {0}), words.values, words.shape}}, {}, out, 0, 1, "matrix|rank"));
        cases.push_back(cross({words}, {strings({3}, {"1", "2", "3"})}, out, 0, 1, "rank|matrix"));
      }
      // TensorFlow 2.15 no longer writes numbers as text; 1.15 did.
      cases.push_back(cross({numbers}, {dense_words}, DType::string));
      cases.back().want = {
          places(2, {0, 0, 0, 1, 1, 0, 1, 1, 2, 0, 2, 1, 2, 2, 2, 3}),
          strings({8}, {"7_X_p", "7_X_q", "-8_X_r", "-8_X_s", "9_X_t", "9_X_", "10_X_t", "10_X_"}),
          dims({3, 4})};
      return cases;
    }};

}  // namespace rill
