#pragma once

#include "call.h"
#include "errors.h"

namespace rill::python {

// Runs `build` in the graph of `seen`, where the program stands.
template <class Build>
auto in_place(nb::handle seen, Build build) {
  PyObject* const arguments[] = {seen.ptr()};
  const InCallersPlace place(arguments);
  return building(build);
}

// Makes an object in place, where the program stands.
template <class Make>
void constructed(Make make) {
  const InCallersPlace place({});
  building(make);
}

}  // namespace rill::python
