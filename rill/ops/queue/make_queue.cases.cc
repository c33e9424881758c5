#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kMakeQueueCases{
    "make_queue", [] {
      std::vector<OpCase> rows;
      add_graphs(rows, {"FIFOQueue", "FIFOQueueV2"}, R"(
        case = $OP(component_types=[float string], capacity=3)
        QueueEnqueueMany$V(case, ([1.0 2.0], ["a" "b"]))
        first = QueueDequeue$V(case, component_types=[float string])
        fetch first, first:1, QueueSize$V(case), QueueIsClosed$V(case))");
      add_graphs(rows, {"FIFOQueue", "FIFOQueueV2"}, R"(
        case = $OP(component_types=[float], shapes=[[2]])
        QueueEnqueue$V(case, ([1.0 2.0 3.0])))",
                 "Shape mismatch in tuple component 0. Expected \\[2\\], got \\[3\\]");
      add_graphs(rows, {"PaddingFIFOQueue", "PaddingFIFOQueueV2"}, R"(
        case = $OP(component_types=[int32], shapes=[[?]])
        QueueEnqueue$V(case, ([1 2]))
        QueueEnqueue$V(case, ([3]))
        QueueEnqueue$V(case, ([4 5 6]))
        fetch QueueDequeueMany$V(case, 2, component_types=[int32]), QueueSize$V(case))");
      add_graphs(rows, {"PriorityQueue", "PriorityQueueV2"}, R"(
        case = $OP(component_types=[string], shapes=[[]])
        QueueEnqueueMany$V(case, (int64 [3 1 2], ["c" "a" "b"]))
        two = QueueDequeueMany$V(case, 2, component_types=[int64 string])
        fetch two, two:1, QueueSize$V(case))");
      // Which element comes is drawn; of equal ones it shows none.
      add_graphs(rows, {"RandomShuffleQueue", "RandomShuffleQueueV2"}, R"(
        case = $OP(component_types=[int64], shapes=[[]], min_after_dequeue=1, seed=3, seed2=4)
        QueueEnqueueMany$V(case, (int64 [7 7 7 7]))
        fetch QueueDequeueMany$V(case, 3, component_types=[int64]), QueueSize$V(case))");
      rows.push_back({.op = "FakeQueue", .graph = R"(
        q = FIFOQueueV2(component_types=[float])
        case = FakeQueue(q)
        QueueEnqueue(case, (5.0))
        fetch QueueSizeV2(q), QueueDequeueV2(q, component_types=[float]))"});
      return rows;
    }};

}  // namespace rill
