#ifndef TENSORFLOW_CORE_FRAMEWORK_DEVICE_BASE_H_
#define TENSORFLOW_CORE_FRAMEWORK_DEVICE_BASE_H_

#include <memory>
#include <string>

#include "tensorflow/core/framework/allocator.h"
#include "tensorflow/core/framework/device_attributes.pb.h"
#include "tensorflow/core/lib/core/threadpool.h"

namespace Eigen {
struct ThreadPoolDevice;
struct DefaultDevice;
}  // namespace Eigen

namespace tensorflow {

// The device that a kernel runs on.
class DeviceBase {
 public:
  struct CpuWorkerThreads {
    int num_threads = 0;
    thread::ThreadPool* workers = nullptr;
  };

  const CpuWorkerThreads* tensorflow_cpu_worker_threads() const { return &worker_threads_; }
  const Eigen::ThreadPoolDevice* eigen_cpu_device() const { return eigen_cpu_device_; }
  Env* env() const { return Env::Default(); }
  Allocator* GetAllocator(AllocatorAttributes) { return cpu_allocator(); }
  const string& name() const { return name_; }
  const string& device_type() const { return type_; }
  const DeviceAttributes& attributes() const;

 private:
  friend struct DeviceAccess;
  DeviceBase() {}
  string name_, type_;
  CpuWorkerThreads worker_threads_;
  const Eigen::ThreadPoolDevice* eigen_cpu_device_ = nullptr;
};

}  // namespace tensorflow

#endif
