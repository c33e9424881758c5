// tf.train.Saver.
#include "saver.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "call.h"
#include "class_call.h"
#include "collections.h"
#include "kept.h"
#include "plain_values.h"
#include "protos.h"
#include "rill/api/saver/saver.h"
#include "saver_object.h"
#include "tensorflow/core/protobuf/meta_graph.pb.h"
#include "variable_scopes.h"
#include "variables.h"

namespace rill::python {
namespace {

using train::NamedToSave;
using train::Saver;
using train::ToSave;

// --- what is saved -------------------------------------------------------------------------------

Output tensor_to_save(nb::handle value) {
  if (PyCallable_Check(value.ptr()) != 0 && !is_tensor(value)) return tensor_to_save(value());
  if (is_variable(value)) return variable_of(value).value();
  if (!is_tensor(value)) type_error("Expected a Tensor to save, got ", repr_of(value));
  return tensor_object(value).output;
}

// An object of a program with specs and a method restore, as TensorFlow's SaveableObject is.
class ProgramSaveable : public train::Saveable {
 public:
  explicit ProgramSaveable(nb::handle object)
      : Saveable(str_of(object.attr("name"))), object_(keep(object)) {
    for (nb::handle spec : object.attr("specs")) {
      const Output tensor = tensor_to_save(spec.attr("tensor"));
      specs_.push_back({tensor, str_of(spec.attr("name")), str_of(spec.attr("slice_spec")),
                        base_type(tensor.dtype())});
    }
  }
  const std::vector<train::SaveSpec>& specs() const override { return specs_; }
  std::string device() const override {
    return specs_.empty() ? std::string() : specs_[0].tensor.node->device();
  }
  Node& restore(const std::vector<Output>& restored, const Inputs& shapes) override {
    nb::object given = nb::none();
    if (!shapes.empty()) {
      nb::list list;
      for (const Input& shape : shapes) list.append(give(as_tensor(shape, "shape")));
      given = list;
    }
    const nb::object result = kept(object_).attr("restore")(give(restored), given);
    if (is_operation(result)) return operation_object(result).node();
    if (result.is_none() && executing_eagerly()) return *restored.at(0).node;  // it has run
    if (is_tensor(result)) return *tensor_object(result).output.node;
    if (is_variable(result)) return *variable_of(result).handle().node;
    type_error("restore must return an Operation, got ", repr_of(result));
  }

