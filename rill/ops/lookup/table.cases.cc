#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kTableCases{
    "table", [] {
      std::vector<OpCase> rows;
      add_graphs(rows, {"HashTable", "HashTableV2"}, R"(
        case = $OP(key_dtype=string, value_dtype=int64)
        InitializeTable$V(case, ["a" "b"], int64 [1 2])
        fetch LookupTableFind$V(case, ["b" "?"], int64 -1), LookupTableSize$V(case))");
      add_graphs(rows, {"HashTable", "HashTableV2"}, R"(
        case = $OP(key_dtype=string, value_dtype=int64)
        fetch LookupTableFind$V(case, ["b" "?"], int64 -1))",
                 "Table not initialized");
      add_graphs(rows, {"MutableHashTable", "MutableHashTableV2"}, R"(
        case = $OP(key_dtype=int64, value_dtype=float)
        LookupTableInsert$V(case, int64 [7 8 7], [1.0 2.0 3.0])
        fetch LookupTableFind$V(case, int64 [7 9], -1.0), LookupTableSize$V(case))");
      add_graphs(rows, {"MutableHashTableOfTensors", "MutableHashTableOfTensorsV2"}, R"(
        case = $OP(key_dtype=string, value_dtype=float, value_shape=[2])
        LookupTableInsert$V(case, ["a" "b"], [[1.0 2.0] [3.0 4.0]])
        fetch LookupTableFind$V(case, ["b" "?"], [-1.0 -2.0]), LookupTableSize$V(case))");
      // TensorFlow 2.15 asks the older one for an input that it has not.
      add_graph(rows, "MutableDenseHashTable", R"(
        case = $OP(int64 -1, value_dtype=float, value_shape=[2], initial_num_buckets=4)
        LookupTableInsert(case, int64 [7 8 9], [[1.0 2.0] [3.0 4.0] [5.0 6.0]])
        fetch LookupTableFind(case, int64 [8 3], [0.0 -1.0]), LookupTableSize(case))",
                R"(
        t = MutableDenseHashTableV2(int64 -1, int64 -2, value_dtype=float, value_shape=[2])
        LookupTableInsertV2(t, int64 [7 8 9], [[1.0 2.0] [3.0 4.0] [5.0 6.0]])
        fetch LookupTableFindV2(t, int64 [8 3], [0.0 -1.0]), LookupTableSizeV2(t))");
      add_graphs(rows, {"MutableDenseHashTableV2"}, R"(
        case = $OP("", "gone", value_dtype=int64, initial_num_buckets=4, max_load_factor=0.5)
        LookupTableInsertV2(case, ["a" "b" "c"], int64 [1 2 3])
        LookupTableRemoveV2(case, ["b"])
        fetch LookupTableFindV2(case, ["a" "b"], int64 -1), LookupTableSizeV2(case))");
      add_graphs(rows, {"MutableDenseHashTableV2"}, R"(
        case = $OP("same", "same", value_dtype=int64))",
                 "[Ee]mpty and deleted keys");
      add_graphs(rows, {"MutableDenseHashTableV2"}, R"(
        case = $OP(int64 -1, int64 -2, value_dtype=float)
        LookupTableInsertV2(case, int64 [-1], [1.0]))",
                 "Using the empty_key as a table key is not allowed");
      return rows;
    }};

}  // namespace rill
