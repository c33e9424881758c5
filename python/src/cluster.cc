#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>

#include "call.h"
#include "interpreter_lock.h"
#include "rill/cluster/remote_session.h"
#include "rill/cluster/server.h"
#include "rill/cluster/status.h"
#include "tensorflow/core/protobuf/tensorflow_server.pb.h"
#include "train_inputs.h"

namespace rill::python {
namespace {

std::unique_ptr<cluster::Server> server_of(const nb::bytes& def,
                                           const std::map<std::string, std::string>& options) {
  tensorflow::ServerDef message;
  require(message.ParseFromArray(def.c_str(), static_cast<int>(def.size())),
          "The server's definition is no ServerDef");
  cluster::TaskOptions task;
  const std::map<std::string, std::string*> fields{{"certificate", &task.security.certificate},
                                                   {"key", &task.security.key},
                                                   {"authority", &task.security.authority},
                                                   {"token", &task.security.token},
                                                   {"refuse", &task.ops.refuse},
                                                   {"allow", &task.ops.allow}};
  for (const auto& [name, value] : options) {
    const auto field = fields.find(name);
    require(field != fields.end(), "A server takes certificate, key, authority, token, refuse and ",
            "allow, and not ", name);
    *field->second = value;
  }
  const WithoutLock release;
  return cluster::Server::create(message, task);
}

// Interrupts are looked for now and then.
void join(cluster::Server& server) {
  constexpr std::int64_t kPauseMillis = 200;
  for (;;) {
    {
      const WithoutLock release;
      if (server.join_for(kPauseMillis)) return;
    }
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
  }
}

}  // namespace

void bind_cluster(nb::module_& m) {
  cluster::register_remote_sessions();
  nb::class_<cluster::Server> c(m, "ClusterServer");
  c.def(nb::new_(&server_of), nb::arg("server_def"), nb::arg("options"));
  c.def("start", &cluster::Server::start);
  c.def("stop", [](cluster::Server& server) {
    const WithoutLock release;
    server.stop();
  });
  c.def("join", join);
  m.def("cluster_status", [](const std::string& target) {
    const WithoutLock release;
    return cluster::cluster_status(target);
  });
  c.def_prop_ro("target", [](cluster::Server& server) { return server.target(); });
}

}  // namespace rill::python
