#include <cmath>

#include "tests/optest/op_case.h"

namespace rill {
namespace {

using Numbers = std::vector<std::int64_t>;

struct Dilation {
  Shape images, filter, results;
  const char* padding = "SAME";
  Numbers strides = {1, 1, 1, 1}, rates = {1, 1, 1, 1};
  AttrMap attrs() const {
    return {{"strides", strides}, {"rates", rates}, {"padding", std::string(padding)}};
  }
};

const std::vector<Dilation> kDilations = {
    {{2, 5, 6, 3}, {3, 2, 3}, {2, 5, 6, 3}},
    {{2, 5, 6, 3}, {2, 3, 3}, {2, 4, 4, 3}, "VALID"},
    {{1, 7, 8, 2}, {3, 3, 2}, {1, 4, 3, 2}, "SAME", {1, 2, 3, 1}},
    {{1, 7, 8, 2}, {2, 3, 2}, {1, 4, 6, 2}, "VALID", {1, 1, 1, 1}, {1, 3, 1, 1}},
    {{3, 6, 6, 1}, {3, 3, 1}, {3, 3, 3, 1}, "SAME", {1, 2, 2, 1}, {1, 2, 2, 1}},
    // Windows that meet nothing.
    {{1, 1, 4, 2}, {2, 2, 2}, {1, 1, 4, 2}, "SAME", {1, 1, 1, 1}, {1, 6, 6, 1}},
    {{0, 5, 6, 3}, {3, 2, 3}, {0, 5, 6, 3}},
    {{4, 32, 32, 16}, {3, 3, 16}, {4, 32, 32, 16}}};

void add_dilation(std::vector<OpCase>& cases, const Dilation& d, DType type) {
  const bool whole = !kFloatTypes.contains(type);
  const Tensor x = random(type, d.images, 1, 0, whole ? 60 : 1),
               w = random(type, d.filter, 2, 0, whole ? 9 : 1),
               dy = random(type, d.results, 3, 0, whole ? 5 : 1);
  const double atol = type == DType::f16 ? 4e-2 : type == DType::bf16 ? 3e-1 : 1e-5;
  const bool checks = d.rates[1] < 6;  // the lowest number has no slope
  const auto add = [&](const char* op, std::vector<CaseInput> in) {
    cases.push_back(
        {.op = op, .in = std::move(in), .attrs = d.attrs(), .atol = atol, .grad = checks});
  };
  add("Dilation2D", {x, w});
  add("Dilation2DBackpropInput", {x, w, dy});
  add("Dilation2DBackpropFilter", {x, w, dy});
}

void add_dilation_errors(std::vector<OpCase>& cases) {
  const auto refuse = [&](Dilation d, const char* error, const char* op = "Dilation2D") {
    std::vector<CaseInput> in{random<float>(d.images, 1), random<float>(d.filter, 2)};
    if (op != std::string_view("Dilation2D")) in.emplace_back(random<float>(d.results, 3));
    cases.push_back({.op = op, .in = std::move(in), .attrs = d.attrs(), .error = error});
  };
  const Shape x{1, 4, 5, 2}, w{2, 2, 2};
  refuse({{4, 5, 2}, w, {}}, "rank 4|4-dimensional");
  refuse({x, {2, 2}, {}}, "rank 3|3-dimensional");
  refuse({x, {2, 2, 1}, {}}, "2 and 1|2 vs 1");
  refuse({x, w, {}, "SAME", {2, 1, 1, 1}}, "dimensions");
  refuse({x, w, {}, "SAME", {1, 1, 1, 1}, {1, 1, 1, 2}}, "dimensions");
  refuse({x, w, {}, "SAME", {1, 0, 1, 1}}, "[Ss]tride");
  refuse({x, w, {}, "SAME", {1, 1, 1, 1, 1}}, "to contain 4 values");
  refuse({x, {6, 6, 2}, {}, "VALID"}, "egative");
  refuse({x, w, {1, 3, 5, 2}}, "out_backprop", "Dilation2DBackpropInput");
  refuse({x, w, {1, 3, 5, 2}}, "out_backprop", "Dilation2DBackpropFilter");
}

}  // namespace

extern const OpCases kDilationCases{
    "dilation", [] {
      std::vector<OpCase> cases;
      for (const Dilation& d : kDilations)
        for (const DType type : {DType::f32, DType::f64}) add_dilation(cases, d, type);
      for (const DType type : {DType::f16, DType::bf16, DType::i8, DType::i16, DType::i32,
                               DType::i64, DType::u8, DType::u16})
        for (const std::size_t i : {0u, 3u, 5u}) add_dilation(cases, kDilations[i], type);
      // NaN is never the largest.
      const AttrMap attrs = kDilations[0].attrs();
      const Tensor x = tensor<float>({1, 1, 4, 1}, {1, NAN, -INFINITY, NAN}),
                   w = tensor<float>({1, 2, 1}, {0, 1}),
                   dy = tensor<float>({1, 1, 4, 1}, {1, 2, 4, 8});
      cases.push_back({.op = "Dilation2D", .in = {x, w}, .attrs = attrs, .grad = false});
      cases.push_back({.op = "Dilation2DBackpropInput", .in = {x, w, dy}, .attrs = attrs});
      cases.push_back({.op = "Dilation2DBackpropFilter", .in = {x, w, dy}, .attrs = attrs});
      add_dilation_errors(cases);
      return cases;
    }};

}  // namespace rill
