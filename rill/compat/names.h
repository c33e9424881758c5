#pragma once

#include <string>
#include <vector>

#include "rill/compat/build_flags.h"
#include "rill/compat/library.h"

// tf.sysconfig and tf.load_library.
namespace rill {

// A library of ops and kernels, which stays loaded.
inline const OpLibrary& load_library(const std::string& library_location) {
  return load_op_library(library_location);
}

// A library that registers file systems; throws as load_op_library().
inline void load_file_system_library(const std::string& library_filename) {
  load_op_library(library_filename);
}

namespace sysconfig {
// The folder that holds tensorflow/core/framework/op.h and the other headers.
inline std::string get_include() { return include_folders().front(); }
inline std::string get_lib() { return library_folder(); }
inline std::vector<std::string> get_compile_flags() { return compile_flags(); }
inline std::vector<std::string> get_link_flags() { return link_flags(); }
}  // namespace sysconfig

}  // namespace rill
