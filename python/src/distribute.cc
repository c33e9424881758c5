#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "call.h"
#include "contexts.h"
#include "data.h"
#include "errors.h"
#include "gradient_values.h"
#include "interpreter_lock.h"
#include "rill/api/distribute/distributed_input.h"
#include "rill/api/distribute/process_group.h"
#include "rill/api/distribute/strategies.h"
#include "rill/api/variables/variable_copies.h"
#include "train_inputs.h"
#include "variables.h"

namespace rill::python {
namespace {

using namespace distribute;
namespace resolvers = distribute::cluster_resolver;

ReduceOp reduce_op_of(int number) { return number == 0 ? ReduceOp::SUM : ReduceOp::MEAN; }

std::vector<Gradient> gradients_in(nb::handle values) {
  std::vector<Gradient> all;
  for (nb::handle value : values) all.push_back(gradient_of(value));
  return all;
}

nb::list give_all(const std::vector<Gradient>& values) {
  nb::list all;
  for (const Gradient& value : values) all.append(give(value));
  return all;
}

// Runs `build`, which makes nodes where the program stands.
template <class Build>
auto in_strategy(Build build) {
  const InCallersPlace place({});
  return building(build);
}

// --- strategies ----------------------------------------------------------------------------------

// A resolver of the program: {"cluster": {job: {number: address}}, "type": ..., "id": ...}.
resolvers::ClusterResolverRef resolver_of(nb::handle given) {
  if (given.is_none()) return nullptr;
  const auto values = nb::cast<nb::dict>(given);
  std::map<std::string, train::ClusterSpec::Tasks> jobs;
  for (auto [job, tasks] : nb::cast<nb::dict>(values["cluster"]))
    for (auto [number, address] : nb::cast<nb::dict>(tasks))
      jobs[nb::cast<std::string>(job)][nb::cast<std::int64_t>(number)] =
          nb::cast<std::string>(address);
  resolvers::SimpleOptions options;
  if (!values["type"].is_none()) options.task_type = nb::cast<std::string>(values["type"]);
  if (!values["id"].is_none()) options.task_id = nb::cast<int>(values["id"]);
  return std::make_shared<resolvers::SimpleClusterResolver>(train::ClusterSpec(std::move(jobs)),
                                                            options);
}

void bind_kinds(nb::module_& m) {
  m.def("mirrored_strategy", [](std::vector<std::string> devices, std::string reduces_on) {
    return building([&] {
      return Strategy(MirroredStrategy(
          {.devices = std::move(devices), .cross_device_ops = {std::move(reduces_on)}}));
    });
  });
  m.def("one_device_strategy", [](std::string device) {
    return building([&] { return Strategy(OneDeviceStrategy(device)); });
  });
  m.def("central_storage_strategy", [](std::vector<std::string> compute, std::string parameters) {
    return building([&] {
      return Strategy(CentralStorageStrategy(
          {.compute_devices = std::move(compute), .parameter_device = std::move(parameters)}));
    });
  });
  m.def(
      "parameter_server_strategy",
      [](nb::handle resolver) {
        return building([&] {
          return Strategy(ParameterServerStrategy({.cluster_resolver = resolver_of(resolver)}));
        });
      },
      nb::arg("resolver").none());
  m.def(
      "multi_worker_strategy",
      [](int communication, nb::handle resolver, std::vector<std::string> devices) {
        return building([&] {
          return Strategy(MultiWorkerMirroredStrategy(
              {.communication = static_cast<CollectiveCommunication>(communication),
               .cluster_resolver = resolver_of(resolver),
               .local_devices = std::move(devices)}));
        });
      },
      nb::arg("communication"), nb::arg("resolver").none(), nb::arg("devices"));
}

// Replicas are built on threads that Python does not know yet.
void call_for_each_replica(const Strategy& strategy, const nb::callable& build) {
  in_strategy([&] {
    strategy.extended().call_for_each_replica([&](ReplicaContext& replica) {
      const WithLock lock;
      const InCallersPlace place({});
      build(replica.replica(), reinterpret_cast<std::uintptr_t>(&replica));
    });
  });
}

nb::list update_copies(const Strategy& strategy, nb::handle variable, const nb::callable& change) {
  nb::list results;
  in_strategy([&] {
    strategy.extended().update(variable_of(variable), [&](const Variable& copy, int index) {
      results.append(change(give(copy), index));
    });
  });
  return results;
}

nb::list update_beside(const Strategy& strategy, const std::vector<std::string>& devices,
                       const nb::callable& change) {
  nb::list results;
  in_strategy([&] {
    strategy.extended().update_non_slot(devices, [&](int index) { results.append(change(index)); });
  });
  return results;
}

nb::object scope_of_strategy(const Strategy& strategy) {
  const auto opened = std::make_shared<std::vector<std::unique_ptr<StrategyScope>>>();
  return make_context(
      [strategy, opened] {
        building([&] { opened->push_back(std::make_unique<StrategyScope>(strategy.ref())); });
        return nb::object(nb::none());
      },
      [opened] { opened->pop_back(); });
}

void bind_strategy(nb::module_& m) {
  nb::class_<Strategy> c(m, "StrategyCore");
  const auto fact = [&](const char* name, auto get) {
    c.def_prop_ro(name, [get](const Strategy& s) { return get(s.extended()); });
  };
  c.def_prop_ro("identity",
                [](const Strategy& s) { return reinterpret_cast<std::uintptr_t>(&s.extended()); });
  fact("name", [](const StrategyExtended& s) { return std::string(s.name()); });
  fact("worker_devices", [](const StrategyExtended& s) { return s.worker_devices(); });
  fact("parameter_devices", [](const StrategyExtended& s) { return s.parameter_devices(); });
  fact("num_replicas_in_sync", [](const StrategyExtended& s) { return s.num_replicas_in_sync(); });
  fact("local_replicas", [](const StrategyExtended& s) { return s.local_replicas(); });
  fact("first_replica", [](const StrategyExtended& s) { return s.first_replica(); });
  fact("between_graph", [](const StrategyExtended& s) { return s.experimental_between_graph(); });
  fact("should_init", [](const StrategyExtended& s) { return s.experimental_should_init(); });
  fact("should_checkpoint", [](const StrategyExtended& s) { return s.should_checkpoint(); });
  fact("should_save_summary", [](const StrategyExtended& s) { return s.should_save_summary(); });
  c.def_prop_rw(
      "scales_loss", [](const Strategy& s) { return s.extended().scales_loss; },
      [](const Strategy& s, bool scales) { s.extended().scales_loss = scales; });
  c.def("scope", scope_of_strategy);
  c.def("call_for_each_replica", call_for_each_replica);
  c.def("update", update_copies);
  c.def("update_non_slot", update_beside);
  c.def("reduce_to", [](const Strategy& s, int op, nb::handle values,
                        const std::vector<std::string>& destinations) {
    return in_strategy([&] {
      return give_all(s.extended().reduce_to(reduce_op_of(op), gradients_in(values), destinations));
    });
  });
  c.def("broadcast_to", [](const Strategy& s, nb::handle value,
                           const std::vector<std::string>& destinations) {
    return in_strategy([&] {
      nb::list all;
      for (const Output& one : s.extended().broadcast_to(gradient_of(value).dense(), destinations))
        all.append(give(one));
      return all;
    });
  });
  c.def("devices_of", [](const Strategy& s, nb::handle variable) {
    return s.extended().devices_of(variable_of(variable));
  });
  c.def("non_slot_devices", [](const Strategy& s, nb::handle variables) {
    std::vector<Variable> all;
    for (nb::handle one : variables) all.push_back(variable_of(one));
    return s.extended().non_slot_devices(all);
  });
  c.def("session_needs", [](const Strategy& s) {
    const SessionNeeds needs = session_needs(s);
    return nb::make_tuple(needs.device_filters, needs.collective_group_leader);
  });
}

// --- where a program stands ----------------------------------------------------------------------

nb::object merge_replicas(const nb::callable& together, nb::object mine) {
  ReplicaContext* const replica = get_replica_context();
  if (replica == nullptr) throw_python(PyExc_RuntimeError, "merge_call needs a replica context");
  struct Brought {
    nb::object value, result;
  } own{std::move(mine), nb::none()};
  in_strategy([&] {
    replica->merge(&own, [&](StrategyExtended&, std::span<void* const> brought) {
      nb::list values;
      for (void* const one : brought) values.append(static_cast<Brought*>(one)->value);
      const nb::list results = nb::cast<nb::list>(together(values));
      for (std::size_t i = 0; i < brought.size(); ++i)
        static_cast<Brought*>(brought[i])->result = nb::object(results[i]);
    });
  });
  return own.result;
}

nb::object replica_id_of_context() {
  return in_strategy([] { return give(get_replica_context()->replica_id_in_sync_group()); });
}

void bind_place(nb::module_& m) {
  m.def("strategy_here", [] { return get_strategy(); });
  m.def("has_strategy", [] { return has_strategy(); });
  m.def("in_cross_replica_context", [] { return in_cross_replica_context(); });
  // Of the context, a number; 0 outside of replicas.
  m.def("replica_context_here",
        [] { return reinterpret_cast<std::uintptr_t>(get_replica_context()); });
  m.def("replica_here", [] { return rill::replica_here(); });
  m.def("replica_id", replica_id_of_context);
  m.def("merge_replicas", merge_replicas);
  m.def("full_device", [](const std::string& device, const std::string& around) {
    return building([&] { return canonical_device(device, around); });
  });
  m.def("copies_of", [](nb::handle variable) {
    nb::list all;
    for (const Variable& copy : variable_of(variable).copies()) all.append(give(copy));
    return all;
  });
  m.def("whole_of", [](nb::handle variable) { return give(variable_of(variable).whole()); });
}

// --- resolvers -----------------------------------------------------------------------------------

void bind_slurm(nb::module_& m) {
  m.def(
      "slurm_cluster",
      [](std::vector<std::pair<std::string, int>> jobs, int port_base, int gpus_per_node,
         int gpus_per_task, std::optional<int> tasks_per_node) {
        return building([&] {
          const resolvers::SlurmClusterResolver slurm(std::move(jobs),
                                                      {.port_base = port_base,
                                                       .gpus_per_node = gpus_per_node,
                                                       .gpus_per_task = gpus_per_task,
                                                       .tasks_per_node = tasks_per_node});
          nb::dict cluster;
          for (const auto& [job, tasks] : slurm.cluster_spec().as_dict()) {
            nb::list addresses;
            for (const auto& [number, address] : tasks) addresses.append(address);
            cluster[job.c_str()] = addresses;
          }
          const auto task = slurm.get_task_info();
          return nb::make_tuple(cluster, task.first, task.second, slurm.visible_gpus());
        });
      },
      nb::arg("jobs"), nb::arg("port_base"), nb::arg("gpus_per_node"), nb::arg("gpus_per_task"),
      nb::arg("tasks_per_node").none());
}

// --- processes that Horovod's interface brings together ------------------------------------------

void bind_process_group(nb::module_& m) {
  m.def("hvd_init", [] {
    building([] {
      const WithoutLock release;
      hvd::init();
    });
  });
  m.def("hvd_shutdown", [] {
    const WithoutLock release;
    hvd::shutdown();
  });
  m.def("hvd_is_initialized", &hvd::is_initialized);
  for (const auto& [name, number] :
       {std::pair{"hvd_rank", &hvd::rank}, std::pair{"hvd_size", &hvd::size},
        std::pair{"hvd_local_rank", &hvd::local_rank},
        std::pair{"hvd_local_size", &hvd::local_size}})
    m.def(name, [number = number] { return building([&] { return number(); }); });
  m.def("hvd_allreduce", [](nb::handle value, bool average, const std::string& name) {
    return in_strategy([&] {
      return give(hvd::allreduce(gradient_of(value), {.average = average, .name = name}));
    });
  });
  m.def("hvd_allgather", [](nb::handle value, const std::string& name) {
    return in_strategy([&] { return give(hvd::allgather(gradient_of(value).dense(), {name})); });
  });
  m.def("hvd_broadcast", [](nb::handle value, int root_rank, const std::string& name) {
    return in_strategy(
        [&] { return give(hvd::broadcast(gradient_of(value).dense(), root_rank, {name})); });
  });
  m.def("hvd_broadcast_global_variables", [](int root_rank) {
    return in_strategy([&] { return give(hvd::broadcast_global_variables(root_rank)); });
  });
}

}  // namespace

void bind_distribute(nb::module_& m) {
  bind_process_group(m);
  m.def("rebatched_dataset", [](DatasetObject& dataset, int parts) {
    return in_strategy([&] { return give(rebatched(dataset.dataset, parts)); });
  });
  bind_strategy(m);
  bind_kinds(m);
  bind_place(m);
  bind_slurm(m);
}

}  // namespace rill::python
