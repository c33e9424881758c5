#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kCheckpointCases{
    "checkpoint", [] {
      std::vector<OpCase> rows;
      const std::string saved = R"(
        SaveV2("$TMP/c", ["a" "b"], ["" ""], ([[1.0 2.0] [3.0 4.0]], ["x" "y"]))
      )";
      const std::string saved_v1 = R"(
        Save("$TMP/c", ["a" "b"], ([[1.0 2.0] [3.0 4.0]], [5 6]))
      )";
      add_graphs(rows, {"SaveV2"}, R"(
        case = $OP("$TMP/c", ["w" "w" "n"], ["3 2 0,1:-" "3 2 1,2:-" ""],
                   ([[1.0 2.0]], [[3.0 4.0] [5.0 6.0]], int64 7))
        got = RestoreV2("$TMP/c", ["w" "n"], ["" ""], dtypes=[float int64])
        fetch got, got:1)");
      add_graphs(rows, {"SaveV2"}, "case = $OP(\"$TMP/c\", [\"a\"], [\"4 0,3\"], ([1.0 2.0]))",
                 "does not match the shape of the tensor to  save");
      add_graphs(rows, {"RestoreV2"}, saved + R"(
        case = $OP("$TMP/c", ["b" "a" "a"], ["" "" "2 2 -:1,1"], dtypes=[string float float]))");
      add_graphs(rows, {"RestoreV2"},
                 saved + "case = $OP(\"$TMP/c\", [\"z\"], [\"\"], dtypes=[float])",
                 "Key z not found in checkpoint");
      add_graphs(rows, {"RestoreV2"},
                 saved + "case = $OP(\"$TMP/c\", [\"a\"], [\"\"], dtypes=[int32])",
                 "expected dtype int32 does not equal original dtype float");
      add_graphs(rows, {"MergeV2Checkpoints"}, R"(
        SaveV2("$TMP/p1/c", ["x"], [""], (1))
        SaveV2("$TMP/p2/c", ["y"], [""], ([2.0 3.0]))
        case = $OP(["$TMP/p1/c" "$TMP/p2/c"], "$TMP/all")
        got = RestoreV2("$TMP/all", ["y" "x"], ["" ""], dtypes=[float int32])
        fetch got, got:1, MatchingFiles("$TMP/*"))");
      add_graphs(rows, {"Save"}, R"(
        case = $OP("$TMP/c", ["a" "b"], ([[1.0 2.0] [3.0 4.0]], [5 6]))
        fetch Restore("$TMP/c", "a", dt=float), Restore("$TMP/c", "b", dt=int32))");
      add_graphs(rows, {"SaveSlices"}, R"(
        case = $OP("$TMP/c", ["a" "a"], ["4 0,2" "4 2,2"], ([1.0 2.0], [3.0 4.0]))
        fetch Restore("$TMP/c", "a", dt=float))");
      add_graphs(rows, {"Restore"}, saved_v1 + "case = $OP(\"$TMP/c\", \"a\", dt=float)");
      add_graphs(rows, {"Restore"}, saved_v1 + "case = $OP(\"$TMP/c\", \"z\", dt=float)",
                 "Tensor name \"z\" not found in checkpoint files");
      add_graphs(rows, {"RestoreSlice"},
                 saved_v1 + "case = $OP(\"$TMP/c\", \"a\", \"2 2 0,1:-\", dt=float)");
      return rows;
    }};

}  // namespace rill
