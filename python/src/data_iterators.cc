// Iterators and optionals: what python/rill/data/_iterator.py puts structures around.
#include <nanobind/stl/string.h>

#include "class_call.h"
#include "data.h"
#include "rill/api/core/default_graph.h"
#include "rill/api/data/multi_device_iterator.h"

namespace rill::python {
namespace {

struct IteratorObject {
  data::Iterator iterator;
  nb::object graph;
};
using I = IteratorObject;

struct MultiObject {
  data::MultiDeviceIterator iterator;
  nb::object graph;
};

template <class Make>
nb::object built_beside(nb::handle seen, Make make) {
  PyObject* const values[] = {seen.ptr()};
  const InCallersPlace place(values);
  return building([&] { return give(make()); });
}

nb::object held(nb::handle seen, auto make) {
  PyObject* const values[] = {seen.ptr()};
  const InCallersPlace place(values);
  return building([&] { return nb::cast(I{make(), wrap(default_graph())}); });
}

// Nodes that read an iterator stand in its graph, whichever is the default one.
nb::object resource_of(I& i) { return wrap(graph_object(i.graph), i.iterator.resource()); }

data::Component optional_of(nb::handle nested) {
  return data::Nested{data::ComponentKind::kOptional, tensor_object(nb::object(nested[1])).output,
                      element_of(nb::object(nested[2]))};
}

nb::object multi_initializer_of(MultiObject& i) {
  return wrap(graph_object(i.graph), i.iterator.initializer());
}

void bind_multi_device(nb::module_& m) {
  using M = MultiObject;
  nb::class_<M> c(m, "MultiDeviceIterator");
  c.def("__init__", [](M* self, DatasetObject& dataset, nb::handle devices, std::int64_t max_buffer,
                       std::int64_t prefetch_buffer, const std::string& source) {
    std::vector<std::string> names;
    for (nb::handle device : devices) names.push_back(str_of(device));
    const InCallersPlace place({});
    building([&] {
      return new (self) M{data::MultiDeviceIterator(dataset.dataset, names,
                                                    {.max_buffer_size = max_buffer,
                                                     .prefetch_buffer_size = prefetch_buffer,
                                                     .source_device = source}),
                          wrap(default_graph())};
    });
  });
  c.def_prop_ro("initializer", multi_initializer_of);
  c.def("get_next", [](M& i, std::size_t device) {
    return built_beside(multi_initializer_of(i), [&] { return i.iterator.get_next(device); });
  });
  c.def("get_next_on", [](M& i, const std::string& device) {
    return built_beside(multi_initializer_of(i), [&] { return i.iterator.get_next(device); });
  });
}

}  // namespace

void bind_data_iterators(nb::module_& m) {
  bind_multi_device(m);
  nb::class_<I> c(m, "DataIterator");
  c.def_prop_ro("resource", resource_of);
  c.def_prop_ro("initializer", [](I& i) {
    return building([&] { return wrap(graph_object(i.graph), i.iterator.initializer()); });
  });
  c.def("make_initializer", [](I& i, DatasetObject& dataset, const std::string& name) {
    return built_beside(resource_of(i), [&]() -> Node& {
      return i.iterator.make_initializer(dataset.dataset, name);
    });
  });
  c.def("get_next", [](I& i, const std::string& name) {
    return built_beside(resource_of(i), [&] { return i.iterator.get_next(name); });
  });
  c.def("get_next_as_optional", [](I& i) {
    return built_beside(resource_of(i),
                        [&] { return data::Components{i.iterator.get_next_as_optional()}; });
  });
  c.def("string_handle", [](I& i, const std::string& name) {
    return built_beside(resource_of(i), [&] { return i.iterator.string_handle(name); });
  });

  m.def(
      "data_iterator",
      [](nb::handle resource, nb::handle initializer, nb::handle element) {
        return held(resource, [&] {
          Node* node = initializer.is_none() ? nullptr : &operation_object(initializer).node();
          return data::Iterator(tensor_object(resource).output, node, element_of(element));
        });
      },
      nb::arg("resource"), nb::arg("initializer").none(), nb::arg("element"));
  m.def("data_iterator_from_structure", [](nb::handle element, const std::string& shared_name) {
    return held(nb::none(),
                [&] { return data::Iterator::from_structure(element_of(element), shared_name); });
  });
  m.def("data_iterator_from_string_handle", [](nb::handle handle, nb::handle element) {
    return held(handle, [&] {
      return data::Iterator::from_string_handle(any_input(handle, "string_handle"),
                                                element_of(element));
    });
  });
  m.def("data_one_shot_iterator", [](DatasetObject& d) {
    return held(nb::none(), [&] { return d.dataset.make_one_shot_iterator(); });
  });
  m.def("data_initializable_iterator", [](DatasetObject& d, const std::string& shared_name) {
    return held(nb::none(), [&] { return d.dataset.make_initializable_iterator(shared_name); });
  });
  m.def("data_optional_from_value", [](nb::handle values) {
    return built_beside(
        values, [&] { return data::Components{data::optional_from_value(parts_of(values))}; });
  });
  m.def("data_optional_none", [](nb::handle element) {
    return built_beside(nb::none(),
                        [&] { return data::Components{data::optional_none(element_of(element))}; });
  });
  m.def("data_optional_has_value", [](nb::handle nested, const std::string& name) {
    return built_beside(nested,
                        [&] { return data::optional_has_value(optional_of(nested), name); });
  });
  m.def("data_optional_get_value", [](nb::handle nested, const std::string& name) {
    return built_beside(nested,
                        [&] { return data::optional_get_value(optional_of(nested), name); });
  });
}

}  // namespace rill::python
