#include "custom_ops.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "rill/compat/build_flags.h"
#include "rill/compat/library.h"

namespace rill::python {

namespace nb = nanobind;

void bind_custom_ops(nb::module_& m) {
  m.def(
      "load_op_library",
      [](const std::string& path) {
        std::vector<std::string> names;
        for (const Op* op : load_op_library(path).ops) names.push_back(op->name);
        return names;
      },
      nb::arg("path"));
  m.def("include_folders", include_folders);
  m.def("library_folder", library_folder);
  m.def("compile_flags", compile_flags);
  m.def("link_flags", link_flags);
}

}  // namespace rill::python
