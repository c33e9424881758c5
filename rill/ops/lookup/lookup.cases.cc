#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kLookupCases{
    "lookup", [] {
      std::vector<OpCase> rows;
      const std::string fixed = "t = HashTable$V(key_dtype=string, value_dtype=int64)\n";
      const std::string filled =
          "t = MutableHashTable$V(key_dtype=string, value_dtype=int64)\n"
          "LookupTableInsert$V(t, [\"a\" \"b\"], int64 [1 2])\n";
      const std::string find =
          "fetch LookupTableFind$V(t, [\"a\" \"c\"], int64 -1), "
          "LookupTableSize$V(t)";
      add_graphs(rows, {"InitializeTable", "InitializeTableV2"},
                 fixed + "case = $OP(t, [\"a\" \"b\"], int64 [1 2])\n" + find);
      add_graphs(rows, {"InitializeTable", "InitializeTableV2"},
                 fixed + "case = $OP(t, [\"a\" \"a\"], int64 [1 2])\n" + find,
                 "HashTable has different value for same key");
      add_graphs(rows, {"InitializeTableFromTextFile", "InitializeTableFromTextFileV2"}, fixed + R"(
        WriteFile("$TMP/words", "a 5\nc 7\n")
        case = $OP(t, "$TMP/words", key_index=0, value_index=1, delimiter=" ")
      )" + find);
      add_graphs(rows, {"InitializeTableFromTextFile", "InitializeTableFromTextFileV2"}, fixed + R"(
        WriteFile("$TMP/words", "b\na\n")
        case = $OP(t, "$TMP/words", key_index=-2, value_index=-1, vocab_size=2)
      )" + find);
      add_graphs(rows, {"InitializeTableFromTextFile", "InitializeTableFromTextFileV2"},
                 fixed + "case = $OP(t, \"$TMP/nothing\", key_index=-2, value_index=-1)",
                 "No such file or directory");
      add_graphs(rows, {"LookupTableFind", "LookupTableFindV2"},
                 filled + "case = $OP(t, [[\"a\" \"x\"] [\"b\" \"\"]], int64 -1)");
      add_graphs(rows, {"LookupTableFind", "LookupTableFindV2"},
                 filled + "case = $OP(t, [\"a\" \"b\" \"c\"], int64 [[1 2]])", "[Ss]hape");
      add_graphs(rows, {"LookupTableInsert", "LookupTableInsertV2"},
                 filled + "case = $OP(t, [\"c\" \"a\"], int64 [3 4])\n" + find);
      add_graphs(rows, {"LookupTableInsert", "LookupTableInsertV2"},
                 filled + "case = $OP(t, [\"c\" \"a\"], int64 [3])\n" + find, "[Ss]hape");
      add_graphs(rows, {"LookupTableImport", "LookupTableImportV2"},
                 filled + "case = $OP(t, [\"c\"], int64 [3])\n" + find);
      add_graphs(rows, {"LookupTableRemoveV2"}, filled + "case = $OP(t, [\"b\" \"z\"])\n" + find);
      add_graphs(rows, {"LookupTableSize", "LookupTableSizeV2"}, filled + "case = $OP(t)");
      // Of one entry: the order of several is the table's own.
      add_graphs(rows, {"LookupTableExport", "LookupTableExportV2"}, fixed + R"(
        InitializeTable$V(t, ["a"], int64 [1])
        case = $OP(t, Tkeys=string, Tvalues=int64))");
      return rows;
    }};

}  // namespace rill
