#include "tests/optest/op_case.h"

namespace rill {
namespace {

using I = std::int32_t;

void add_plain(std::vector<OpCase>& cases) {
  for (const DType type : {DType::f32, DType::f64, DType::i32, DType::i64, DType::c64}) {
    cases.push_back({.op = "Diag", .in = {random(type, {3}, 1, 0, 9)}});
    cases.push_back({.op = "DiagPart", .in = {random(type, {3, 3}, 1, 0, 9)}});
    cases.push_back({.op = "MatrixDiag", .in = {random(type, {2, 3}, 1, 0, 9)}});
    cases.push_back({.op = "MatrixDiagPart", .in = {random(type, {2, 3, 4}, 1, 0, 9)}});
    cases.push_back({.op = "MatrixSetDiag",
                     .in = {random(type, {2, 4, 3}, 1, 0, 9), random(type, {2, 3}, 2, 0, 9)}});
    for (const auto& [lower, upper] : {std::pair{1, 0}, {0, 2}, {-1, 1}, {2, -1}})
      cases.push_back({.op = "MatrixBandPart",
                       .in = {random(type, {2, 3, 4}, 1, 0, 9), scalar<std::int64_t>(lower),
                              scalar<std::int64_t>(upper)}});
  }
  cases.push_back({.op = "BatchMatrixDiag", .in = {random<float>({2, 3}, 1)}});
  cases.push_back({.op = "BatchMatrixDiagPart", .in = {random<float>({2, 3, 4}, 1)}});
  cases.push_back(
      {.op = "BatchMatrixSetDiag", .in = {random<float>({2, 4, 3}, 1), random<float>({2, 3}, 2)}});
  cases.push_back(
      {.op = "BatchMatrixBandPart",
       .in = {random<float>({2, 3, 4}, 1), scalar<std::int64_t>(1), scalar<std::int64_t>(0)}});
  cases.push_back({.op = "Diag", .in = {random<double>({2, 3}, 1)}});
  cases.push_back({.op = "DiagPart", .in = {random<double>({2, 3, 2, 3}, 1)}});
  cases.push_back({.op = "MatrixDiagPart", .in = {random<double>({3, 3}, 1)}});
  cases.push_back({.op = "MatrixDiag", .in = {tensor<float>({2, 0}, {})}});
  cases.push_back(
      {.op = "MatrixBandPart", .in = {random<float>({3, 3}, 1), scalar<I>(1), scalar<I>(1)}});
  cases.push_back({.op = "DiagPart", .in = {random<float>({3}, 1)}, .error = "even|rank"});
  cases.push_back({.op = "DiagPart", .in = {random<float>({3, 2}, 1)}, .error = "[Dd]imension"});
  cases.push_back({.op = "MatrixBandPart",
                   .in = {random<float>({3, 3}, 1), scalar<I>(4), scalar<I>(1)},
                   .error = "num_lower must be negative or less or equal to number of rows"});
  cases.push_back({.op = "MatrixSetDiag",
                   .in = {random<float>({3, 3}, 1), random<float>({2}, 1)},
                   .error = "must"});
}

void add_bands(std::vector<OpCase>& cases) {
  struct Band {
    Tensor k;
    Shape diagonals;
    int rows, columns;
  };
  const std::vector<Band> bands = {{scalar<I>(1), {2, 3}, -1, -1},
                                   {scalar<I>(-1), {2, 3}, 5, 3},
                                   {tensor<I>({2}, {-1, 1}), {2, 3, 3}, -1, -1},
                                   {tensor<I>({2}, {1, 2}), {2, 2, 3}, 4, 4},
                                   {tensor<I>({2}, {-2, 0}), {2, 3, 3}, 4, 3},
                                   {tensor<I>({1}, {0}), {2, 3}, -1, 3}};
  for (const DType type : {DType::f32, DType::f64, DType::i32})
    for (const Band& band : bands) {
      cases.push_back({.op = "MatrixDiagV2",
                       .in = {random(type, band.diagonals, 1, 0, 9), band.k, scalar<I>(band.rows),
                              scalar<I>(band.columns), values(type, {}, {7})},
                       .grad = false});  // nothing goes back to the padding
    }
  for (const DType type : {DType::f32, DType::f64, DType::i32})
    for (const Tensor& k : {scalar<I>(0), scalar<I>(2), scalar<I>(-1), tensor<I>({2}, {-1, 2}),
                            tensor<I>({2}, {-2, -1})}) {
      const std::int64_t lower = *k.data<I>(), upper = k.data<I>()[k.element_count() - 1];
      Shape diagonals{2};
      if (upper > lower) diagonals.add_dim(upper - lower + 1);
      diagonals.add_dim(
          std::min(3 + std::min<std::int64_t>(upper, 0), 4 - std::max<std::int64_t>(lower, 0)));
      cases.push_back({.op = "MatrixDiagPartV2",
                       .in = {random(type, {2, 3, 4}, 1, 0, 9), k, values(type, {}, {7})},
                       .grad = false});
      cases.push_back(
          {.op = "MatrixSetDiagV2",
           .in = {random(type, {2, 3, 4}, 1, 0, 9), random(type, diagonals, 2, 0, 9), k}});
    }
  cases.push_back({.op = "MatrixDiagPartV2",
                   .in = {random<float>({3, 4}, 1), scalar<I>(4), scalar<float>(0)},
                   .error = "out of bound"});
  cases.push_back({.op = "MatrixDiagPartV2",
                   .in = {random<float>({3, 4}, 1), tensor<I>({2}, {1, 0}), scalar<float>(0)},
                   .error = "lower_diag_index must not be larger"});
  cases.push_back(
      {.op = "MatrixDiagV2",
       .in = {random<float>({3}, 1), scalar<I>(0), scalar<I>(2), scalar<I>(-1), scalar<float>(0)},
       .error = "number of rows is too small"});
}

}  // namespace

extern const OpCases kDiagonalsCases{"diagonals", [] {
                                       std::vector<OpCase> cases;
                                       add_plain(cases);
                                       add_bands(cases);
                                       return cases;
                                     }};

}  // namespace rill
