#include <algorithm>
#include <map>
#include <mutex>

#include "rill/base/thread_pool.h"
#include "rill/compat/kernel_state.h"
#include "tensorflow/core/lib/core/threadpool.h"
#include "tensorflow/core/platform/cpu_info.h"
#include "tensorflow/core/platform/init_main.h"
#include "tensorflow/core/util/work_sharder.h"
#include "third_party/eigen3/unsupported/Eigen/CXX11/Tensor"
#include "third_party/eigen3/unsupported/Eigen/CXX11/ThreadPool"

// Eigen leaves its ThreadPoolDevice out unless this was defined when its tensors were first
// included; kernels decide that for themselves.
#ifndef EIGEN_USE_THREADS
#define EIGEN_USE_THREADS
#include <unsupported/Eigen/CXX11/src/Tensor/TensorDeviceThreadPool.h>
#undef EIGEN_USE_THREADS
#endif

namespace tensorflow {
namespace thread {

struct ThreadPool::Impl {
  explicit Impl(int threads) : pool(std::max(threads, 1)) {}
  rill::ThreadPool pool;
  std::mutex mutex;
  std::vector<int> free_ids;
  int next_id = 0;
};

namespace {

// A number for the thread that runs a piece of a pool's work, used by nobody else meanwhile.
struct WorkerId {
  explicit WorkerId(ThreadPool::Impl& p) : pool(p), outer(current), outer_pool(current_pool) {
    const std::lock_guard lock(pool.mutex);
    if (pool.free_ids.empty()) {
      id = pool.next_id++;
    } else {
      id = pool.free_ids.back();
      pool.free_ids.pop_back();
    }
    current = id;
    current_pool = &pool;
  }
  ~WorkerId() {
    current = outer;
    current_pool = outer_pool;
    const std::lock_guard lock(pool.mutex);
    pool.free_ids.push_back(id);
  }
  static thread_local int current;
  static thread_local const void* current_pool;
  ThreadPool::Impl& pool;
  int id, outer;
  const void* outer_pool;
};
thread_local int WorkerId::current = -1;
thread_local const void* WorkerId::current_pool = nullptr;

// Work of fewer cycles than this stays together.
constexpr int64 kCyclesPerRange = 40'000;

}  // namespace

ThreadPool::ThreadPool(Env*, const string&, int num_threads) : impl_(new Impl(num_threads)) {}
ThreadPool::ThreadPool(Env*, const ThreadOptions&, const string&, int num_threads)
    : impl_(new Impl(num_threads)) {}
ThreadPool::ThreadPool(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ThreadPool::~ThreadPool() {}

void ThreadPool::Schedule(std::function<void()> fn) {
  impl_->pool.schedule([impl = impl_.get(), fn = std::move(fn)] {
    const WorkerId id(*impl);
    fn();
  });
}
void ThreadPool::ParallelFor(int64 total, int64 cost_per_unit,
                             const std::function<void(int64, int64)>& fn) {
  ParallelForWithWorkerId(total, cost_per_unit,
                          [&](int64 begin, int64 end, int) { fn(begin, end); });
}
void ThreadPool::ParallelForWithWorkerId(int64 total, int64 cost_per_unit,
                                         const std::function<void(int64, int64, int)>& fn) {
  if (total <= 0) return;
  const int64 grain = std::max<int64>(1, kCyclesPerRange / std::max<int64>(1, cost_per_unit));
  impl_->pool.parallel_for(static_cast<size_t>(total), static_cast<size_t>(grain),
                           [&](size_t begin, size_t end) {
                             const WorkerId id(*impl_);
                             fn(static_cast<int64>(begin), static_cast<int64>(end), id.id);
                           });
}
int ThreadPool::NumThreads() const { return impl_->pool.thread_count(); }
int ThreadPool::CurrentThreadId() const {
  return WorkerId::current_pool == impl_.get() ? WorkerId::current : -1;
}

}  // namespace thread

void Shard(int max_parallelism, thread::ThreadPool* workers, int64 total, int64 cost_per_unit,
           std::function<void(int64, int64)> work) {
  if (total <= 0) return;
  if (max_parallelism <= 1 || workers == nullptr) return work(0, total);
  workers->ParallelFor(total, cost_per_unit, work);
}

namespace {

// Eigen's expressions run on threads of their own: they wait for each other, and a pool that also
// runs kernels could end up with nobody left to do the work.
class EigenPool final : public Eigen::ThreadPoolInterface {
 public:
  explicit EigenPool(thread::ThreadPool& pool) : pool_(pool) {}
  void Schedule(std::function<void()> fn) override { pool_.Schedule(std::move(fn)); }
  int NumThreads() const override { return pool_.NumThreads(); }
  int CurrentThreadId() const override { return pool_.CurrentThreadId(); }

 private:
  thread::ThreadPool& pool_;
};

struct Workers {
  explicit Workers(int threads)
      : pool(Env::Default(), "workers", threads), eigen_pool(pool), eigen(&eigen_pool, threads) {}
  thread::ThreadPool pool;
  EigenPool eigen_pool;
  Eigen::ThreadPoolDevice eigen;
};

// One for each number of threads that a session may ask for; they live as long as the process.
Workers& workers_of(int threads) {
  static std::mutex& mutex = *new std::mutex;
  static auto& all = *new std::map<int, std::unique_ptr<Workers>>;
  const std::lock_guard lock(mutex);
  auto& found = all[threads];
  if (found == nullptr) found = std::make_unique<Workers>(threads);
  return *found;
}

}  // namespace

std::unique_ptr<DeviceBase> DeviceAccess::make(rill::Device& device) {
  std::unique_ptr<DeviceBase> made(new DeviceBase);
  Workers& workers = workers_of(device.pool().thread_count());
  made->name_ = device.name();
  made->type_ = device.type();
  made->worker_threads_.num_threads = workers.pool.NumThreads();
  made->worker_threads_.workers = &workers.pool;
  made->eigen_cpu_device_ = &workers.eigen;
  return made;
}

const DeviceAttributes& DeviceBase::attributes() const {
  static std::mutex& mutex = *new std::mutex;
  static auto& all = *new std::map<string, DeviceAttributes>;
  const std::lock_guard lock(mutex);
  DeviceAttributes& found = all[name_];
  found.set_name(name_);
  found.set_device_type(type_);
  return found;
}

template <>
const Eigen::ThreadPoolDevice& OpKernelContext::eigen_device() const {
  return eigen_cpu_device();
}
template <>
const Eigen::DefaultDevice& OpKernelContext::eigen_device() const {
  static const Eigen::DefaultDevice device;
  return device;
}

namespace port {
int NumSchedulableCPUs() { return rill::shared_pool().thread_count(); }
int NumTotalCPUs() { return NumSchedulableCPUs(); }
int MaxParallelism() { return NumSchedulableCPUs(); }
void InitMain(const char*, int*, char***) {}
}  // namespace port

}  // namespace tensorflow
