#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kReaderCases{
    "reader", [] {
      std::vector<OpCase> rows;
      const std::string fresh = R"(
        q = FIFOQueue$V(component_types=[string], shapes=[[]])
        QueueEnqueueMany$V(q, (["x" "y" "z"]))
        r = IdentityReader$V()
      )";
      const std::string used = fresh + "ReaderReadUpTo$V(r, q, 2)\n";
      const std::string counts =
          "fetch ReaderNumRecordsProduced$V(r), ReaderNumWorkUnitsCompleted$V(r)";
      add_graphs(rows, {"ReaderRead", "ReaderReadV2"}, fresh + R"(
        case = $OP(r, q)
        fetch case, case:1
      )" + counts);
      add_graphs(rows, {"ReaderRead", "ReaderReadV2"}, R"(
        q = FIFOQueue$V(component_types=[int32])
        r = IdentityReader$V()
        case = $OP(r, q))",
                 "Expected queue with single string component");
      add_graphs(rows, {"ReaderReadUpTo", "ReaderReadUpToV2"}, R"(
        WriteFile("$TMP/a", "one\ntwo\nthree\n")
        q = FIFOQueue$V(component_types=[string])
        QueueEnqueue$V(q, ("$TMP/a"))
        r = TextLineReader$V()
        case = $OP(r, q, 2)
        fetch case, case:1
      )" + counts);
      add_graphs(
          rows,
          {"ReaderNumRecordsProduced", "ReaderNumRecordsProducedV2", "ReaderNumWorkUnitsCompleted",
           "ReaderNumWorkUnitsCompletedV2", "ReaderSerializeState", "ReaderSerializeStateV2"},
          used + "case = $OP(r)");
      add_graphs(rows, {"ReaderReset", "ReaderResetV2"}, used + "case = $OP(r)\n" + counts);
      add_graphs(rows, {"ReaderRestoreState", "ReaderRestoreStateV2"}, used + R"(
        state = ReaderSerializeState$V(r)
        ReaderReset$V(r)
        case = $OP(r, state)
      )" + counts);
      add_graphs(rows, {"ReaderRestoreState", "ReaderRestoreStateV2"},
                 used + "case = $OP(r, \"no state\")", "Could not parse state for IdentityReader");
      return rows;
    }};

}  // namespace rill
