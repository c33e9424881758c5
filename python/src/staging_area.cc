#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "class_call.h"
#include "keep_graph.h"
#include "queues.h"
#include "rill/api/queue/staging_area.h"

namespace rill::python {
namespace {

nb::object staged_element(const StagingArea& area, nb::object list) {
  if (area.options().names.empty()) return list;
  nb::dict dict;
  for (std::size_t i = 0; i < area.options().names.size(); ++i)
    dict[area.options().names[i].c_str()] = list[i];
  return dict;
}

nb::object put_in_area(StagingArea& area, nb::object values, nb::handle name) {
  nb::object as_list = is_sequence(values) ? nb::borrow(values) : nb::make_tuple(values);
  return built({give(area.place()), values}, [&]() -> Node& {
    if (!PyDict_Check(values.ptr()))
      return area.put(input_list(as_list, "component"), {text_or_empty(name)});
    queue::NamedComponents named;
    for (auto [key, value] : nb::cast<nb::dict>(values))
      named.emplace_back(str_of(key), input_of(value, DType::invalid, "", "component"));
    return area.put(named, {text_or_empty(name)});
  });
}

}  // namespace

void bind_staging_area(nb::module_& m) {
  nb::class_<StagingArea> c(m, "StagingArea", nb::dynamic_attr());
  c.doc() = "Elements on their way from one device to another.";
  c.def(
      "__init__",
      [](StagingArea* self, nb::handle dtypes, nb::handle shapes, nb::handle names,
         nb::handle shared_name, std::int64_t capacity, std::int64_t memory_limit) {
        const InCallersPlace place({});
        building([&] {
          StagingAreaOptions options;
          options.shapes = shape_list(shapes);
          if (!names.is_none())
            for (nb::handle name : names) options.names.push_back(str_of(name));
          options.shared_name = text_or_empty(shared_name);
          options.capacity = capacity;
          options.memory_limit = memory_limit;
          new (self) StagingArea(dtype_list(dtypes), options);
        });
        keep_graph(self, self->place());
      },
      nb::arg("dtypes"), nb::arg("shapes") = nb::none(), nb::arg("names") = nb::none(),
      nb::arg("shared_name") = nb::none(), nb::arg("capacity") = 0, nb::arg("memory_limit") = 0);
  c.def_prop_ro("name", [](StagingArea& a) { return a.name(); });
  c.def_prop_ro("dtypes", [](StagingArea& a) { return dtype_objects(a.dtypes()); });
  c.def_prop_ro("shapes", [](StagingArea& a) { return shape_objects(a.options().shapes); });
  c.def_prop_ro("names", [](StagingArea& a) -> nb::object {
    return a.options().names.empty() ? nb::none() : nb::cast(a.options().names);
  });
  c.def_prop_ro("capacity", [](StagingArea& a) { return a.options().capacity; });
  c.def_prop_ro("memory_limit", [](StagingArea& a) { return a.options().memory_limit; });
  c.def("put", put_in_area, nb::arg("values"), nb::arg("name") = nb::none());
  c.def(
      "get",
      [](StagingArea& a, nb::handle name) {
        return staged_element(
            a, built({give(a.place())}, [&] { return a.get({text_or_empty(name)}); }));
      },
      nb::arg("name") = nb::none());
  c.def(
      "peek",
      [](StagingArea& a, nb::object index, nb::handle name) {
        return staged_element(a, built({give(a.place()), index}, [&] {
                                return a.peek(input_of(index, DType::invalid, "", "index"),
                                              {text_or_empty(name)});
                              }));
      },
      nb::arg("index"), nb::arg("name") = nb::none());
  c.def(
      "size",
      [](StagingArea& a, nb::handle name) {
        return built({give(a.place())}, [&] { return a.size({text_or_empty(name)}); });
      },
      nb::arg("name") = nb::none());
  c.def(
      "clear",
      [](StagingArea& a, nb::handle name) {
        return built({give(a.place())}, [&]() -> Node& { return a.clear({text_or_empty(name)}); });
      },
      nb::arg("name") = nb::none());
}

}  // namespace rill::python
