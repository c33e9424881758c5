#include "tests/optest/op_case.h"

namespace rill {

// What the bodies of functions and calls of older graphs are made of.
extern const OpCases kArgumentCases{
    "argument", [] {
      std::vector<OpCase> rows;
      add_graphs(rows, {"_ListToArray"},
                 "case = $OP(([1.0 2.0], [3.0]), Tin=[float float], T=float, N=2)");
      add_graphs(rows, {"_ArrayToList"}, "case = $OP(([1.0 2.0], [3.0]), out_types=[float float])");
      add_graphs(rows, {"FakeParam"}, "case = $OP(dtype=float, shape=[2])\nfetch Shape(case)");
      add_graphs(rows, {"DeviceIndex"}, "case = $OP(device_names=[\"GPU\" \"CPU\"])");
      add_graphs(rows, {"DeviceIndex"}, "case = $OP(device_names=[\"GPU\" \"TPU\"])");
      return rows;
    }};

}  // namespace rill
