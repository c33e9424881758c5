#include "tests/optest/op_case.h"

namespace rill {

// The statements of a row run in order, so that no flow is needed.
extern const OpCases kTensorArrayCases{
    "tensor_array", [] {
      std::vector<OpCase> rows;
      const std::string empty = "a = TensorArray$V(3, dtype=float)\n";
      const std::string filled = empty + R"(
        TensorArrayWrite$V(a, 0, [1.0 2.0], 0.0)
        TensorArrayWrite$V(a, 1, [3.0 4.0], 0.0)
        TensorArrayWrite$V(a, 2, [5.0 6.0], 0.0)
      )";
      add_graphs(rows, {"TensorArray", "TensorArrayV2", "TensorArrayV3"}, R"(
        case = $OP(1, dtype=float, dynamic_size=true, clear_after_read=false)
        TensorArrayWrite$V(case, 4, [1.0], 0.0)
        fetch TensorArraySize$V(case, 0.0), TensorArrayRead$V(case, 4, 0.0, dtype=float),
              TensorArrayRead$V(case, 4, 0.0, dtype=float))");
      add_graphs(rows, {"TensorArray", "TensorArrayV2", "TensorArrayV3"}, R"(
        case = $OP(1, dtype=float)
        TensorArrayWrite$V(case, 4, [1.0], 0.0))",
                 "index 4 but array is not resizeable and size is: 1");
      add_graphs(rows, {"TensorArrayWrite", "TensorArrayWriteV2", "TensorArrayWriteV3"}, empty + R"(
        case = $OP(a, 1, [7.0 8.0], 0.5)
        fetch case, TensorArrayRead$V(a, 1, 0.0, dtype=float))");
      add_graphs(rows, {"TensorArrayRead", "TensorArrayReadV2", "TensorArrayReadV3"},
                 filled + "case = $OP(a, 1, 0.0, dtype=float)");
      add_graphs(rows, {"TensorArrayRead", "TensorArrayReadV2", "TensorArrayReadV3"},
                 filled + "case = $OP(a, 3, 0.0, dtype=float)",
                 "Tried to read from index 3 but array size is: 3");
      add_graphs(rows, {"TensorArrayGather", "TensorArrayGatherV2", "TensorArrayGatherV3"},
                 filled + "case = $OP(a, [2 0], 0.0, dtype=float)");
      add_graphs(rows, {"TensorArrayPack"}, filled + "case = $OP(a, 0.0, dtype=float)");
      add_graphs(rows, {"TensorArrayConcat", "TensorArrayConcatV2", "TensorArrayConcatV3"},
                 filled + "case = $OP(a, 0.0, dtype=float)");
      add_graphs(rows, {"TensorArrayScatter", "TensorArrayScatterV2", "TensorArrayScatterV3"},
                 empty + R"(
        case = $OP(a, [2 0], [[1.0 2.0] [3.0 4.0]], 0.5)
        fetch case, TensorArrayRead$V(a, 2, 0.0, dtype=float),
              TensorArrayRead$V(a, 0, 0.0, dtype=float))");
      add_graphs(rows, {"TensorArrayUnpack"}, empty + R"(
        case = $OP(a, [[1.0 2.0] [3.0 4.0] [5.0 6.0]], 0.5)
        fetch case, TensorArrayRead(a, 2, 0.0, dtype=float))");
      add_graphs(rows, {"TensorArraySplit", "TensorArraySplitV2", "TensorArraySplitV3"}, empty + R"(
        case = $OP(a, [1.0 2.0 3.0 4.0], [1 0 3], 0.5)
        fetch case, TensorArrayRead$V(a, 0, 0.0, dtype=float),
              TensorArrayRead$V(a, 2, 0.0, dtype=float))");
      add_graphs(rows, {"TensorArraySplit", "TensorArraySplitV2", "TensorArraySplitV3"},
                 empty + "case = $OP(a, [1.0 2.0 3.0 4.0], [1 1 3], 0.5)", "lengths");
      add_graphs(rows, {"TensorArraySize", "TensorArraySizeV2", "TensorArraySizeV3"},
                 filled + "case = $OP(a, 0.0)");
      add_graphs(rows, {"TensorArrayClose", "TensorArrayCloseV2", "TensorArrayCloseV3"},
                 filled + R"(
        case = $OP(a)
        TensorArrayWrite$V(a, 0, [1.0], 0.0))",
                 "has already been closed");
      // What is written twice to an array of gradients is summed.
      add_graphs(rows, {"TensorArrayGrad", "TensorArrayGradV2", "TensorArrayGradV3"}, filled + R"(
        case = $OP(a, 0.0, source="g")
        TensorArrayWrite$V(case, 1, [1.0 1.0], 0.0)
        TensorArrayWrite$V(case, 1, [2.0 5.0], 0.0)
        fetch TensorArrayRead$V(case, 1, 0.0, dtype=float), TensorArraySize$V(case, 0.0))");
      add_graphs(rows, {"TensorArrayGradWithShape"}, R"(
        a = TensorArrayV3(2, dtype=float, element_shape=[2])
        TensorArrayWriteV3(a, 0, [1.0 2.0], 0.0)
        case = $OP(a, 0.5, [3], source="g")
        TensorArrayWriteV3(case, 0, [[1.0 2.0] [3.0 4.0] [5.0 6.0]], 0.0)
        fetch case:1, TensorArrayReadV3(case, 0, 0.0, dtype=float))");
      return rows;
    }};

}  // namespace rill
