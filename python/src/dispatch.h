#pragma once

#include <span>
#include <string>
#include <vector>

#include "call.h"

namespace rill::python {

// What a function of the table gives for ragged and sparse tensors and for linear operators, in
// place of what it does with plain tensors: the one place where such arguments are looked for. Not
// valid where there are none, or where the function takes them itself or not at all.
nb::object dispatched(const Function& f, const std::vector<std::string>& names,
                      std::span<PyObject* const> values);

// Calls the function itself.
nb::object run_function(const Function& f, const Call& call);
std::string_view function_path(const Function& f);

// The functions that have another form for ragged tensors.
struct RaggedForm {
  const char* path;
  nb::object (*run)(const Call& call);
};
std::span<const RaggedForm> ragged_forms();

// What a function of matrices gives for linear operators; not valid where there are none.
nb::object operator_form(std::string_view path, const std::vector<std::string>& names,
                         std::span<PyObject* const> values);

}  // namespace rill::python
