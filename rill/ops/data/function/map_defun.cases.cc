#include "tests/optest/op_case.h"

namespace rill {
namespace {

std::vector<OpCase> map_defun_rows() {
  std::vector<OpCase> rows;
  add_graphs(rows, {"MapDefun"}, R"(
    function scaled(x: int32, by: int32) -> int32, int32 = Mul(x, by), Add(x, by)
    case = $OP(([[1 2] [3 4] [5 6]]), (10), f=scaled, output_types=[int32 int32],
        output_shapes=[[2] [2]]))");
  add_graphs(rows, {"MapDefun"}, R"(
    function sums(x: int32, y: int32) -> int32 = Add(x, y)
    case = $OP(([1 2 3], [1 2]), (), f=sums, output_types=[int32], output_shapes=[[]]))",
             "same dimension 0|leading dim|dimension");
  return rows;
}

}  // namespace

extern const OpCases kMapDefunCases{"map_defun", map_defun_rows};

}  // namespace rill
