#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include "call.h"
#include "errors.h"
#include "feeds.h"
#include "kept.h"
#include "package.h"
#include "program_error.h"
#include "protos.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/core/default_graph.h"
#include "rill/runtime/session/config.h"
#include "saver_object.h"
#include "session.h"
#include "tensorflow/core/protobuf/config.pb.h"
#include "train_inputs.h"
#include "training.h"

namespace rill::python {
namespace {

using train::Scaffold;
using train::ScaffoldOptions;

GraphObject& default_graph_object() { return graph_object(wrap(default_graph())); }

// The scaffold behind a program's one, whose class may have a finalize of its own.
class ProgramScaffold : public Scaffold {
 public:
  ProgramScaffold(ScaffoldOptions parts, nb::handle reference)
      : Scaffold(std::move(parts)), reference_(keep(reference)) {}

  Scaffold& finalize() override {
    in_program([&] { program().attr("finalize")(); });
    return *this;
  }
  void complete() { Scaffold::finalize(); }
  void set_restorer(train::Restorer restorer) { parts_.restorer = std::move(restorer); }
  nb::object program() const { return kept(reference_)(); }

 private:
  std::shared_ptr<void> reference_;  // a weakref.ref
};

std::shared_ptr<train::Saver> core_saver(nb::handle saver) {
  if (saver.is_none()) return nullptr;
  if (!nb::hasattr(saver, "_core") || !nb::isinstance<SaverObject>(saver.attr("_core")))
    type_error("saver must be a tf.train.Saver, got ", repr_of(saver));
  return nb::cast<SaverObject&>(saver.attr("_core")).saver;
}

ScaffoldOptions scaffold_parts(const nb::dict& given, nb::handle reference) {
  ScaffoldOptions parts{
      .init_op = optional_runnable(given["init_op"]),
      .init_feed_dict = feeds_of(given["init_feed_dict"]),
      .ready_op = optional_runnable(given["ready_op"]),
      .ready_for_local_init_op = optional_runnable(given["ready_for_local_init_op"]),
      .local_init_op = optional_runnable(given["local_init_op"]),
      .local_init_feed_dict = feeds_of(given["local_init_feed_dict"]),
      .saver = core_saver(given["saver"])};
  if (const train::Runnable summary = optional_runnable(given["summary_op"]))
    parts.summary_op = summary.tensor();
  if (!nb::object(given["init_fn"]).is_none())
    parts.init_fn = [scaffold = keep(reference)](const Scaffold&, Session& session) {
      in_program([&] { kept(scaffold)().attr("init_fn")(python_session(session)); });
    };
  return parts;
}

nb::object saver_of(const Scaffold& scaffold) {
  if (!scaffold.saver()) return nb::none();
  return nb::cast(SaverObject{scaffold.saver()});
}

}  // namespace

train::Runnable optional_runnable(nb::handle value) {
  if (value.is_none()) return {};
  if (PyUnicode_Check(value.ptr())) {
    const Output found = graph_element(default_graph_object(), value, true, true);
    return found.index == kOperation ? train::Runnable(*found.node) : train::Runnable(found);
  }
  if (!PyList_Check(value.ptr()) && !PyTuple_Check(value.ptr())) return runnable_of(value);
  std::vector<Node*> nodes;
  for (nb::handle item : value) {
    if (item.is_none()) type_error("Expected an Operation or a Tensor, got None");
    nodes.push_back(&optional_runnable(item).node());
  }
  const InCallersPlace place({});
  return building([&]() -> train::Runnable { return group(nodes); });
}

std::vector<Feed> feeds_of(nb::handle feed_dict) {
  std::vector<Feed> feeds;
  for (const FedValue& fed : feed_pairs(default_graph_object(), feed_dict))
    feeds.push_back({fed.target, feed_value(fed.target, fed.given)});
  return feeds;
}

RunOptions run_options_of(nb::handle options) {
  return options.is_none() ? RunOptions()
                           : run_options(read_message<tensorflow::RunOptions>(options));
}

train::Restorer restorer_of(nb::handle saver) {
  train::Restorer restorer;
  if (saver.is_none()) return restorer;
  const auto program = keep(saver);
  restorer.restore = [program](Session& session, const std::string& path) {
    in_program([&] { kept(program).attr("restore")(python_session(session), path); });
  };
  restorer.recover_last_checkpoints = [program](const std::vector<std::string>& paths) {
    in_program([&] {
      nb::list list;
      for (const std::string& path : paths) list.append(path);
      kept(program).attr("recover_last_checkpoints")(list);
    });
  };
  return restorer;
}

train::ScaffoldRef scaffold_of(nb::handle scaffold) {
  if (scaffold.is_none()) return nullptr;
  if (!nb::hasattr(scaffold, "_core")) type_error("Expected a Scaffold, got ", repr_of(scaffold));
  return {keep(scaffold), &nb::cast<Scaffold&>(scaffold.attr("_core"))};
}

nb::object python_scaffold(const train::ScaffoldRef& scaffold) {
  if (!scaffold) return nb::none();
  if (const auto* known = dynamic_cast<const ProgramScaffold*>(scaffold.get()))
    return known->program();
  return package::scaffold_around(nb::cast(scaffold));
}

void bind_scaffold(nb::module_& m) {
  nb::class_<Scaffold> base(m, "ScaffoldBase");
  base.def("init_op", [](Scaffold& self) { return give_or_none(self.parts().init_op); });
  base.def("ready_op", [](Scaffold& self) { return give_or_none(self.parts().ready_op); });
  base.def("ready_for_local_init_op",
           [](Scaffold& self) { return give_or_none(self.parts().ready_for_local_init_op); });
  base.def("local_init_op", [](Scaffold& self) { return give_or_none(self.local_init_op()); });
  base.def("summary_op", [](Scaffold& self) {
    return self.summary_op().node ? give(self.summary_op()) : nb::none();
  });
  base.def("saver", saver_of);
  base.def("complete", [](Scaffold& self) {
    const InCallersPlace place({});
    building([&] { self.finalize(); });
  });

  nb::class_<ProgramScaffold, Scaffold> c(m, "ScaffoldCore");
  c.def("__init__", [](ProgramScaffold* self, const nb::dict& parts, nb::handle reference) {
    new (self) ProgramScaffold(scaffold_parts(parts, reference), reference);
  });
  c.def("complete", [](ProgramScaffold& self) {
    const InCallersPlace place({});
    building([&] { self.complete(); });
  });
  c.def("set_restorer",
        [](ProgramScaffold& self, nb::handle saver) { self.set_restorer(restorer_of(saver)); });
  m.def("default_local_init_op", [] {
    const InCallersPlace place({});
    return building([] { return give(Scaffold::default_local_init_op()); });
  });

  auto& face = train::session_face();
  face.find_or_make_saver = [] {
    return in_program([] { return core_saver(package::saver_or_default()); });
  };
}

}  // namespace rill::python
