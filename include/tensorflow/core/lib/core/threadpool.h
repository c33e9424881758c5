#ifndef TENSORFLOW_CORE_LIB_CORE_THREADPOOL_H_
#define TENSORFLOW_CORE_LIB_CORE_THREADPOOL_H_

#include <functional>
#include <memory>
#include <string>

#include "tensorflow/core/platform/env.h"
#include "tensorflow/core/platform/macros.h"
#include "tensorflow/core/platform/types.h"

namespace tensorflow {
namespace thread {

class ThreadPool {
 public:
  ThreadPool(Env* env, const string& name, int num_threads);
  ThreadPool(Env* env, const ThreadOptions& options, const string& name, int num_threads);
  ~ThreadPool();  // waits for what was scheduled

  void Schedule(std::function<void()> fn);
  // Calls fn(begin, end) over [0, total); an exception of one range is thrown here.
  void ParallelFor(int64 total, int64 cost_per_unit,
                   const std::function<void(int64 begin, int64 end)>& fn);
  void ParallelForWithWorkerId(int64 total, int64 cost_per_unit,
                               const std::function<void(int64, int64, int id)>& fn);
  int NumThreads() const;
  int CurrentThreadId() const;  // in [0, NumThreads()), -1 for a thread of others

  struct Impl;
  Impl* impl() const { return impl_.get(); }
  explicit ThreadPool(std::unique_ptr<Impl> impl);

 private:
  std::unique_ptr<Impl> impl_;
  TF_DISALLOW_COPY_AND_ASSIGN(ThreadPool);
};

}  // namespace thread
}  // namespace tensorflow

#endif
