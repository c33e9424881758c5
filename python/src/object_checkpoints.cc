// tf.train.Checkpoint: objects of programs as checkpoints see them.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "call.h"
#include "class_call.h"
#include "kept.h"
#include "keras_optimizer_object.h"
#include "layers.h"
#include "numpy.h"
#include "optimizers.h"
#include "package.h"
#include "plain_values.h"
#include "rill/api/keras/trackable_layers.h"
#include "rill/api/lookup/mutable_tables.h"
#include "rill/api/saver/checkpoint.h"
#include "rill/api/saver/object_saver.h"
#include "rill/api/variables/new_variables.h"
#include "saver.h"
#include "variables.h"
#include "weak_self.h"

namespace rill::python {
namespace {

using train::Trackable;
using train::TrackableRef;

struct CheckpointObject {
  std::shared_ptr<train::Checkpoint> checkpoint;
};
struct ObjectSaverObject {
  std::shared_ptr<train::ObjectSaver> saver;
};
struct StatusObject {
  train::LoadStatusRef status;
};
struct ManagerObject {
  std::shared_ptr<train::CheckpointManager> manager;
};

TrackableRef trackable_of(nb::handle object);

// Any other object: Python says which parts it has.
class ProgramObject : public Trackable {
 public:
  explicit ProgramObject(nb::handle object) : held_(keep(object)), identity_(object.ptr()) {}
  // One that owns what holds this, and may be gone.
  explicit ProgramObject(const WeakSelf& owner) : owner_(owner), identity_(owner.get().ptr()) {}

  const void* identity() const override { return identity_; }
  std::string describe() const override { return repr_of(object()); }
  bool is_container() const override {
    return is_sequence(object()) || PyDict_Check(object().ptr());
  }
  std::vector<Child> children() override {
    std::vector<Child> all;
    const nb::object self = object();
    if (self.is_none()) return all;
    const nb::object found = package::children(self);
    for (nb::handle item : found)
      all.push_back({str_of(item[0]), trackable_of(nb::object(item[1]))});
    return all;
  }
  std::vector<train::TrackedValue> values() override {
    const nb::object self = object();
    if (nb::hasattr(self, "_saveable_for_checkpoint")) return {state_in_tensors(self)};
    if (self.is_none() || !truth_of(package::is_python_state(self))) return {};
    const auto held = keep(self);
    return {{.name = "py_state",
             .write =
                 [held] {
                   const nb::object text = kept(held).attr("serialize")();
                   if (PyUnicode_Check(text.ptr())) return str_of(text);
                   const nb::bytes bytes(text);
                   return std::string(bytes.c_str(), bytes.size());
                 },
             .read =
                 [held](const std::string& text) {
                   kept(held).attr("deserialize")(bytes_object(text));
                 }}};
  }

 private:
  // Of an iterator: where it is.
  static train::TrackedValue state_in_tensors(nb::handle self) {
    return {.name = "ITERATOR", .tensors = [held = keep(self)](const std::string& key) {
              std::vector<train::ToSave> list;
              add_to_save(kept(held).attr("_saveable_for_checkpoint")(key), list);
              return std::get<train::SaveableRef>(list.at(0));
            }};
  }
  nb::object object() const { return owner_ ? owner_->get() : kept(held_); }

