#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kFilesCases{
    "files", [] {
      std::vector<OpCase> rows;
      const std::string files = R"(
        WriteFile("$TMP/dir/a.txt", "one")
        WriteFile("$TMP/dir/b.txt", "two")
        WriteFile("$TMP/dir/c.dat", "three")
      )";
      add_graphs(rows, {"WriteFile"}, R"(
        case = $OP("$TMP/new/file", "some\ntext")
        fetch ReadFile("$TMP/new/file"))");
      add_graphs(rows, {"ReadFile"}, files + "case = $OP(\"$TMP/dir/b.txt\")");
      add_graphs(rows, {"ReadFile"}, "case = $OP(\"$TMP/nothing\")", "No such file or directory");
      add_graphs(rows, {"MatchingFiles"}, files + "case = $OP(\"$TMP/dir/*.txt\")");
      add_graphs(rows, {"MatchingFiles"},
                 files + "case = $OP([\"$TMP/dir/c*\" \"$TMP/dir/[ab].txt\" \"$TMP/none*\"])");
      add_graphs(rows, {"ShardedFilename"}, "case = $OP(\"base\", 3, 10)");
      add_graphs(rows, {"ShardedFilename"}, "case = $OP(\"base\", 123456, 1000000)");
      add_graphs(rows, {"ShardedFilespec"}, "case = $OP(\"base\", 10)");
      return rows;
    }};

}  // namespace rill
