#include "rill/ops/sparse/sparse_case.h"

namespace rill {
namespace {

OpCase softmax(Tensor indices, Tensor values, Tensor shape, const char* error = "") {
  return {.op = "SparseSoftmax",
          .in = {std::move(indices), std::move(values), std::move(shape)},
          .error = error};
}

}  // namespace

extern const OpCases kSparseSoftmaxCases{
    "sparse_softmax", [] {
      const Tensor at = places(2, {0, 1, 1, 0, 1, 2}), three = floats({1, 2, 3}),
                   shape = dims({2, 3});
      std::vector<OpCase> cases;
      for (const DType type : {DType::f32, DType::f64}) {
        cases.push_back(softmax(at, random(type, {3}, 1, -4, 4), shape));
        cases.push_back(softmax(places(3, {0, 0, 0, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 0, 1}),
                                random(type, {5}, 2, -4, 4), dims({2, 2, 2})));
      }
      cases.push_back(softmax(places(2, {1, 2, 0, 0, 1, 1}), three, shape));
      cases.back().grad = false;  // the gradient expects ordered elements
      cases.push_back(softmax(places(2, {}), floats({}), shape));
      cases.push_back(softmax(at, floats({1, NAN, 3}), shape));
      cases.back().grad = false;
      cases.push_back(softmax(at, floats({-INFINITY, INFINITY, 3}), shape));
      cases.back().grad = false;
      cases.push_back(softmax(at, floats({1, 1000, -1000}), shape));
      cases.push_back(softmax(at, floats({1}), shape, "match|equal"));
      cases.push_back(softmax(places(1, {0, 1, 2}), three, dims({3}), "rank >= 2"));
      cases.push_back(softmax(longs({1}, {0}), three, shape, "matrix|rank"));
      cases.push_back(softmax(at, three, dims({2, 3, 4}), "rank|match|equal"));
      cases.push_back(softmax(at, three, dims({-2, 3}), "-2"));
      cases.push_back(softmax(at, three, dims({kHuge, kHuge}), "overflow|more than"));
      return cases;
    }};

}  // namespace rill
