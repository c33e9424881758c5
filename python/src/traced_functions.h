#pragma once

#include <nanobind/nanobind.h>

#include <memory>

namespace rill {
class ConcreteFunction;
}

namespace rill::python {

// Of a _rill.ConcreteFunction; throws TypeError for other objects.
std::shared_ptr<const ConcreteFunction> traced_function(nanobind::handle object);

// What tf.function is made of: traces, concrete functions, and the signatures that find them.
void bind_traced_functions(nanobind::module_& m);

}  // namespace rill::python
