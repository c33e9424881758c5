#pragma once

#include <source_location>
#include <string>

#include "rill/api/core/session.h"

namespace rill {

// Keeps the value of `data` in the session that runs it; fetched, it is the handle, a text.
//
//   tf::Tensor handle = sess.run(tf::get_session_handle(c));
//   auto kept = tf::get_session_tensor(handle, tf::float32);
//   tf::Tensor c_again = sess.run(kept.tensor, {{kept.handle, handle}});
Output get_session_handle(const Input& data, const std::string& name = {},
                          std::source_location at = std::source_location::current());

struct SessionTensor {
  Output handle = {};  // a placeholder: feed the handle
  Output tensor = {};  // what was kept
};
// `handle` says on which device the tensor lies. Throws InvalidArgument when it is no handle.
SessionTensor get_session_tensor(const Tensor& handle, DType dtype, const std::string& name = {},
                                 std::source_location at = std::source_location::current());
struct DeletedSessionTensor {
  Output handle = {};
  Node& deleter;  // the session forgets the tensor
};
DeletedSessionTensor delete_session_tensor(
    const Tensor& handle, const std::string& name = {},
    std::source_location at = std::source_location::current());

// A handle is NAME;NUMBER;DEVICE.
std::string device_of_handle(const std::string& handle);

}  // namespace rill
