#include "functional.h"

#include <nanobind/stl/string.h>

#include "class_call.h"
#include "plain_values.h"
#include "rill/api/functional/functional_ops.h"

namespace rill::python {
namespace {

std::vector<Input> elements(nb::handle values) { return input_list(values, "elem"); }

FoldFn fold_function(nb::object fn) {
  return [fn](const std::vector<Output>& so_far, const std::vector<Output>& elems) {
    return elements(fn(give(so_far), give(elems)));
  };
}

template <class Options>
void read_loop_options(nb::handle loop, Options& options) {
  options.parallel_iterations = small_integer_of(loop[0]);
  options.back_prop = truth_of(loop[1]);
  options.swap_memory = truth_of(loop[2]);
}

nb::object py_map(nb::object fn, nb::handle elems, nb::handle dtypes, nb::handle loop,
                  bool infer_shape, const std::string& name) {
  return built({nb::borrow(elems)}, [&] {
    MapFnOptions options;
    read_loop_options(loop, options);
    for (nb::handle dtype : dtypes) options.dtype.push_back(base_type(as_dtype(dtype)));
    options.infer_shape = infer_shape;
    options.name = name;
    const MapFn of_list = [&](const std::vector<Output>& all) { return elements(fn(give(all))); };
    return map_fn(of_list, elements(elems), options);
  });
}

nb::object py_fold(nb::object fn, nb::handle elems, nb::handle initializer, bool from_right,
                   nb::handle loop, const std::string& name) {
  return built({nb::make_tuple(elems, initializer)}, [&] {
    FoldOptions options;
    read_loop_options(loop, options);
    if (!initializer.is_none()) options.initializer = elements(initializer);
    options.name = name;
    const FoldFn function = fold_function(fn);
    return from_right ? foldr(function, elements(elems), options)
                      : foldl(function, elements(elems), options);
  });
}

nb::object py_scan(nb::object fn, nb::handle elems, nb::handle initializer, nb::handle loop,
                   bool infer_shape, bool reverse, const std::string& name) {
  return built({nb::make_tuple(elems, initializer)}, [&] {
    ScanOptions options;
    read_loop_options(loop, options);
    if (!initializer.is_none()) options.initializer = elements(initializer);
    options.infer_shape = infer_shape;
    options.reverse = reverse;
    options.name = name;
    return scan(fold_function(fn), elements(elems), options);
  });
}

}  // namespace

void bind_functional(nb::module_& m) {
  m.def("map_fn", py_map);
  m.def("fold", py_fold, nb::arg("fn"), nb::arg("elems"), nb::arg("initializer").none(),
        nb::arg("from_right"), nb::arg("loop"), nb::arg("name"));
  m.def("scan", py_scan, nb::arg("fn"), nb::arg("elems"), nb::arg("initializer").none(),
        nb::arg("loop"), nb::arg("infer_shape"), nb::arg("reverse"), nb::arg("name"));
}

}  // namespace rill::python
