#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kRemapCases{
    "remap", [] {
      std::vector<OpCase> rows;
      const std::string words = R"(
        WriteFile("$TMP/new", "a\nb\nc\nd\n")
        WriteFile("$TMP/old", "d\nx\nb\na\n")
      )";
      const std::string matrix = R"(
        SaveV2("$TMP/c", ["m"], [""], ([[0.0 1.0 2.0] [3.0 4.0 5.0] [6.0 7.0 8.0]]))
      )";
      add_graphs(rows, {"GenerateVocabRemapping"}, words + R"(
        case = $OP("$TMP/new", "$TMP/old", new_vocab_offset=0, num_new_vocab=4))");
      add_graphs(rows, {"GenerateVocabRemapping"}, words + R"(
        case = $OP("$TMP/new", "$TMP/old", new_vocab_offset=1, num_new_vocab=2, old_vocab_size=3))");
      add_graphs(rows, {"GenerateVocabRemapping"}, words + R"(
        case = $OP("$TMP/none", "$TMP/old", new_vocab_offset=1, num_new_vocab=2))",
                 "No such file or directory");
      add_graphs(rows, {"LoadAndRemapMatrix"}, matrix + R"(
        case = $OP("$TMP/c", "m", [2 -1 1], int64 [], [7.0 8.0 9.0], num_rows=3, num_cols=3))");
      add_graphs(rows, {"LoadAndRemapMatrix"}, matrix + R"(
        case = $OP("$TMP/c", "m", [2 -1], [1 -1], [5.0 6.0 7.0], num_rows=2, num_cols=2,
                   max_rows_in_memory=1))");
      add_graphs(rows, {"LoadAndRemapMatrix"}, matrix + R"(
        case = $OP("$TMP/c", "m", [2 -1], [1 -1], [5.0 6.0], num_rows=2, num_cols=2))",
                 "initializing_values contained 2 elements, but more missing values remain");
      return rows;
    }};

}  // namespace rill
