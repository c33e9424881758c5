#include "queues.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "class_call.h"
#include "in_place.h"
#include "keep_graph.h"
#include "plain_values.h"
#include "rill/api/queue/queues.h"

namespace rill::python {

std::vector<PartialShape> component_shapes(nb::handle shapes) {
  if (shapes.is_none() || is_shape(shapes)) return shape_list(shapes);
  if (!PyList_Check(shapes.ptr()) && !PyTuple_Check(shapes.ptr()))
    type_error("Shapes must be a TensorShape or a list or tuple of TensorShapes, got <class '",
               type_name_of(shapes), "'> instead.");
  bool is_one = true;
  for (nb::handle size : shapes) is_one = is_one && (size.is_none() || PyLong_Check(size.ptr()));
  return is_one ? std::vector{as_shape(shapes)} : shape_list(shapes);
}

namespace {

std::vector<std::string> component_names(nb::handle names) {
  if (names.is_none()) return {};
  if (is_text(names)) return {text_of(names)};
  return text_list(names);
}

template <class Options = queue::QueueOptions>
Options queue_options(nb::handle shapes, nb::handle names, nb::handle shared_name,
                      nb::handle name) {
  Options options;
  options.shapes = component_shapes(shapes);
  options.names = component_names(names);
  options.shared_name = text_or_empty(shared_name);
  options.name = text_or_empty(name);
  return options;
}

queue::NamedComponents named_components(nb::handle dict) {
  queue::NamedComponents vals;
  for (auto [key, value] : nb::cast<nb::dict>(dict))
    vals.emplace_back(str_of(key), input_of(value, DType::invalid, "", "component"));
  return vals;
}

std::vector<Input> components(nb::handle vals) {
  if (!is_sequence(vals)) return {input_of(vals, DType::invalid, "", "component")};
  return input_list(vals, "component");
}

template <bool many>
nb::object enqueue_values(queue::QueueBase& self, nb::object vals, nb::handle name) {
  return built({give(self.queue_ref()), vals}, [&]() -> Node& {
    const queue::QueueOpOptions options{text_or_empty(name)};
    if (PyDict_Check(vals.ptr())) {
      const queue::NamedComponents named = named_components(vals);
      return many ? self.enqueue_many(named, options) : self.enqueue(named, options);
    }
    const std::vector<Input> list = components(vals);
    return many ? self.enqueue_many(list, options) : self.enqueue(list, options);
  });
}

// A single component alone, several as a list, named ones as a dict.
template <class Take>
nb::object dequeue_values(queue::QueueBase& self, nb::object n, Take take_from) {
  nb::object list = built({give(self.queue_ref()), n}, take_from);
  if (!self.names().empty()) {
    nb::dict dict;
    for (std::size_t i = 0; i < self.names().size(); ++i) dict[self.names()[i].c_str()] = list[i];
    return dict;
  }
  return nb::len(list) == 1 ? nb::object(list[0]) : list;
}

nb::object chosen_queue(nb::object index, nb::handle queues) {
  std::vector<queue::QueueBase> list;
  if (is_sequence(queues))
    for (nb::handle queue : queues) {
      if (!nb::isinstance<queue::QueueBase>(queue)) type_error("A list of queues expected");
      list.push_back(nb::cast<queue::QueueBase&>(queue));
    }
  if (list.empty()) type_error("A list of queues expected");
  nb::object first = give(list[0].queue_ref());
  PyObject* const values[] = {first.ptr(), index.ptr()};
  const InCallersPlace place(values);
  return give(building([&] {
    return queue::QueueBase::from_list(input_of(index, DType::invalid, "", "indices"), list);
  }));
}

void bind_properties(nb::class_<queue::QueueBase>& c) {
  c.def_prop_ro("dtypes", [](queue::QueueBase& q) { return dtype_objects(q.dtypes()); });
  c.def_prop_ro("shapes", [](queue::QueueBase& q) { return shape_objects(q.shapes()); });
  c.def_prop_ro("names", [](queue::QueueBase& q) -> nb::object {
    return q.names().empty() ? nb::none() : nb::cast(q.names());
  });
  c.def_prop_ro("name", [](queue::QueueBase& q) { return q.name(); });
  c.def_prop_ro("queue_ref", [](queue::QueueBase& q) { return give(q.queue_ref()); });
}

void bind_queue_methods(nb::class_<queue::QueueBase>& c) {
  const auto name = [] { return nb::arg("name") = nb::none(); };
  c.def("enqueue", enqueue_values<false>, nb::arg("vals"), name());
  c.def("enqueue_many", enqueue_values<true>, nb::arg("vals"), name());
  c.def(
      "dequeue",
      [](queue::QueueBase& self, nb::handle name) {
        return dequeue_values(self, nb::none(),
                              [&] { return self.dequeue({text_or_empty(name)}); });
      },
      name());
  c.def(
      "dequeue_many",
      [](queue::QueueBase& self, nb::object n, nb::handle name) {
        return dequeue_values(
            self, n, [&] { return self.dequeue_many(any_input(n, "n"), {text_or_empty(name)}); });
      },
      nb::arg("n"), name());
  c.def(
      "dequeue_up_to",
      [](queue::QueueBase& self, nb::object n, nb::handle name) {
        return dequeue_values(
            self, n, [&] { return self.dequeue_up_to(any_input(n, "n"), {text_or_empty(name)}); });
      },
      nb::arg("n"), name());
  c.def(
      "close",
      [](queue::QueueBase& self, bool cancel, nb::handle name) {
        return built({give(self.queue_ref())}, [&]() -> Node& {
          return self.close({cancel, text_or_empty(name)});
        });
      },
      nb::arg("cancel_pending_enqueues") = false, name());
  c.def(
      "is_closed",
      [](queue::QueueBase& self, nb::handle name) {
        return built({give(self.queue_ref())},
                     [&] { return self.is_closed({text_or_empty(name)}); });
      },
      name());
  c.def(
      "size",
      [](queue::QueueBase& self, nb::handle name) {
        return built({give(self.queue_ref())}, [&] { return self.size({text_or_empty(name)}); });
      },
      name());
}

void bind_queue_kinds(nb::module_& m) {
  nb::class_<queue::FIFOQueue, queue::QueueBase>(m, "FIFOQueue")
      .def(
          "__init__",
          [](queue::FIFOQueue* self, std::int64_t capacity, nb::handle dtypes, nb::handle shapes,
             nb::handle names, nb::handle shared_name, nb::handle name) {
            constructed([&] {
              new (self) queue::FIFOQueue(capacity, dtype_list(dtypes),
                                          queue_options(shapes, names, shared_name, name));
            });
            keep_graph(self, *self->queue_ref().node);
          },
          nb::arg("capacity"), nb::arg("dtypes"), nb::arg("shapes") = nb::none(),
          nb::arg("names") = nb::none(), nb::arg("shared_name") = nb::none(),
          nb::arg("name") = "fifo_queue");
  nb::class_<queue::PaddingFIFOQueue, queue::QueueBase>(m, "PaddingFIFOQueue")
      .def(
          "__init__",
          [](queue::PaddingFIFOQueue* self, std::int64_t capacity, nb::handle dtypes,
             nb::handle shapes, nb::handle names, nb::handle shared_name, nb::handle name) {
            constructed([&] {
              new (self)
                  queue::PaddingFIFOQueue(capacity, dtype_list(dtypes), shape_list(shapes),
                                          queue_options(nb::none(), names, shared_name, name));
            });
            keep_graph(self, *self->queue_ref().node);
          },
          nb::arg("capacity"), nb::arg("dtypes"), nb::arg("shapes").none(),
          nb::arg("names") = nb::none(), nb::arg("shared_name") = nb::none(),
          nb::arg("name") = "padding_fifo_queue");
  nb::class_<queue::PriorityQueue, queue::QueueBase>(m, "PriorityQueue")
      .def(
          "__init__",
          [](queue::PriorityQueue* self, std::int64_t capacity, nb::handle types, nb::handle shapes,
             nb::handle names, nb::handle shared_name, nb::handle name) {
            constructed([&] {
              new (self) queue::PriorityQueue(capacity, dtype_list(types),
                                              queue_options(shapes, names, shared_name, name));
            });
            keep_graph(self, *self->queue_ref().node);
          },
          nb::arg("capacity"), nb::arg("types"), nb::arg("shapes") = nb::none(),
          nb::arg("names") = nb::none(), nb::arg("shared_name") = nb::none(),
          nb::arg("name") = "priority_queue");
  nb::class_<queue::RandomShuffleQueue, queue::QueueBase>(m, "RandomShuffleQueue")
      .def(
          "__init__",
          [](queue::RandomShuffleQueue* self, std::int64_t capacity, std::int64_t min_after_dequeue,
             nb::handle dtypes, nb::handle shapes, nb::handle names, nb::handle seed,
             nb::handle shared_name, nb::handle name) {
            constructed([&] {
              auto options =
                  queue_options<queue::RandomShuffleQueueOptions>(shapes, names, shared_name, name);
              if (!seed.is_none()) options.seed = integer_of(seed);
              new (self) queue::RandomShuffleQueue(capacity, min_after_dequeue, dtype_list(dtypes),
                                                   options);
            });
            keep_graph(self, *self->queue_ref().node);
          },
          nb::arg("capacity"), nb::arg("min_after_dequeue"), nb::arg("dtypes"),
          nb::arg("shapes") = nb::none(), nb::arg("names") = nb::none(),
          nb::arg("seed") = nb::none(), nb::arg("shared_name") = nb::none(),
          nb::arg("name") = "random_shuffle_queue");
}

}  // namespace

nb::object give(const queue::QueueBase& queue) {
  return keep_graph(nb::cast(queue), *queue.queue_ref().node);
}

void bind_queues(nb::module_& m) {
  nb::class_<queue::QueueBase> c(m, "QueueBase", nb::dynamic_attr());
  c.doc() = "A queue of elements, each a list of tensors.";
  c.def(
      "__init__",
      [](queue::QueueBase* self, nb::handle dtypes, nb::handle shapes, nb::handle names,
         nb::handle queue_ref) {
        building([&] {
          new (self) queue::QueueBase(dtype_list(dtypes), component_shapes(shapes),
                                      component_names(names), tensor_object(queue_ref).output);
        });
        keep_graph(self, *self->queue_ref().node);
      },
      nb::arg("dtypes"), nb::arg("shapes").none(), nb::arg("names").none(), nb::arg("queue_ref"));
  c.def_static("from_list", chosen_queue, nb::arg("index"), nb::arg("queues").none());
  bind_properties(c);
  bind_queue_methods(c);
  bind_queue_kinds(m);
}

}  // namespace rill::python
