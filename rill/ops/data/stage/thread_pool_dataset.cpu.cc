#include "rill/ops/data/core/dataset_kernel.h"
#include "rill/ops/data/stage/pass_through_dataset.h"
#include "rill/ops/resource/shared_handle.h"

namespace rill {

extern const OpDecl kExperimentalMaxIntraOpParallelismDataset,
    kExperimentalPrivateThreadPoolDataset, kExperimentalThreadPoolDataset,
    kExperimentalThreadPoolHandle, kMaxIntraOpParallelismDataset, kPrivateThreadPoolDataset,
    kThreadPoolDataset, kThreadPoolHandle;

namespace {

// Background work has no pools of its own; what is kept of one is its size.
class ThreadPoolResource final : public Resource {
 public:
  static constexpr const char* kTypeName = "tensorflow::data::ThreadPoolResource";
  explicit ThreadPoolResource(int threads) : threads_(threads) {}
  std::string describe() const override { return "thread pool"; }
  int threads() const { return threads_; }

 private:
  const int threads_;
};

std::shared_ptr<Dataset> with_threads(const KernelCall& call, std::int64_t threads) {
  return std::make_shared<PassThroughDataset>(
      stated_spec(call.node()), dataset_input(call, 0), [threads](PipelineSettings& settings) {
        settings.threads = static_cast<int>(std::min<std::int64_t>(threads, 1024));
      });
}

std::shared_ptr<Dataset> max_intra_op_parallelism(KernelCall& call) {
  const auto most = scalar_input<std::int64_t>(call, 1, "max_intra_op_parallelism");
  require(most >= 0, "`max_intra_op_parallelism` must be >= 0");
  return std::make_shared<PassThroughDataset>(
      stated_spec(call.node()), dataset_input(call, 0), [most](PipelineSettings& settings) {
        settings.threads_per_call = static_cast<int>(std::min<std::int64_t>(most, 1024));
      });
}

std::shared_ptr<Dataset> private_thread_pool(KernelCall& call) {
  const auto threads = scalar_input<std::int64_t>(call, 1, "num_threads");
  require(threads >= 0, "`num_threads` must be >= 0");
  return with_threads(call, threads);
}

std::shared_ptr<Dataset> thread_pool(KernelCall& call) {
  return with_threads(call, shared_input_as<ThreadPoolResource>(call, 1)->threads());
}

void thread_pool_handle(KernelCall& call) {
  call.state<SharedHandle>().set_output(
      call, ThreadPoolResource::kTypeName,
      [&] {
        const auto threads = call.node().attr<std::int64_t>("num_threads");
        require(threads > 0, "`num_threads` must be greater than zero.");
        return std::make_shared<ThreadPoolResource>(
            static_cast<int>(std::min<std::int64_t>(threads, 1024)));
      },
      [](const Resource& found) {
        require(dynamic_cast<const ThreadPoolResource*>(&found) != nullptr, found.describe(),
                " is not a thread pool");
      });
}

constexpr KernelEntry kEntries[] = {
    dataset_kernel<max_intra_op_parallelism>(kMaxIntraOpParallelismDataset),
    dataset_kernel<max_intra_op_parallelism>(kExperimentalMaxIntraOpParallelismDataset),
    dataset_kernel<private_thread_pool>(kPrivateThreadPoolDataset),
    dataset_kernel<private_thread_pool>(kExperimentalPrivateThreadPoolDataset),
    dataset_kernel<thread_pool>(kThreadPoolDataset),
    dataset_kernel<thread_pool>(kExperimentalThreadPoolDataset),
    shared_handle_kernel(kThreadPoolHandle, thread_pool_handle),
    shared_handle_kernel(kExperimentalThreadPoolHandle, thread_pool_handle),
};

}  // namespace

extern const KernelTable kThreadPoolDatasetCpu{kEntries};

}  // namespace rill
