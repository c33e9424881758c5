#include "rill/ops/linalg/matrix_cases.h"

namespace rill {
namespace {

struct Sum {
  const char* equation;
  std::vector<Shape> shapes;
};

OpCase einsum(DType type, const Sum& sum, const char* error = "") {
  std::vector<Tensor> inputs;
  for (const Shape& shape : sum.shapes) inputs.push_back(random(type, shape, 22 + inputs.size()));
  return {.op = "Einsum",
          .in = {list(std::move(inputs))},
          .attrs = {{"equation", std::string(sum.equation)}},
          .rtol = loose(type),
          .atol = loose_absolute(type),
          .error = error};
}

const std::vector<Sum>& sums() {
  static const std::vector<Sum> all = {
      {"ij,jk->ik", {{2, 3}, {3, 4}}},
      {"ij,kj->ki", {{2, 3}, {4, 3}}},
      {"ab,ab->", {{3, 2}, {3, 2}}},
      {"a,b->ba", {{3}, {4}}},
      {"ii->i", {{3, 3}}},
      {"ii->", {{3, 3}}},
      {"ij->", {{2, 3}}},
      {"ij->ji", {{2, 3}}},
      {"ij->ij", {{2, 3}}},
      {"a->aa", {{3}}},
      {"ij->ijj", {{2, 3}}},
      {"ij->ii", {{2, 3}}},
      {"iij,jk->ik", {{2, 2, 3}, {3, 4}}},
      {"aij,bj->bi", {{2, 3, 4}, {5, 4}}},
      {"bij,bjk->bik", {{2, 3, 4}, {2, 4, 5}}},
      {"bik,bjk->bij", {{2, 3, 4}, {2, 5, 4}}},
      {"...ij,...jk->...ik", {{5, 2, 3}, {3, 4}}},
      {"...ij,...jk->...ik", {{5, 1, 2, 3}, {6, 3, 4}}},
      {"i...,...j->j...i", {{2, 3, 4}, {3, 4, 5}}},
      {"...,...->...", {{3, 2}, {1}}},
      {"...a->a...", {{2, 3, 4}}},
      {"abcd,cdef->abef", {{2, 3, 4, 5}, {4, 5, 2, 3}}},
      {"abc,cd->dab", {{7, 8, 9}, {9, 10}}},
      {"->", {{}}},
      {"i1->1", {{2, 2}}},
      {"ij,jk->ik", {{0, 3}, {3, 4}}},
      {"ij,jk->ik", {{2, 0}, {0, 4}}},
      {"ij->i", {{2, 0}}},
      {"ij->j", {{2, 0}}},
      {"a->aa", {{0}}},
      {"ab,bc->ac", {{70, 80}, {80, 90}}},
  };
  return all;
}

}  // namespace

extern const OpCases kEinsumCases{
    "einsum", [] {
      std::vector<OpCase> cases;
      for (const DType type : kCaseTypes)
        for (const Sum& sum : sums()) cases.push_back(einsum(type, sum));
      const std::pair<Sum, const char*> wrong[] = {
          {{"ij,jk", {{2, 3}, {3, 4}}}, "Expecting exactly one '->' in einsum equation"},
          {{"ij->ji->", {{2, 3}}}, "Expecting exactly one '->' in einsum equation"},
          {{"i->ij", {{2}}}, "which is not present in the input subscripts"},
          {{"i,j,k->ijk", {{2}, {2}, {2}}}, "Expecting 1 or 2 input subscripts"},
          {{"i,j->ij", {{2}}}, "inputs|input"},
          {{"..a->a", {{2, 3}}}, "Expected at most one ellipsis"},
          {{"ij,jk->ik", {{2, 3}, {2, 4}}}, "equal|Expected dimension 3 at axis 0"},
          {{"ii->i", {{3, 2}}}, "equal|Expected dimension 3 at axis 1"},
          {{"a...->a", {{3, 2}}}, "rank 0|no ellipsis"},
          {{"ijk->i", {{3, 2}}}, "rank"},
      };
      for (const auto& [sum, error] : wrong) cases.push_back(einsum(DType::f32, sum, error));
      return cases;
    }};

}  // namespace rill
