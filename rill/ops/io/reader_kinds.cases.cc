#include "tests/optest/op_case.h"

namespace rill {
namespace {

// Two records of the reader under test, from the file that `statements` write.
std::string two_records(const std::string& statements, const std::string& attrs = "",
                        const std::string& path = "$TMP/a") {
  return statements + R"(
    q = FIFOQueue$V(component_types=[string])
    QueueEnqueue$V(q, (")" +
         path + R"("))
    case = $OP()" +
         attrs + R"()
    first = ReaderRead$V(case, q)
    fetch first, first:1
    second = ReaderRead$V(case, q)
    fetch second, second:1)";
}

}  // namespace

extern const OpCases kReaderKindsCases{
    "reader_kinds", [] {
      std::vector<OpCase> rows;
      add_graphs(
          rows, {"TextLineReader", "TextLineReaderV2"},
          two_records("WriteFile(\"$TMP/a\", \"head\\none\\r\\n\\nlast\")", "skip_header_lines=1"));
      add_graphs(rows, {"FixedLengthRecordReader", "FixedLengthRecordReaderV2"},
                 two_records("WriteFile(\"$TMP/a\", \"HHaaabbbcccF\")",
                             "header_bytes=2, record_bytes=3, footer_bytes=1"));
      add_graphs(rows, {"FixedLengthRecordReader", "FixedLengthRecordReaderV2"},
                 two_records("WriteFile(\"$TMP/a\", \"abcdefgh\")", "record_bytes=4, hop_bytes=2"));
      add_graphs(rows, {"TFRecordReader", "TFRecordReaderV2"}, two_records(R"(
        records = TensorSliceDataset((["one" "two"]), output_shapes=[[]])
        DatasetToTFRecord(records, "$TMP/a", ""))"));
      add_graphs(rows, {"TFRecordReader", "TFRecordReaderV2"},
                 two_records(R"(
        records = TensorSliceDataset((["one" "two"]), output_shapes=[[]])
        DatasetToTFRecord(records, "$TMP/a", "GZIP"))",
                             "compression_type=\"GZIP\""));
      for (const char* op :
           {"WholeFileReader", "WholeFileReaderV2", "IdentityReader", "IdentityReaderV2"})
        add_graphs(rows, {op}, R"(
          WriteFile("$TMP/a", "one\ntwo")
          q = FIFOQueue$V(component_types=[string])
          QueueEnqueue$V(q, ("$TMP/a"))
          case = $OP()
          got = ReaderRead$V(case, q)
          fetch got, got:1, ReaderNumWorkUnitsCompleted$V(case))");
      add_graphs(rows, {"LMDBReader"}, two_records("", "", "tests/script/io/entries"));
      return rows;
    }};

}  // namespace rill
