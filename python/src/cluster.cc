#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>

#include "call.h"
#include "interpreter_lock.h"
#include "rill/cluster/remote_session.h"
#include "rill/cluster/server.h"
#include "tensorflow/core/protobuf/tensorflow_server.pb.h"
#include "train_inputs.h"

namespace rill::python {
namespace {

std::unique_ptr<cluster::Server> server_of(const nb::bytes& def) {
  tensorflow::ServerDef message;
  require(message.ParseFromArray(def.c_str(), static_cast<int>(def.size())),
          "The server's definition is no ServerDef");
  const WithoutLock release;
  return cluster::Server::create(message);
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
  c.def(nb::new_(&server_of), nb::arg("server_def"));
  c.def("start", &cluster::Server::start);
  c.def("stop", [](cluster::Server& server) {
    const WithoutLock release;
    server.stop();
  });
  c.def("join", join);
  c.def_prop_ro("target", [](cluster::Server& server) { return server.target(); });
}

}  // namespace rill::python