  std::shared_ptr<void> held_;
  std::optional<WeakSelf> owner_;
  const void* identity_;
};

TrackableRef trackable_of(nb::handle object) {
  if (is_variable(object)) return train::as_trackable(variable_of(object));
  if (nb::isinstance<lookup::MutableTable>(object)) {
    auto* table = nb::cast<lookup::MutableTable*>(object);
    return train::as_trackable(std::shared_ptr<lookup::MutableTable>(keep(object), table));
  }
  if (nb::hasattr(object, "_core")) {
    const nb::object core = object.attr("_core");
    if (nb::isinstance<CheckpointObject>(core))
      return nb::cast<CheckpointObject&>(core).checkpoint->trackable();
    if (nb::isinstance<OptimizerObject>(core))
      return train::as_trackable(nb::cast<OptimizerObject&>(core).optimizer);
    if (nb::isinstance<KerasOptimizerObject>(core))
      return keras::as_trackable(nb::cast<KerasOptimizerObject&>(core).optimizer);
  }
  return std::make_shared<ProgramObject>(object);
}

// Steps of whatever object of the program has a `run`.
train::RunSteps run_steps_of(nb::handle sess) {
  return [session = nb::borrow(sess)](const auto& feeds, const auto& fetches, const auto& targets) {
    nb::dict fed;
    for (const auto& [name, value] : feeds) fed[name.c_str()] = numpy_from_tensor(value.clone());
    nb::list wanted;
    for (const std::string& name : fetches) wanted.append(name);
    for (const std::string& name : targets) wanted.append(name);
    const nb::object results = session.attr("run")(wanted, fed);
    std::vector<Tensor> values;
    for (std::size_t i = 0; i < fetches.size(); ++i)
      values.push_back(tensor_from_value(nb::object(results[i]), DType::invalid));
    return values;
  };
}

// What is made belongs to the session's graph.
template <class Run>
auto in_session(nb::handle sess, Run run) {
  const AsDefault graph(sess.is_none() ? eager_graph() : graph_object(sess.attr("graph")).graph);
  const InCallersPlace place({});
  return building([&] { return run(sess.is_none() ? train::RunSteps() : run_steps_of(sess)); });
}

StatusObject restored(train::LoadStatusRef status) { return {std::move(status)}; }

std::optional<std::string> optional_path(nb::handle path) {
  if (path.is_none()) return {};
  return str_of(path);
}

void bind_status(nb::module_& m) {
  nb::class_<StatusObject> c(m, "LoadStatusCore");
  c.def("unconsumed",
        [](StatusObject& o) { return building([&] { return o.status->unconsumed(); }); });
  c.def("unmatched",
        [](StatusObject& o) { return building([&] { return o.status->unmatched(); }); });
  c.def("trivial", [](StatusObject& o) { return building([&] { return o.status->trivial(); }); });
  c.def(
      "run_restore_ops",
      [](StatusObject& o, nb::handle sess) {
        in_session(sess, [&](const train::RunSteps& run) { o.status->run_restore_ops(run); });
      },
      nb::arg("sess").none());
  c.def(
      "run_new_restore_ops",
      [](StatusObject& o, nb::handle sess) {
        in_session(sess, [&](const train::RunSteps& run) { o.status->run_new_restore_ops(run); });
      },
      nb::arg("sess").none());
  c.def(
      "initialize_or_restore",
      [](StatusObject& o, nb::handle sess) {
        in_session(sess, [&](const train::RunSteps& run) { o.status->initialize_or_restore(run); });
      },
      nb::arg("sess").none());
}

void bind_savers(nb::module_& m) {
  nb::class_<CheckpointObject> c(m, "CheckpointCore");
  c.def("__init__", [](CheckpointObject* self, nb::handle owner) {
    new (self) CheckpointObject{
        std::make_shared<train::Checkpoint>(std::make_shared<ProgramObject>(WeakSelf(owner)))};
  });
  c.def(
      "save",
      [](CheckpointObject& o, nb::handle sess, const std::string& prefix) {
        return in_session(sess, [&](const auto& run) { return o.checkpoint->save(run, prefix); });
      },
      nb::arg("sess").none(), nb::arg("prefix"));
  c.def(
      "write",
      [](CheckpointObject& o, nb::handle sess, const std::string& path) {
        return in_session(sess, [&](const auto& run) { return o.checkpoint->write(run, path); });
      },
      nb::arg("sess").none(), nb::arg("path"));
  c.def(
      "restore",
      [](CheckpointObject& o, nb::handle path) {
        const InCallersPlace place({});
        return building([&] { return restored(o.checkpoint->restore(optional_path(path))); });
      },
      nb::arg("path").none());
  c.def("save_counter", [](CheckpointObject& o) {
    const InCallersPlace place({});
    return building([&] { return give(o.checkpoint->save_counter()); });
  });

  nb::class_<ObjectSaverObject> s(m, "ObjectSaverCore");
  s.def("__init__", [](ObjectSaverObject* self, nb::handle owner) {
    new (self) ObjectSaverObject{
        std::make_shared<train::ObjectSaver>(std::make_shared<ProgramObject>(WeakSelf(owner)))};
  });
  s.def(
      "save",
      [](ObjectSaverObject& o, nb::handle sess, const std::string& path) {
        return in_session(sess, [&](const auto& run) { return o.saver->save(run, path); });
      },
      nb::arg("sess").none(), nb::arg("path"));
  s.def("restore", [](ObjectSaverObject& o, const std::string& path) {
    const InCallersPlace place({});
    return building([&] { return restored(o.saver->restore(path)); });
  });
}

void bind_manager(nb::module_& m) {
  nb::class_<ManagerObject> c(m, "CheckpointManagerCore");
  c.def(
      "__init__",
      [](ManagerObject* self, CheckpointObject& checkpoint, const std::string& directory,
         std::optional<int> max_to_keep, std::optional<double> every_n_hours,
         const std::string& name) {
        building([&] {
          new (self) ManagerObject{std::make_shared<train::CheckpointManager>(
              checkpoint.checkpoint, directory,
              train::CheckpointManagerOptions{max_to_keep, every_n_hours, name})};
        });
      },
      nb::arg("checkpoint"), nb::arg("directory"), nb::arg("max_to_keep").none(),
      nb::arg("keep_checkpoint_every_n_hours").none(), nb::arg("checkpoint_name"));
  c.def(
      "save",
      [](ManagerObject& o, nb::handle sess, std::optional<std::int64_t> number) {
        return in_session(sess, [&](const auto& run) { return o.manager->save(run, number); });
      },
      nb::arg("sess").none(), nb::arg("checkpoint_number").none());
  c.def("latest_checkpoint", [](ManagerObject& o) { return o.manager->latest_checkpoint(); });
  c.def("checkpoints", [](ManagerObject& o) { return o.manager->checkpoints(); });
}

}  // namespace

void bind_object_checkpoints(nb::module_& m) {
  bind_status(m);
  bind_savers(m);
  bind_manager(m);
  // (key, variable) of all below an object.
  m.def("object_variables", [](nb::handle root) {
    nb::list all;
    for (const train::TrackedObject& item : train::objects_below(trackable_of(root)))
      if (const Variable variable = item.object->variable())
        all.append(
            nb::make_tuple(train::object_key(item.path, train::kVariableValue), give(variable)));
    return all;
  });
  m.def("notice_new_variables", [] { building([] { notice_new_variables(); }); });
  m.def("named_weights", [](nb::handle layer) {
    nb::list all;
    for (const auto& [name, variable] : layers::named_weights(*layer_of(layer)))
      all.append(nb::make_tuple(name, give(variable)));
    return all;
  });
}

}  // namespace rill::python
