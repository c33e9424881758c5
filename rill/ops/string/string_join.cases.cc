#include "tests/optest/op_case.h"

namespace rill {
namespace {

Tensor ids(Shape shape, std::initializer_list<std::int32_t> v) {
  return tensor<std::int32_t>(std::move(shape), v);
}

// "0", "1", ... and now and then an empty one.
Tensor numbered(const Shape& shape) {
  Tensor texts(DType::string, shape);
  for (std::int64_t i = 0; i < texts.element_count(); ++i)
    if (i % 5 != 3) texts.data<std::string>()[i] = std::to_string(i);
  return texts;
}

void add_string_join(std::vector<OpCase>& cases) {
  const Tensor nul = tensor<std::string>({2}, {std::string("\0", 1), "\xc3\xa9"});
  for (const char* separator : {"", "-", "<sep>"}) {
    const auto add = [&](std::vector<Tensor> in) {
      cases.push_back(
          {.op = "StringJoin", .in = {list(std::move(in))}, .attrs = {{"separator", separator}}});
    };
    add({strings({}, {"a"})});
    add({strings({}, {"a"}), strings({}, {""}), strings({}, {"c"})});
    add({nul, strings({}, {"x"}), nul});
    add({strings({}, {"x"}), numbered({2, 3}), numbered({2, 3})});
    add({numbered({2, 0}), strings({}, {"x"})});
    add({numbered({1}), numbered({1}), strings({}, {"x"})});
    add({numbered({5000}), numbered({5000})});
  }
  cases.push_back({.op = "StringJoin",
                   .in = {list({numbered({2}), numbered({1})})},
                   .error = "Input shapes do not match|equal rank|must be equal"});
  cases.push_back({.op = "StringJoin",
                   .in = {list({numbered({1, 1}), numbered({1})})},
                   .error = "Input shapes do not match|equal rank"});
}

void add_reduce_join(std::vector<OpCase>& cases) {
  const auto add = [&](Tensor x, Tensor axes, bool keep_dims = false, const char* error = "") {
    cases.push_back({.op = "ReduceJoin",
                     .in = {std::move(x), std::move(axes)},
                     .attrs = {{"keep_dims", keep_dims}, {"separator", "."}},
                     .error = error});
  };
  for (const bool keep : {false, true}) {
    for (const Tensor& axes :
         {ids({0}, {}), ids({1}, {0}), ids({1}, {1}), ids({1}, {-1}), ids({2}, {0, 2}),
          ids({2}, {2, 0}), ids({3}, {0, 1, 2}), ids({3}, {2, -2, 0}), ids({}, {1})})
      add(numbered({2, 3, 4}), axes, keep);
    add(numbered({}), ids({0}, {}), keep);
    add(numbered({2, 0}), ids({1}, {1}), keep);
    add(numbered({2, 0}), ids({1}, {0}), keep);
    add(numbered({700, 3}), ids({1}, {1}), keep);
  }
  cases.push_back({.op = "ReduceJoin", .in = {numbered({2, 3}), ids({1}, {0})}});
  add(numbered({2, 2}), ids({1}, {2}), false, "Invalid reduction dimension 2");
  add(numbered({2, 2}), ids({1}, {-3}), false, "Invalid reduction dimension -3");
  add(numbered({2, 2}), ids({2}, {0, 0}), false, "Duplicate reduction dimension 0|twice");
  add(numbered({2, 2}), ids({2}, {0, -2}), false, "Duplicate reduction dimension");
  add(numbered({}), ids({}, {0}), false, "Invalid reduction dimension 0");
}

void add_segment_join(std::vector<OpCase>& cases) {
  const auto add = [&](Tensor x, Tensor id, Tensor segments, const char* error = "") {
    cases.push_back({.op = "UnsortedSegmentJoin",
                     .in = {std::move(x), std::move(id), std::move(segments)},
                     .attrs = {{"separator", ":"}},
                     .error = error});
  };
  add(numbered({3}), ids({3}, {1, 0, 1}), scalar<std::int32_t>(3));
  add(numbered({3}), tensor<std::int64_t>({3}, {1, 0, 1}), scalar<std::int64_t>(2));
  add(numbered({6}), ids({6}, {1, 1, 1, 1, 1, 1}), scalar<std::int64_t>(2));
  add(numbered({2, 2}), ids({2}, {1, 1}), scalar<std::int32_t>(2));
  add(numbered({2, 2}), ids({2, 2}, {1, 0, 1, 0}), scalar<std::int32_t>(2));
  add(numbered({2, 2, 3}), ids({2, 2}, {1, 0, 1, 0}), scalar<std::int32_t>(3));
  add(numbered({0}), ids({0}, {}), scalar<std::int32_t>(2));
  add(numbered({3, 0}), ids({3}, {0, 1, 0}), scalar<std::int32_t>(2));
  const char* range = "not allowed to exceed num_segments or to have negative values";
  add(numbered({1}), ids({1}, {-1}), scalar<std::int32_t>(2), range);
  add(numbered({1}), ids({1}, {2}), scalar<std::int32_t>(2), range);
  add(numbered({1}), ids({1}, {0}), scalar<std::int32_t>(0), range);
  add(numbered({1}), ids({1}, {0}), scalar<std::int32_t>(-3), "non-negative|>= 0");
  add(numbered({2, 2}), ids({3}, {1, 1, 1}), scalar<std::int32_t>(2),
      "Segment dimension is 3 while input dimension is 2");
  add(numbered({2}), ids({}, {1}), scalar<std::int32_t>(2), "cannot have rank 0");
  add(numbered({2}), ids({2}, {1, 0}), ids({1}, {2}), "must be a scalar|rank 0");
  add(numbered({2}), ids({2, 1}, {1, 0}), scalar<std::int32_t>(2), "prefix|rank");
}

}  // namespace

extern const OpCases kStringJoinCases{"string_join", [] {
                                        std::vector<OpCase> cases;
                                        add_string_join(cases);
                                        add_reduce_join(cases);
                                        add_segment_join(cases);
                                        return cases;
                                      }};

}  // namespace rill
