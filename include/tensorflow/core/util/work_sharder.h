#ifndef TENSORFLOW_CORE_UTIL_WORK_SHARDER_H_
#define TENSORFLOW_CORE_UTIL_WORK_SHARDER_H_

#include <functional>

#include "tensorflow/core/lib/core/threadpool.h"
#include "tensorflow/core/platform/types.h"

namespace tensorflow {

// Calls work(start, limit) for ranges that cover [0, total), side by side where cost_per_unit
// (cycles) makes that worth while. An exception of one range is thrown here.
void Shard(int max_parallelism, thread::ThreadPool* workers, int64 total, int64 cost_per_unit,
           std::function<void(int64, int64)> work);

}  // namespace tensorflow

#endif
