#include <map>
#include <mutex>

#include "rill/kernel/kernel_entries.h"
#include "rill/ops/update/variable_input.h"

namespace rill {

extern const OpDecl kGetSessionHandle, kGetSessionHandleV2, kGetSessionTensor, kDeleteSessionTensor;

namespace {

// The tensors that a program keeps in its session from run to run. Safe from several threads.
class SessionTensors final : public Resource {
 public:
  static constexpr const char* kTypeName = "TensorHandle";

  std::string add(const KernelCall& call, Tensor value) {
    const std::lock_guard lock(mutex_);
    std::string handle = str_cat(call.node().name, ";", next_++, ";", call.device().name());
    tensors_.emplace(handle, std::move(value));
    return handle;
  }
  Tensor get(const std::string& handle) const {
    const std::lock_guard lock(mutex_);
    const auto it = tensors_.find(handle);
    require(it != tensors_.end(), "The tensor with handle '", handle,
            "' is not in the session store.");
    return it->second;
  }
  void remove(const std::string& handle) {
    const std::lock_guard lock(mutex_);
    require(tensors_.erase(handle) > 0, "Failed to delete a tensor with handle '", handle,
            "' in the session store.");
  }

  std::string describe() const override { return "tensors kept in the session"; }
  std::int64_t memory_bytes() const override {
    const std::lock_guard lock(mutex_);
    std::int64_t bytes = 0;
    for (const auto& [handle, tensor] : tensors_)
      bytes += static_cast<std::int64_t>(tensor.byte_size());
    return bytes;
  }

 private:
  mutable std::mutex mutex_;
  std::map<std::string, Tensor> tensors_;
  std::int64_t next_ = 0;
};

std::shared_ptr<SessionTensors> session_tensors(const KernelCall& call) {
  return call.step().resources->find_or_make<SessionTensors>(
      "", "session_tensors", [] { return std::make_shared<SessionTensors>(); });
}

void get_session_handle(KernelCall& call) {
  const std::string handle = session_tensors(call)->add(call, kept(call.input_tensor(0)));
  if (call.node().output_type(0) == DType::string)
    return call.set_output(0, Tensor::scalar(handle));
  call.set_output(0, Tensor::scalar(ResourceHandle{.device = call.device().name(),
                                                   .container = SessionTensors::kTypeName,
                                                   .name = handle,
                                                   .type_name = SessionTensors::kTypeName}));
}

const std::string& handle_of(const KernelCall& call) {
  return call.input_tensor(0).scalar_value<std::string>();
}

void get_session_tensor(KernelCall& call) {
  Tensor value = session_tensors(call)->get(handle_of(call));
  const DType wanted = call.node().output_type(0);
  if (value.dtype() != wanted)
    raise(Code::kInternal, "Output 0 of type ", value.dtype(),
          " does not match declared output type ", wanted, " for node ", call.node().name);
  call.set_output(0, std::move(value));
}

void delete_session_tensor(KernelCall& call) { session_tensors(call)->remove(handle_of(call)); }

constexpr KernelEntry kEntries[] = {
    quick_kernel(kGetSessionHandle, get_session_handle),
    quick_kernel(kGetSessionHandleV2, get_session_handle),
    quick_kernel(kGetSessionTensor, get_session_tensor),
    quick_kernel(kDeleteSessionTensor, delete_session_tensor),
};

}  // namespace

extern const KernelTable kSessionTensorCpu{kEntries};

}  // namespace rill
