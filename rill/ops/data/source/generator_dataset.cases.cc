#include "tests/optest/op_case.h"

namespace rill {
namespace {

std::vector<OpCase> generator_dataset_rows() {
  std::vector<OpCase> rows;
  add_graphs(rows, {"GeneratorDataset"}, R"(
    function start() -> int64 = Identity(int64 5)
    function next(state: int64) -> int64 = Add(state, int64 1)
    function stop(state: int64) -> int64 = Identity(state)
    case = $OP((), (), (), init_func=start, next_func=next, finalize_func=stop,
        output_types=[int64], output_shapes=[[]])
    elements case 2)");
  return rows;
}

}  // namespace

extern const OpCases kGeneratorDatasetCases{"generator_dataset", generator_dataset_rows};

}  // namespace rill
