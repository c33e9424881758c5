#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include "class_call.h"
#include "hooks.h"
#include "keep_graph.h"
#include "package.h"
#include "plain_values.h"
#include "program_error.h"
#include "protos.h"
#include "queues.h"
#include "rill/api/training/session_face.h"
#include "session.h"
#include "tensorflow/core/protobuf/queue_runner.pb.h"
#include "train_inputs.h"
#include "truth.h"

namespace rill::python {

nb::object give(const train::Runnable& runnable) {
  return runnable.is_operation() ? give(runnable.node()) : give(runnable.tensor());
}

train::Runnable runnable_of(nb::handle value) {
  if (is_operation(value)) return operation_object(value).node();
  if (is_tensor(value)) return tensor_object(value).output;
  if (nb::hasattr(value, "op")) return runnable_of(value.attr("op"));  // a variable
  type_error("Expected an Operation or a Tensor, got ", repr_of(value));
}

nb::object give(const std::shared_ptr<train::QueueRunner>& runner) {
  return keep_graph(nb::cast(runner), runner->queue_node().node());
}

namespace {

using train::QueueRunner;

constexpr const char* kProtoPath = "tensorflow/core/protobuf/queue_runner.proto";

std::vector<Code> codes_of(nb::handle types) {
  const nb::object op_error = package::op_error.get();
  const auto bad = [&] {
    type_error(
        "queue_closed_exception_types, when provided, must be a tuple of tf.error types, but saw: ",
        repr_of(types));
  };
  std::vector<Code> codes;
  if (!PyTuple_Check(types.ptr()) || nb::len(types) == 0) bad();
  for (nb::handle type : types) {
    if (!PyType_Check(type.ptr()) || PyObject_IsSubclass(type.ptr(), op_error.ptr()) != 1) bad();
    codes.push_back(static_cast<Code>(small_integer_of(package::error_code_of(type))));
  }
  return codes;
}

nb::tuple exception_types_of(const std::vector<Code>& codes) {
  nb::list types;
  for (const Code code : codes) types.append(package::error_class_of(static_cast<int>(code)));
  return nb::tuple(types);
}

void create_queue_runner(QueueRunner* self, nb::handle queue, nb::handle enqueue_ops,
                         nb::handle close_op, nb::handle cancel_op, nb::handle closed_types,
                         nb::handle def, nb::handle scope) {
  if (!def.is_none()) {
    if (truth_of(queue) || truth_of(enqueue_ops))
      value_error("queue_runner_def and queue are mutually exclusive.");
    building([&] {
      new (self) QueueRunner(read_message<tensorflow::QueueRunnerDef>(def), text_or_empty(scope));
    });
    keep_graph(self, self->queue_node().node());
    return;
  }
  if (!truth_of(queue) || !truth_of(enqueue_ops))
    value_error("Must provide queue and enqueue_ops.");
  train::QueueRunnerOptions options;
  if (!close_op.is_none()) options.close_op = runnable_of(close_op);
  if (!cancel_op.is_none()) options.cancel_op = runnable_of(cancel_op);
  if (!closed_types.is_none()) options.queue_closed_codes = codes_of(closed_types);
  std::vector<train::Runnable> ops;
  for (nb::handle op : enqueue_ops) ops.push_back(runnable_of(op));
  auto& base = nb::cast<queue::QueueBase&>(queue);
  nb::object ref = give(base.queue_ref());
  PyObject* const seen[] = {ref.ptr()};
  const InCallersPlace place(seen);
  building([&] { new (self) QueueRunner(base, std::move(ops), std::move(options)); });
  keep_graph(self, self->queue_node().node());
}

nb::object queue_of(QueueRunner& self) {
  return self.queue() ? give(*self.queue()) : give(self.queue_node());
}

nb::list raised(QueueRunner& self) {
  nb::list list;
  for (const std::exception_ptr& error : self.exceptions_raised()) {
    try {
      std::rethrow_exception(error);
    } catch (const ProgramError& known) {
      list.append(known.exception());
    } catch (const std::exception& other) {
      list.append(package::unknown_error(nb::none(), nb::none(), other.what()));
    }
  }
  return list;
}

nb::object runner_to_proto(QueueRunner& self, nb::handle export_scope) {
  const auto def = self.to_proto(text_or_empty(export_scope));
  if (!def) return nb::none();
  return message_from_bytes(kProtoPath, "QueueRunnerDef", def->SerializeAsString());
}

nb::object runner_from_proto(nb::handle def, nb::handle scope) {
  return give(building([&] {
    return std::make_shared<QueueRunner>(read_message<tensorflow::QueueRunnerDef>(def),
                                         text_or_empty(scope));
  }));
}

// Threads of Python run Python's sessions; rill._queue_runners has them.
nb::object create_threads(nb::object self, nb::object sess, nb::object coord, nb::object daemon,
                          nb::object start) {
  return package::create_threads(self, sess, coord, daemon, start);
}

}  // namespace

void bind_queue_runners(nb::module_& m) {
  nb::class_<QueueRunner> c(m, "QueueRunner", nb::dynamic_attr());
  c.doc() = "A queue and the operations that fill it, each in a thread of its own.";
  c.def("__init__", create_queue_runner, nb::arg("queue") = nb::none(),
        nb::arg("enqueue_ops") = nb::none(), nb::arg("close_op") = nb::none(),
        nb::arg("cancel_op") = nb::none(), nb::arg("queue_closed_exception_types") = nb::none(),
        nb::arg("queue_runner_def") = nb::none(), nb::arg("import_scope") = nb::none());
  c.def_prop_ro("queue", queue_of);
  c.def_prop_ro("name", [](QueueRunner& self) { return self.name(); });
  c.def_prop_ro("enqueue_ops", [](QueueRunner& self) {
    nb::list ops;
    for (const train::Runnable& op : self.enqueue_ops()) ops.append(give(op));
    return ops;
  });
  c.def_prop_ro("close_op", [](QueueRunner& self) { return give(self.close_op()); });
  c.def_prop_ro("cancel_op", [](QueueRunner& self) { return give(self.cancel_op()); });
  c.def_prop_ro("queue_closed_exception_types",
                [](QueueRunner& self) { return exception_types_of(self.queue_closed_codes()); });
  c.def_prop_ro("exceptions_raised", raised);
  c.def("to_proto", runner_to_proto, nb::arg("export_scope") = nb::none());
  c.def_static("from_proto", runner_from_proto, nb::arg("queue_runner_def"),
               nb::arg("import_scope") = nb::none());
  c.def("create_threads", create_threads, nb::arg("sess"), nb::arg("coord") = nb::none(),
        nb::arg("daemon") = false, nb::arg("start") = false);
  train::session_face().start_queue_runners = [](Session& session, train::Coordinator& coord) {
    in_program(
        [&] { package::start_queue_runners(python_session(session), python_coordinator(coord)); });
    return std::vector<train::ThreadRef>();  // Python's threads own what they use
  };
  c.def("_begin", [](QueueRunner& self, nb::handle sess) { return self.begin(sess.ptr()); });
  c.def("_end", [](QueueRunner& self, nb::handle sess) { return self.end(sess.ptr()); });
  c.def("_failed", [](QueueRunner& self, nb::handle exception) {
    self.add_exception(std::make_exception_ptr(ProgramError(exception)));
  });
}

}  // namespace rill::python
