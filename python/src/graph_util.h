#pragma once

#include <nanobind/nanobind.h>

#include <set>
#include <string>
#include <vector>

#include "errors.h"

namespace rill::python {

using Names = std::vector<std::string>;
inline std::set<std::string> as_set(const Names& names) { return {names.begin(), names.end()}; }

// Returns what `f` returns; a NotFound error becomes KeyError, and the caller chooses its words.
template <class F>
auto missing_node_is_key_error(F f) {
  try {
    return f();
  } catch (const Error& error) {
    if (error.code() == Code::kNotFound) throw_python(PyExc_KeyError, error.message());
    throw_build_error(error);
  }
}

// Functions of tf.graph_util; graphs cross as bytes.
void bind_graph_util(nanobind::module_& m);
void bind_graph_transforms(nanobind::module_& m);

}  // namespace rill::python
