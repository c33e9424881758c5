#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kQueueCases{
    "queue", [] {
      std::vector<OpCase> rows;
      const std::string queue = "q = FIFOQueue$V(component_types=[float int32], shapes=[[] [2]])\n";
      const std::string filled =
          queue + "QueueEnqueueMany$V(q, ([1.0 2.0 3.0], [[1 2] [3 4] [5 6]]))\n";
      add_graphs(rows, {"QueueEnqueue", "QueueEnqueueV2"}, queue + R"(
        case = $OP(q, (1.5, [7 8]))
        got = QueueDequeue$V(q, component_types=[float int32])
        fetch got, got:1, QueueSize$V(q))");
      add_graphs(rows, {"QueueEnqueueMany", "QueueEnqueueManyV2"}, queue + R"(
        case = $OP(q, ([1.5 2.5], [[7 8] [9 10]]))
        got = QueueDequeue$V(q, component_types=[float int32])
        fetch got, got:1, QueueSize$V(q))");
      add_graphs(rows, {"QueueEnqueue", "QueueEnqueueV2"}, queue + R"(
        QueueClose$V(q)
        case = $OP(q, (1.5, [7 8])))",
                 "is closed");
      add_graphs(rows, {"QueueDequeue", "QueueDequeueV2"}, filled + R"(
        case = $OP(q, component_types=[float int32])
        fetch case, case:1, QueueSize$V(q))");
      add_graphs(rows, {"QueueDequeue", "QueueDequeueV2"}, queue + R"(
        QueueClose$V(q)
        case = $OP(q, component_types=[float int32]))",
                 "is closed and has insufficient elements \\(requested 1, current size 0\\)");
      add_graphs(rows, {"QueueDequeueMany", "QueueDequeueManyV2"}, filled + R"(
        case = $OP(q, 2, component_types=[float int32])
        fetch case, case:1, QueueSize$V(q))");
      add_graphs(rows, {"QueueDequeueMany", "QueueDequeueManyV2"}, filled + R"(
        QueueClose$V(q)
        case = $OP(q, 4, component_types=[float int32]))",
                 "is closed and has insufficient elements \\(requested 4, current size 3\\)");
      add_graphs(rows, {"QueueDequeueUpTo", "QueueDequeueUpToV2"}, filled + R"(
        QueueClose$V(q)
        case = $OP(q, 4, component_types=[float int32])
        fetch case, case:1, QueueSize$V(q))");
      add_graphs(rows, {"QueueClose", "QueueCloseV2"}, filled + R"(
        case = $OP(q, cancel_pending_enqueues=true)
        fetch QueueIsClosed$V(q), QueueSize$V(q))");
      add_graphs(rows, {"QueueIsClosed", "QueueIsClosedV2", "QueueSize", "QueueSizeV2"},
                 filled + "case = $OP(q)");
      return rows;
    }};

}  // namespace rill
