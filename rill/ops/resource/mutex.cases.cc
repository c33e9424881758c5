#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kMutexCases{"mutex", [] {
                                   std::vector<OpCase> rows;
                                   add_graphs(rows, {"MutexV2"}, R"(
        case = $OP()
        lock = MutexLock(case)
        ConsumeMutexLock(lock)
        fetch Shape(lock))");
                                   add_graphs(rows, {"MutexLock"}, R"(
        m = MutexV2()
        case = $OP(m)
        ConsumeMutexLock(case))");
                                   add_graphs(rows, {"ConsumeMutexLock"}, R"(
        m = MutexV2()
        lock = MutexLock(m)
        case = $OP(lock))");
                                   return rows;
                                 }};

}  // namespace rill