 private:
  std::shared_ptr<void> object_;
  std::vector<train::SaveSpec> specs_;
};

bool is_saveable(nb::handle value) {
  return nb::hasattr(value, "specs") && nb::hasattr(value, "restore");
}

NamedToSave to_save_by_name(nb::handle given) {
  if (!PyDict_Check(given.ptr())) {
    if (!is_sequence(given) && !nb::isinstance<nb::set>(given) &&
        (is_variable(given) || !nb::hasattr(given, "__iter__")))
      type_error("Variables to save should be passed in a dict or a list. Got ", repr_of(given));
    std::vector<ToSave> list;
    for (nb::handle item : given) add_to_save(item, list);
    return train::named_to_save(list);
  }
  NamedToSave named;
  for (const auto& [key, value] : nb::cast<nb::dict>(given)) {
    if (!PyUnicode_Check(key.ptr()))
      type_error("names_to_saveables must be a dict mapping string names to trackable operations. ",
                 "Name is not a string: ", repr_of(key));
    if (!is_variable(value) && !is_tensor(value) && !is_sequence(value) && !is_saveable(value) &&
        (PyLong_Check(value.ptr()) || PyFloat_Check(value.ptr()) || PyUnicode_Check(value.ptr())))
      type_error(
          "names_to_saveables must be a dict mapping string names to Tensors/Variables. Not ",
          "a variable: ", repr_of(value));
    add_to_save(value, named[str_of(key)]);
  }
  return named;
}

// Objects of programs in the collections are no Saveables of C++ yet.
std::vector<ToSave> everything() {
  std::vector<ToSave> list = train::all_to_save();
  for (const char* key : {GraphKeys::GLOBAL_VARIABLES, GraphKeys::SAVEABLE_OBJECTS})
    for (const auto& object : collections_of(*default_graph()).collected<CollectedObject>(key))
      add_to_save(object->object, list);
  return list;
}

// --- Saver ---------------------------------------------------------------------------------------

train::SaverOptions saver_options(const nb::dict& given) {
  const auto flag = [&](const char* name) { return truth_of(given[name]); };
  train::SaverOptions options{
      .reshape = flag("reshape"),
      .sharded = flag("sharded"),
      .max_to_keep = small_integer_of(given["max_to_keep"]),
      .keep_checkpoint_every_n_hours = number_of(given["keep_checkpoint_every_n_hours"]),
      .name = text_or_empty(given["name"]),
      .restore_sequentially = flag("restore_sequentially"),
      .defer_build = true,
      .allow_empty = flag("allow_empty"),
      .pad_step_number = flag("pad_step_number"),
      .save_relative_paths = flag("save_relative_paths"),
      .filename = text_or_empty(given["filename"])};
  options.write_version = static_cast<tensorflow::SaverDef::CheckpointFormatVersion>(
      small_integer_of(given["write_version"]));
  if (const nb::object def = given["saver_def"]; !def.is_none())
    options.saver_def = read_message<tensorflow::SaverDef>(def);
  return options;
}

void create_saver(SaverObject* self, nb::handle var_list, const nb::dict& given) {
  building([&] {
    const train::SaverOptions options = saver_options(given);
    const bool by_list = !var_list.is_none() && !options.saver_def;
    if (executing_eagerly() && !options.saver_def) {
      if (!by_list)
        throw_python(PyExc_RuntimeError,
                     "When eager execution is enabled, `var_list` must specify a list or dict of "
                     "variables to save");
      new (self) SaverObject{std::make_shared<Saver>(train::eager_saver_options(options)),
                             train::eager_steps(to_save_by_name(var_list))};
      return;
    }
    new (self) SaverObject{by_list ? std::make_shared<Saver>(to_save_by_name(var_list), options)
                                   : std::make_shared<Saver>(options)};
  });
}

void build(SaverObject& self, bool from_graph) {
  const InCallersPlace place({});
  building([&] {
    if (from_graph && !self.eagerly) self.saver->set_to_save(train::named_to_save(everything()));
    self.saver->build();
  });
}

// Held from before the step on: that another process saves is an error of a run.
std::shared_ptr<LockFile> lock_for(const Saver& saver, const std::string& path,
                                   const train::SaverSaveOptions& options) {
  if (saver.is_empty() || !saver.saver_def()) return nullptr;
  try {
    return saver.lock_for(path, options);
  } catch (const Error& error) {
    if (error.code() != Code::kFailedPrecondition) throw;
    throw_run_error(error, nullptr);
  }
}

std::string save(SaverObject& self, nb::handle sess, const std::string& path, nb::handle step,
                 nb::handle latest_filename, const std::string& meta_graph_suffix,
                 bool write_meta_graph, bool write_state, bool strip_default_attrs) {
  train::SaverSaveOptions options{.latest_filename = text_or_empty(latest_filename),
                                  .meta_graph_suffix = meta_graph_suffix,
                                  .write_meta_graph = write_meta_graph,
                                  .write_state = write_state,
                                  .strip_default_attrs = strip_default_attrs};
  if (!step.is_none()) options.global_step = integer_of(step);
  return building([&] {
    const auto lock = lock_for(*self.saver, path, options);
    if (self.eagerly) {
      options.write_meta_graph = false;
      return self.saver->save_with(self.eagerly, *eager_graph(), path, options);
    }
    Graph& graph = *graph_object(sess.attr("graph")).graph;
    return self.saver->save_with(steps_of(sess), graph, path, options);
  });
}

nb::object export_with_saver(SaverObject& self, nb::handle filename, nb::handle collection_list,
                             bool as_text, nb::handle export_scope, bool clear_devices,
                             bool clear_extraneous_savers, bool strip_default_attrs) {
  train::SaverExportOptions options{.filename = text_or_empty(filename),
                                    .as_text = as_text,
                                    .export_scope = text_or_empty(export_scope),
                                    .clear_devices = clear_devices,
                                    .clear_extraneous_savers = clear_extraneous_savers,
                                    .strip_default_attrs = strip_default_attrs};
  if (!collection_list.is_none())
    options.collection_list = nb::cast<std::vector<std::string>>(collection_list);
  const auto def = building([&] { return self.saver->export_meta_graph(options); });
  return message_from_bytes(kMetaGraphPath, "MetaGraphDef", def.SerializeAsString());
}

nb::object saver_def(SaverObject& self) {
  if (!self.saver->saver_def()) return nb::none();
  return message_from_bytes(kSaverPath, "SaverDef", self.saver->saver_def()->SerializeAsString());
}

void bind_saver_class(nb::module_& m) {
  nb::class_<SaverObject> c(m, "SaverCore");
  c.def("__init__", create_saver, nb::arg("var_list").none(), nb::arg("options"));
  c.def("build", build);
  c.def("save", save, nb::arg("sess").none(), nb::arg("save_path"), nb::arg("global_step").none(),
        nb::arg("latest_filename").none(), nb::arg("meta_graph_suffix"),
        nb::arg("write_meta_graph"), nb::arg("write_state"), nb::arg("strip_default_attrs"));
  c.def(
      "restore",
      [](SaverObject& self, nb::handle sess, const std::string& path) {
        building(
            [&] { self.saver->restore_with(self.eagerly ? self.eagerly : steps_of(sess), path); });
      },
      nb::arg("sess").none(), nb::arg("save_path"));
  c.def("export_meta_graph", export_with_saver, nb::arg("filename").none(),
        nb::arg("collection_list").none(), nb::arg("as_text"), nb::arg("export_scope").none(),
        nb::arg("clear_devices"), nb::arg("clear_extraneous_savers"),
        nb::arg("strip_default_attrs"));
  c.def("saver_def", saver_def);
  c.def("to_proto", [](SaverObject& self, const std::string& scope) {
    return message_from_bytes(kSaverPath, "SaverDef",
                              self.saver->to_proto(scope).SerializeAsString());
  });
  c.def("is_empty", [](SaverObject& self) { return self.saver->is_empty(); });
  c.def("last_checkpoints", [](SaverObject& self) { return self.saver->last_checkpoints(); });
  c.def("set_last_checkpoints", [](SaverObject& self, const std::vector<std::string>& paths) {
    self.saver->set_last_checkpoints(paths);
  });
  c.def("set_last_checkpoints_with_time",
        [](SaverObject& self, std::vector<Saver::PathAndTime> paths) {
          self.saver->set_last_checkpoints_with_time(std::move(paths));
        });
  c.def("recover_last_checkpoints", [](SaverObject& self, const std::vector<std::string>& paths) {
    building([&] { self.saver->recover_last_checkpoints(paths); });
  });
}

}  // namespace

void add_to_save(nb::handle value, std::vector<train::ToSave>& list) {
  if (is_variable(value)) return list.push_back(variable_of(value));
  if (is_tensor(value)) return list.push_back(tensor_object(value).output);
  if (is_saveable(value))
    return list.push_back(train::SaveableRef(std::make_shared<ProgramSaveable>(value)));
  if (nb::isinstance<CollectedItem>(value))
    if (auto saveable =
            std::dynamic_pointer_cast<train::Saveable>(nb::cast<CollectedItem&>(value).item))
      return list.push_back(std::move(saveable));
  if (is_sequence(value) || nb::hasattr(value, "_partition_axes")) {
    for (nb::handle part : value) add_to_save(part, list);
    return;
  }
  type_error("Variable to save is not a Variable: ", repr_of(value));
}

train::Saver::RunStep steps_of(nb::handle sess) {
  return [sess](const std::string& what, const std::string& feed, const std::string& path) {
    nb::dict feeds;
    feeds[feed.c_str()] = path;
    const nb::object result = sess.attr("run")(what, feeds);
    if (!PyBytes_Check(result.ptr())) return std::string();
    const nb::bytes bytes(result);
    return std::string(bytes.c_str(), bytes.size());
  };
}

void bind_saver(nb::module_& m) {
  bind_saver_class(m);
  m.def("anything_to_save", [] { return building([] { return !everything().empty(); }); });
  m.def("restore_failure_text", [](int code, const std::string& message) {
    return train::restore_failure_text(static_cast<Code>(code), message);
  });
}

}  // namespace rill::python
