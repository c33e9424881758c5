#include <nanobind/stl/string.h>

#include "class_call.h"
#include "keep_graph.h"
#include "queues.h"
#include "rill/api/queue/accumulators.h"
#include "rill/api/queue/barrier.h"

namespace rill::python {
namespace {

AccumulatorOptions accumulator_options(nb::handle shape, nb::handle shared_name, nb::handle name,
                                       const std::string& reduction_type) {
  return {as_shape(shape), text_or_empty(shared_name), text_or_empty(name), reduction_type};
}

// Tensors, arrays or lists.
nb::object apply_sparse_grad(SparseConditionalAccumulator& a, nb::object indices, nb::object values,
                             nb::object shape, nb::object local_step, nb::handle name) {
  return built({give(a.accumulator_ref()), indices, values, shape, local_step}, [&]() -> Node& {
    return a.apply_grad(any_input(indices, "x"), any_input(values, "gradient_values"),
                        optional_input(shape, "grad_shape"),
                        {any_input(local_step, "local_step"), text_or_empty(name)});
  });
}

void bind_base(nb::module_& m) {
  using A = ConditionalAccumulatorBase;
  nb::class_<A> c(m, "ConditionalAccumulatorBase", nb::dynamic_attr());
  c.def(
      "__init__",
      [](A* self, nb::handle dtype, nb::handle shape, nb::handle ref) {
        new (self) A(as_dtype(dtype), as_shape(shape), tensor_object(ref).output);
        keep_graph(self, *self->accumulator_ref().node);
      },
      nb::arg("dtype"), nb::arg("shape").none(), nb::arg("accumulator_ref"));
  c.def_prop_ro("accumulator_ref", [](A& a) { return give(a.accumulator_ref()); });
  c.def_prop_ro("name", [](A& a) { return a.name(); });
  c.def_prop_ro("dtype", [](A& a) { return dtype_object(a.dtype()); });
  c.def(
      "num_accumulated",
      [](A& a, nb::handle name) {
        return built({give(a.accumulator_ref())},
                     [&] { return a.num_accumulated({text_or_empty(name)}); });
      },
      nb::arg("name") = nb::none());
  c.def(
      "set_global_step",
      [](A& a, nb::object step, nb::handle name) {
        return built({give(a.accumulator_ref()), step}, [&]() -> Node& {
          return a.set_global_step(any_input(step, "new_global_step"), {text_or_empty(name)});
        });
      },
      nb::arg("new_global_step"), nb::arg("name") = nb::none());
}

void bind_dense(nb::module_& m) {
  using A = ConditionalAccumulator;
  nb::class_<A, ConditionalAccumulatorBase> c(m, "ConditionalAccumulator");
  c.def(
      "__init__",
      [](A* self, nb::handle dtype, nb::handle shape, nb::handle shared_name, nb::handle name,
         const std::string& reduction_type) {
        const InCallersPlace place({});
        building([&] {
          new (self)
              A(as_dtype(dtype), accumulator_options(shape, shared_name, name, reduction_type));
        });
        keep_graph(self, *self->accumulator_ref().node);
      },
      nb::arg("dtype"), nb::arg("shape") = nb::none(), nb::arg("shared_name") = nb::none(),
      nb::arg("name") = "conditional_accumulator", nb::arg("reduction_type") = "MEAN");
  c.def(
      "apply_grad",
      [](A& a, nb::object grad, nb::object local_step, nb::handle name) {
        return built({give(a.accumulator_ref()), grad, local_step}, [&]() -> Node& {
          return a.apply_grad(any_input(grad, "gradient"),
                              {any_input(local_step, "local_step"), text_or_empty(name)});
        });
      },
      nb::arg("grad"), nb::arg("local_step") = 0, nb::arg("name") = nb::none());
  c.def(
      "take_grad",
      [](A& a, nb::object num_required, nb::handle name) {
        return built({give(a.accumulator_ref()), num_required}, [&] {
          return a.take_grad(any_input(num_required, "num_required"), {text_or_empty(name)});
        });
      },
      nb::arg("num_required"), nb::arg("name") = nb::none());
}

void bind_sparse(nb::module_& m) {
  using A = SparseConditionalAccumulator;
  nb::class_<A, ConditionalAccumulatorBase> c(m, "SparseConditionalAccumulator");
  c.def(
      "__init__",
      [](A* self, nb::handle dtype, nb::handle shape, nb::handle shared_name, nb::handle name,
         const std::string& reduction_type) {
        const InCallersPlace place({});
        building([&] {
          new (self)
              A(as_dtype(dtype), accumulator_options(shape, shared_name, name, reduction_type));
        });
        keep_graph(self, *self->accumulator_ref().node);
      },
      nb::arg("dtype"), nb::arg("shape") = nb::none(), nb::arg("shared_name") = nb::none(),
      nb::arg("name") = "sparse_conditional_accumulator", nb::arg("reduction_type") = "MEAN");
  c.def("apply_grad", apply_sparse_grad, nb::arg("grad_indices"), nb::arg("grad_values"),
        nb::arg("grad_shape") = nb::none(), nb::arg("local_step") = 0,
        nb::arg("name") = nb::none());
  c.def(
      "apply_indexed_slices_grad",
      [](A& a, nb::object grad, nb::object local_step, nb::handle name) {
        return apply_sparse_grad(a, grad.attr("indices"), grad.attr("values"),
                                 grad.attr("dense_shape"), local_step, name);
      },
      nb::arg("grad"), nb::arg("local_step") = 0, nb::arg("name") = nb::none());
  c.def(
      "_take_grad",
      [](A& a, nb::object num_required, nb::handle name) {
        return built({give(a.accumulator_ref()), num_required}, [&] {
          Node& node = a.take_grad(any_input(num_required, "num_required"), {text_or_empty(name)});
          return std::vector<Output>{node.output(0), node.output(1), node.output(2)};
        });
      },
      nb::arg("num_required"), nb::arg("name").none());
  c.def(
      "take_indexed_slices_grad",
      [](A& a, nb::object num_required, nb::handle name) {
        return built({give(a.accumulator_ref()), num_required}, [&] {
          return Gradient(a.take_indexed_slices_grad(any_input(num_required, "num_required"),
                                                     {text_or_empty(name)}));
        });
      },
      nb::arg("num_required"), nb::arg("name") = nb::none());
}

void bind_barrier(nb::module_& m) {
  nb::class_<Barrier> c(m, "Barrier", nb::dynamic_attr());
  c.doc() = "Elements whose components come apart, known by a key.";
  c.def(
      "__init__",
      [](Barrier* self, nb::handle types, nb::handle shapes, nb::handle shared_name,
         nb::handle name) {
        const InCallersPlace place({});
        building([&] {
          new (self) Barrier(dtype_list(types), {component_shapes(shapes),
                                                 text_or_empty(shared_name), text_or_empty(name)});
        });
        keep_graph(self, *self->barrier_ref().node);
      },
      nb::arg("types"), nb::arg("shapes") = nb::none(), nb::arg("shared_name") = nb::none(),
      nb::arg("name") = "barrier");
  c.def_prop_ro("barrier_ref", [](Barrier& b) { return give(b.barrier_ref()); });
  c.def_prop_ro("name", [](Barrier& b) { return b.name(); });
  c.def(
      "insert_many",
      [](Barrier& b, std::int64_t component, nb::object keys, nb::object values, nb::handle name) {
        return built({give(b.barrier_ref()), keys, values}, [&]() -> Node& {
          return b.insert_many(component, any_input(keys, "keys"), any_input(values, "values"),
                               {text_or_empty(name)});
        });
      },
      nb::arg("component_index"), nb::arg("keys"), nb::arg("values"), nb::arg("name") = nb::none());
  c.def(
      "_take_many",
      [](Barrier& b, nb::object count, bool small, std::int64_t timeout_ms, nb::handle name) {
        return built({give(b.barrier_ref()), count}, [&] {
          Node& node = b.take_many(
              any_input(count, "num_elements"),
              {.allow_small_batch = small, .timeout_ms = timeout_ms, .name = text_or_empty(name)});
          std::vector<Output> outputs;
          for (int i = 0; i < node.output_count(); ++i) outputs.push_back(node.output(i));
          return outputs;
        });
      },
      nb::arg("num_elements"), nb::arg("allow_small_batch"), nb::arg("timeout_ms"),
      nb::arg("name").none());
  c.def(
      "close",
      [](Barrier& b, bool cancel, nb::handle name) {
        return built({give(b.barrier_ref())}, [&]() -> Node& {
          return b.close({cancel, text_or_empty(name)});
        });
      },
      nb::arg("cancel_pending_enqueues") = false, nb::arg("name") = nb::none());
  c.def(
      "ready_size",
      [](Barrier& b, nb::handle name) {
        return built({give(b.barrier_ref())}, [&] { return b.ready_size({text_or_empty(name)}); });
      },
      nb::arg("name") = nb::none());
  c.def(
      "incomplete_size",
      [](Barrier& b, nb::handle name) {
        return built({give(b.barrier_ref())},
                     [&] { return b.incomplete_size({text_or_empty(name)}); });
      },
      nb::arg("name") = nb::none());
}

}  // namespace

void bind_accumulators(nb::module_& m) {
  bind_base(m);
  bind_dense(m);
  bind_sparse(m);
  bind_barrier(m);
}

}  // namespace rill::python
