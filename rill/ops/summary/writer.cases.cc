#include "tests/optest/op_case.h"

namespace rill {
namespace {

// What stands in the event file behind its first record, which names the version. The first nine
// bytes of an event are the time.
std::string with_writer(const std::string& statements) {
  return R"(
    w = SummaryWriter(shared_name="w")
    CreateSummaryFileWriter(w, "$TMP/log", 10, 1000000, ".x")
  )" + statements +
         R"(
    FlushSummaryWriter(w)
    q = FIFOQueueV2(component_types=[string])
    QueueEnqueueManyV2(q, (MatchingFiles("$TMP/log/*.x")))
    r = TFRecordReaderV2()
    ReaderReadV2(r, q)
    event = ReaderReadV2(r, q)
    fetch Substr(event:1, 9, 1000000))";
}

}  // namespace

extern const OpCases kWriterCases{
    "writer", [] {
      std::vector<OpCase> rows;
      const auto add = [&](const char* op, const std::string& call) {
        add_graphs(rows, {op}, with_writer("case = $OP(w, 7, " + call + ")"));
      };
      add("WriteScalarSummary", "\"loss\", 0.5");
      add("WriteScalarSummary", "\"count\", int64 5");
      add("WriteHistogramSummary", "\"h\", [1.0 2.0 -3.0 2.0]");
      add("WriteSummary", "[1 2], \"t\", \"\"");
      add("WriteImageSummary", "\"i\", [[[[0.0] [0.5]] [[1.0] [nan]]]], [255 0 0 255]");
      add("WriteAudioSummary", "\"a\", [[0.5 -0.5 0.25]], 8000.0");
      add("WriteRawProtoSummary", "ScalarSummary(\"q\", 1.5)");
      add("WriteGraphSummary", "\"\"");
      add_graphs(rows, {"WriteRawProtoSummary"}, with_writer("case = $OP(w, 7, \"no message\")"),
                 "Bad tf.compat.v1.Summary binary proto tensor string");
      add_graphs(rows, {"ImportEvent"}, with_writer(R"(
        case = $OP(w, DecodeBase64("CQAAAAAAAPA_EAM="))
        WriteScalarSummary(w, 7, "loss", 0.5)
      )"));
      add_graphs(rows, {"WriteScalarSummary"}, R"(
        w = SummaryWriter(shared_name="w")
        case = $OP(w, 7, "loss", 0.5))",
                 "does not exist");
      add_graphs(rows, {"SummaryWriter"}, R"(
        case = $OP(shared_name="w")
        CreateSummaryFileWriter(case, "$TMP/log", 10, 1000, ".x")
        fetch Shape(MatchingFiles("$TMP/log/events.out.tfevents.*.x")))");
      add_graphs(rows, {"CreateSummaryFileWriter"}, R"(
        w = SummaryWriter(shared_name="w")
        case = $OP(w, "$TMP/log", 10, 1000, ".x")
        fetch Shape(MatchingFiles("$TMP/log/events.out.tfevents.*.x")))");
      add_graphs(rows, {"FlushSummaryWriter"}, with_writer(R"(
        WriteScalarSummary(w, 7, "loss", 0.5)
        case = $OP(w))"));
      add_graphs(rows, {"CloseSummaryWriter"}, R"(
        w = SummaryWriter(shared_name="w")
        CreateSummaryFileWriter(w, "$TMP/log", 10, 1000, ".x")
        case = $OP(w)
        FlushSummaryWriter(w))",
                 "does not exist");
      return rows;
    }};

}  // namespace rill
