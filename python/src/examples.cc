#include <nanobind/stl/string.h>

#include "errors.h"
#include "layers.h"
#include "numpy.h"
#include "rill/api/examples/mnist.h"

namespace rill::python {

void bind_examples(nb::module_& m) {
  m.def("read_idx", [](const std::string& path) {
    return building([&] { return numpy_from_tensor(examples::mnist::read_idx(path)); });
  });
}

}  // namespace rill::python
