#include "tests/optest/op_case.h"

namespace rill {
namespace {

// Two records of a reader from the file that `statements` write.
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

// The same with FixedLengthRecordReaderV2, as a graph without a case.
std::string as_version_2(std::string graph) {
  const std::pair<std::string_view, std::string_view> changes[] = {
      {"$OP", "FixedLengthRecordReaderV2"}, {"$V", "V2"}, {"case", "reader"}};
  for (const auto& [from, to] : changes)
    for (std::size_t at = 0; (at = graph.find(from, at)) != std::string::npos; at += to.size())
      graph.replace(at, from.size(), to);
  return graph;
}

std::vector<OpCase> reader_kinds_rows() {
  std::vector<OpCase> rows;
  add_graphs(
      rows, {"TextLineReader", "TextLineReaderV2"},
      two_records("WriteFile(\"$TMP/a\", \"head\\none\\r\\n\\nlast\")", "skip_header_lines=1"));
  const std::pair<const char*, const char*> fixed_length[] = {
      {"HHaaabbbcccF", "header_bytes=2, record_bytes=3, footer_bytes=1"},
      {"abcdefgh", "record_bytes=4, hop_bytes=2"}};
  for (const auto& [contents, attrs] : fixed_length) {
    const std::string graph =
        two_records(std::string("WriteFile(\"$TMP/a\", \"") + contents + "\")", attrs);
    add_graphs(rows, {"FixedLengthRecordReaderV2"}, graph);
    // TensorFlow 2.15 lost an attribute of the older one.
    add_graph(rows, "FixedLengthRecordReader", graph, as_version_2(graph));
  }
  for (const std::string type : {"", "GZIP"})
    add_graphs(rows, {"TFRecordReader", "TFRecordReaderV2"},
               two_records(R"(
    records = TensorSliceDataset((["one" "two"]), output_shapes=[[]])
    DatasetToTFRecord(records, "$TMP/a", ")" +
                               type + "\")",
                           "compression_type=\"" + type + "\""));
  add_graphs(rows, {"WholeFileReader", "WholeFileReaderV2", "IdentityReader", "IdentityReaderV2"},
             R"(
    WriteFile("$TMP/a", "one\ntwo")
    q = FIFOQueue$V(component_types=[string])
    QueueEnqueue$V(q, ("$TMP/a"))
    case = $OP()
    got = ReaderRead$V(case, q)
    fetch got, got:1, ReaderNumWorkUnitsCompleted$V(case))");
  // TensorFlow 2.15 reads no LMDB any more.
  rows.push_back({.op = "LMDBReader",
                  .want = {strings({}, {"000"}), strings({}, {""}), strings({}, {"001"}),
                           strings({}, {"value 1 value 1 value 1 value 1 "})},
                  .graph = two_records("", "", "tests/script/io/entries")});
  return rows;
}

}  // namespace

extern const OpCases kReaderKindsCases{"reader_kinds", reader_kinds_rows};

}  // namespace rill
