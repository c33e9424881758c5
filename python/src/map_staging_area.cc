#include "rill/api/queue/map_staging_area.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "class_call.h"
#include "keep_graph.h"
#include "plain_values.h"
#include "train_inputs.h"

namespace rill::python {
namespace {

using Indices = std::optional<std::vector<std::int64_t>>;

// Numbers or names of components; None is all of them.
Indices indices_of(const MapStagingArea& area, nb::handle indices) {
  if (indices.is_none()) return {};
  if (!is_sequence(indices)) type_error("Invalid indices type ", type_name_of(indices));
  const auto is_text = [](nb::handle i) { return PyUnicode_Check(i.ptr()) != 0; };
  std::vector<std::string> names;
  std::vector<std::int64_t> numbers;
  for (nb::handle i : indices) {
    if (is_text(i))
      names.push_back(str_of(i));
    else
      numbers.push_back(integer_of(i));
  }
  if (!names.empty() && !numbers.empty())
    type_error("Mixed types in indices ", repr_of(indices), ". May only be str or int");
  return names.empty() ? numbers : building([&] { return area.indices_of(names); });
}

nb::object map_element(const MapStagingArea& area, const Indices& indices, nb::object list) {
  const auto& names = area.options().names;
  if (names.empty()) return list;
  nb::dict dict;
  for (std::size_t k = 0; k < nb::len(list); ++k) {
    const std::size_t i = indices ? static_cast<std::size_t>((*indices)[k]) : k;
    dict[names[i].c_str()] = list[k];
  }
  return dict;
}

nb::object put_in_map_area(MapStagingArea& area, nb::object key, nb::object vals,
                           nb::handle indices, nb::handle name) {
  std::vector<std::int64_t> which;
  nb::list values;
  if (PyDict_Check(vals.ptr())) {
    const auto& names = area.options().names;
    if (names.empty()) value_error("Staging areas must have names to enqueue a dictionary");
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (!nb::cast<nb::dict>(vals).contains(names[i].c_str())) continue;
      which.push_back(static_cast<std::int64_t>(i));
      values.append(vals[names[i].c_str()]);
    }
    if (nb::len(values) != nb::len(vals))
      value_error("Keys in dictionary to put do not match names of staging area.");
  } else {
    if (!area.options().names.empty())
      value_error("You must enqueue a dictionary in a staging area with names");
    if (indices.is_none()) value_error("Indices must be supplied when inserting a list of tensors");
    which = *indices_of(area, indices);
    if (is_sequence(vals))
      for (nb::handle value : vals) values.append(value);
    else
      values.append(vals);
  }
  return built({give(area.place()), key, vals}, [&]() -> Node& {
    return area.put(input_of(key, DType::i64, "", "key"), input_list(values, "component"), which,
                    {text_or_empty(name)});
  });
}

nb::object taken(MapStagingArea& area, nb::object key, nb::handle indices, nb::handle name,
                 bool stays) {
  const Indices which = indices_of(area, indices);
  return map_element(area, which, built({give(area.place()), key}, [&] {
                       const Input input = input_of(key, DType::i64, "", "key");
                       const queue::QueueOpOptions options{text_or_empty(name)};
                       return stays ? area.peek(input, which, options)
                                    : area.get(input, which, options);
                     }));
}

nb::object get_from_map_area(MapStagingArea& area, nb::object key, nb::handle indices,
                             nb::handle name) {
  if (!key.is_none()) return nb::make_tuple(key, taken(area, key, indices, name, false));
  const Indices which = indices_of(area, indices);
  nb::object list = built({give(area.place())}, [&] {
    auto [found, values] = area.get_any(which, {text_or_empty(name)});
    values.insert(values.begin(), found);
    return values;
  });
  nb::list values;
  for (std::size_t k = 1; k < nb::len(list); ++k) values.append(list[k]);
  return nb::make_tuple(list[0], map_element(area, which, values));
}

void create_map_area(MapStagingArea* self, nb::handle dtypes, nb::handle shapes, nb::handle names,
                     nb::handle shared_name, bool ordered, std::int64_t capacity,
                     std::int64_t memory_limit) {
  const InCallersPlace place({});
  building([&] {
    MapStagingAreaOptions options;
    options.shapes = shape_list(shapes);
    if (!names.is_none())
      for (nb::handle name : names) options.names.push_back(str_of(name));
    options.shared_name = text_or_empty(shared_name);
    options.capacity = capacity;
    options.memory_limit = memory_limit;
    options.ordered = ordered;
    new (self) MapStagingArea(dtype_list(dtypes), options);
  });
  keep_graph(self, self->place());
}

void bind_map_area_facts(nb::class_<MapStagingArea>& c) {
  c.def_prop_ro("name", [](MapStagingArea& a) { return a.name(); });
  c.def_prop_ro("dtypes", [](MapStagingArea& a) { return dtype_objects(a.dtypes()); });
  c.def_prop_ro("shapes", [](MapStagingArea& a) { return shape_objects(a.options().shapes); });
  c.def_prop_ro("names", [](MapStagingArea& a) -> nb::object {
    return a.options().names.empty() ? nb::none() : nb::cast(a.options().names);
  });
  c.def_prop_ro("capacity", [](MapStagingArea& a) { return a.options().capacity; });
  c.def_prop_ro("memory_limit", [](MapStagingArea& a) { return a.options().memory_limit; });
}

}  // namespace

void bind_map_staging_area(nb::module_& m) {
  nb::class_<MapStagingArea> c(m, "MapStagingArea", nb::dynamic_attr());
  c.doc() = "Elements under keys, on their way from one device to another.";
  c.def("__init__", create_map_area, nb::arg("dtypes"), nb::arg("shapes") = nb::none(),
        nb::arg("names") = nb::none(), nb::arg("shared_name") = nb::none(),
        nb::arg("ordered") = false, nb::arg("capacity") = 0, nb::arg("memory_limit") = 0);
  bind_map_area_facts(c);
  const auto name = [] { return nb::arg("name") = nb::none(); };
  c.def("put", put_in_map_area, nb::arg("key"), nb::arg("vals"), nb::arg("indices") = nb::none(),
        name());
  c.def("get", get_from_map_area, nb::arg("key") = nb::none(), nb::arg("indices") = nb::none(),
        name());
  c.def(
      "peek",
      [](MapStagingArea& a, nb::object key, nb::handle indices, nb::handle name) {
        return taken(a, key, indices, name, true);
      },
      nb::arg("key"), nb::arg("indices") = nb::none(), name());
  c.def(
      "size",
      [](MapStagingArea& a, nb::handle name) {
        return built({give(a.place())}, [&] { return a.size({text_or_empty(name)}); });
      },
      name());
  c.def(
      "incomplete_size",
      [](MapStagingArea& a, nb::handle name) {
        return built({give(a.place())}, [&] { return a.incomplete_size({text_or_empty(name)}); });
      },
      name());
  c.def(
      "clear",
      [](MapStagingArea& a, nb::handle name) {
        return built({give(a.place())}, [&]() -> Node& { return a.clear({text_or_empty(name)}); });
      },
      name());
}

}  // namespace rill::python
