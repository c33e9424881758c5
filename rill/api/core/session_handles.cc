#include "rill/api/core/session_handles.h"

#include "rill/api/core/basic_ops.h"
#include "rill/base/error.h"
#include "rill/graph/device_name.h"

namespace rill {
namespace {

std::string text_of(const Tensor& handle) {
  require(handle.dtype() == DType::string && handle.element_count() == 1,
          "a handle of a session is a text, not ", handle.dtype(), " of the shape ",
          handle.shape());
  return std::string(handle.data<std::string>()[0]);
}

}  // namespace

std::string device_of_handle(const std::string& handle) {
  return to_text(DeviceName::parse(handle.substr(handle.rfind(';') + 1)));
}

Output get_session_handle(const Input& data, const std::string& name, std::source_location at) {
  const Output value = as_tensor(data, "value");
  const ColocateWith beside(*value.node);
  return here(at).add("GetSessionHandle", {value}, {}, name).output();
}

SessionTensor get_session_tensor(const Tensor& handle, DType dtype, const std::string& name,
                                 std::source_location at) {
  const DeviceScope where(device_of_handle(text_of(handle)));
  const Output holder = placeholder(DType::string, PartialShape(), {}, at);
  return {holder, here(at).add("GetSessionTensor", {holder}, {{"dtype", dtype}}, name).output()};
}

DeletedSessionTensor delete_session_tensor(const Tensor& handle, const std::string& name,
                                           std::source_location at) {
  const DeviceScope where(device_of_handle(text_of(handle)));
  const Output holder = placeholder(DType::string, PartialShape(), {}, at);
  return {holder, here(at).add("DeleteSessionTensor", {holder}, {}, name)};
}

}  // namespace rill
