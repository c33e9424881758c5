#include "rill/ops/data/core/dataset_cases.h"
#include "tests/optest/op_case.h"

namespace rill {
namespace {

std::vector<OpCase> multi_device_iterator_rows() {
  std::vector<OpCase> rows;
  add_graphs(rows, {"MultiDeviceIterator"}, numbers(3) + R"(
    case = $OP(devices=["/cpu:0"], shared_name="m", container="", output_types=[int64],
        output_shapes=[[]])
    id = MultiDeviceIteratorInit(n, case, 1)
    fetch MultiDeviceIteratorGetNextFromShard(case, 0, id))");
  add_graphs(rows, {"AnonymousMultiDeviceIterator"}, numbers(3) + R"(
    case = $OP(devices=["/cpu:0"], output_types=[int64], output_shapes=[[]])
    id = MultiDeviceIteratorInit(n, case, 1)
    fetch MultiDeviceIteratorGetNextFromShard(case, 0, id))");
  add_graphs(rows, {"MultiDeviceIteratorInit"}, numbers(3) + R"(
    m = MultiDeviceIterator(devices=["/cpu:0"], shared_name="m", container="",
        output_types=[int64], output_shapes=[[]])
    case = $OP(n, m, 1)
    fetch case, MultiDeviceIteratorGetNextFromShard(m, 0, case))");
  add_graphs(rows, {"MultiDeviceIteratorGetNextFromShard"}, numbers(3) + R"(
    m = MultiDeviceIterator(devices=["/cpu:0" "/cpu:0"], shared_name="m", container="",
        output_types=[int64], output_shapes=[[]])
    id = MultiDeviceIteratorInit(n, m, 1)
    case = $OP(m, 1, id)
    fetch case, MultiDeviceIteratorGetNextFromShard(m, 0, id))");
  add_graphs(rows, {"MultiDeviceIteratorToStringHandle"}, numbers(3) + R"(
    m = MultiDeviceIterator(devices=["/cpu:0"], shared_name="m", container="",
        output_types=[int64], output_shapes=[[]])
    id = MultiDeviceIteratorInit(n, m, 1)
    case = $OP(m)
    same = MultiDeviceIteratorFromStringHandle(case, output_types=[int64], output_shapes=[[]])
    fetch MultiDeviceIteratorGetNextFromShard(same, 0, id))");
  add_graphs(rows, {"MultiDeviceIteratorFromStringHandle"}, numbers(3) + R"(
    m = MultiDeviceIterator(devices=["/cpu:0"], shared_name="m", container="",
        output_types=[int64], output_shapes=[[]])
    id = MultiDeviceIteratorInit(n, m, 1)
    handle = MultiDeviceIteratorToStringHandle(m)
    case = $OP(handle, output_types=[int64], output_shapes=[[]])
    fetch MultiDeviceIteratorGetNextFromShard(case, 0, id))");
  add_graphs(rows, {"DeleteMultiDeviceIterator"}, R"(
    m = AnonymousMultiDeviceIterator(devices=["/cpu:0"], output_types=[int64], output_shapes=[[]])
    case = $OP(m, (), m:1, N=0))");
  return rows;
}

}  // namespace

extern const OpCases kMultiDeviceIteratorCases{"multi_device_iterator", multi_device_iterator_rows};

}  // namespace rill
