// tf.train.Saver and the functions over checkpoints.
#include "saver.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "call.h"
#include "class_call.h"
#include "collections.h"
#include "kept.h"
#include "numpy.h"
#include "protos.h"
#include "rill/api/saver/checkpoint_state.h"
#include "rill/api/saver/checkpoint_utils.h"
#include "rill/api/saver/saver.h"
#include "saver_object.h"
#include "variable_scopes.h"
#include "variables.h"

namespace rill::python {
namespace {

using train::NamedToSave;
using train::Saver;
using train::ToSave;

constexpr const char* kSaverPath = "tensorflow/core/protobuf/saver.proto";
constexpr const char* kMetaGraphPath = "tensorflow/core/protobuf/meta_graph.proto";
constexpr const char* kStatePath = "tensorflow/python/training/checkpoint_state.proto";

// --- what is saved -------------------------------------------------------------------------------

Output tensor_of(nb::handle value) {
  if (PyCallable_Check(value.ptr()) != 0 && !is_tensor(value)) return tensor_of(value());
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
      const Output tensor = tensor_of(spec.attr("tensor"));
      specs_.push_back({tensor, str_of(spec.attr("name")), str_of(spec.attr("slice_spec")),
                        base_type(tensor.dtype())});
    }
  }
  const std::vector<train::SaveSpec>& specs() const override { return specs_; }
  std::string device() const override {
    return specs_.empty() ? std::string() : specs_[0].tensor.node->device();
  }
  Node& restore(const std::vector<Output>& restored, const std::vector<Input>& shapes) override {
    nb::object given = nb::none();
    if (!shapes.empty()) {
      nb::list list;
      for (const Input& shape : shapes) list.append(give(as_tensor(shape, "shape")));
      given = list;
    }
    const nb::object result = kept(object_).attr("restore")(give(restored), given);
    if (is_operation(result)) return operation_object(result).node();
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

void add_to_save(nb::handle value, std::vector<ToSave>& list) {
  if (is_variable(value)) return list.push_back(variable_of(value));
  if (is_tensor(value)) return list.push_back(tensor_object(value).output);
  if (is_saveable(value))
    return list.push_back(train::SaveableRef(std::make_shared<ProgramSaveable>(value)));
  if (is_sequence(value) || nb::hasattr(value, "_partition_axes")) {
    for (nb::handle part : value) add_to_save(part, list);
    return;
  }
  type_error("Variable to save is not a Variable: ", repr_of(value));
}

NamedToSave named_of(nb::handle given) {
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

train::SaverOptions options_of(const nb::dict& given) {
  const auto flag = [&](const char* name) { return nb::cast<bool>(nb::bool_(given[name])); };
  train::SaverOptions options{
      .reshape = flag("reshape"),
      .sharded = flag("sharded"),
      .max_to_keep = nb::cast<int>(given["max_to_keep"]),
      .keep_checkpoint_every_n_hours = nb::cast<double>(given["keep_checkpoint_every_n_hours"]),
      .name = text_or_empty(given["name"]),
      .restore_sequentially = flag("restore_sequentially"),
      .defer_build = true,
      .allow_empty = flag("allow_empty"),
      .pad_step_number = flag("pad_step_number"),
      .save_relative_paths = flag("save_relative_paths"),
      .filename = text_or_empty(given["filename"])};
  options.write_version = static_cast<tensorflow::SaverDef::CheckpointFormatVersion>(
      nb::cast<int>(given["write_version"]));
  if (const nb::object def = given["saver_def"]; !def.is_none())
    options.saver_def = read_message<tensorflow::SaverDef>(def);
  return options;
}

void create(SaverObject* self, nb::handle var_list, const nb::dict& given) {
  building([&] {
    const train::SaverOptions options = options_of(given);
    const bool by_list = !var_list.is_none() && !options.saver_def;
    new (self) SaverObject{by_list ? std::make_shared<Saver>(named_of(var_list), options)
                                   : std::make_shared<Saver>(options)};
  });
}

void build(SaverObject& self, bool from_graph) {
  const InCallersPlace place({});
  building([&] {
    if (from_graph) self.saver->set_to_save(train::named_to_save(everything()));
    self.saver->build();
  });
}

std::string save(SaverObject& self, nb::handle sess, const std::string& path, nb::handle step,
                 nb::handle latest_filename, const std::string& meta_graph_suffix,
                 bool write_meta_graph, bool write_state, bool strip_default_attrs) {
  train::SaverSaveOptions options{.latest_filename = text_or_empty(latest_filename),
                                  .meta_graph_suffix = meta_graph_suffix,
                                  .write_meta_graph = write_meta_graph,
                                  .write_state = write_state,
                                  .strip_default_attrs = strip_default_attrs};
  if (!step.is_none()) options.global_step = nb::cast<std::int64_t>(step);
  return building([&] {
    Graph& graph = *graph_object(sess.attr("graph")).graph;
    return self.saver->save_with(steps_of(sess), graph, path, options);
  });
}

nb::object export_graph(SaverObject& self, nb::handle filename, nb::handle collection_list,
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
  c.def("__init__", create, nb::arg("var_list").none(), nb::arg("options"));
  c.def("build", build);
  c.def("save", save, nb::arg("sess"), nb::arg("save_path"), nb::arg("global_step").none(),
        nb::arg("latest_filename").none(), nb::arg("meta_graph_suffix"),
        nb::arg("write_meta_graph"), nb::arg("write_state"), nb::arg("strip_default_attrs"));
  c.def("restore", [](SaverObject& self, nb::handle sess, const std::string& path) {
    building([&] { self.saver->restore_with(steps_of(sess), path); });
  });
  c.def("export_meta_graph", export_graph, nb::arg("filename").none(),
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

// --- checkpoints ---------------------------------------------------------------------------------

train::ToInitialize to_initialize(nb::handle value) {
  if (PyUnicode_Check(value.ptr())) return str_of(value);
  std::vector<ToSave> list;
  add_to_save(value, list);
  std::vector<Variable> variables;
  for (const ToSave& item : list) {
    if (!std::holds_alternative<Variable>(item))
      type_error("Expected a Variable, got ", repr_of(value));
    variables.push_back(std::get<Variable>(item));
  }
  return variables;
}

constexpr Function kFunctions[] = {
    {"train.latest_checkpoint(checkpoint_dir, latest_filename=None)",
     [](const Call& c) -> nb::object {
       const auto path =
           train::latest_checkpoint(c.text("checkpoint_dir"), c.text("latest_filename"));
       return path ? nb::cast(*path) : nb::none();
     },
     "The newest checkpoint of a directory, or None."},
    {"train.get_checkpoint_state(checkpoint_dir, latest_filename=None)",
     [](const Call& c) -> nb::object {
       const auto state =
           train::get_checkpoint_state(c.text("checkpoint_dir"), c.text("latest_filename"));
       if (!state) return nb::none();
       return message_from_bytes(kStatePath, "CheckpointState", state->SerializeAsString());
     },
     "What the state file of a directory says, or None."},
    {"train.update_checkpoint_state(save_dir, model_checkpoint_path, "
     "all_model_checkpoint_paths=None, latest_filename=None, all_model_checkpoint_timestamps=None, "
     "last_preserved_timestamp=None)",
     [](const Call& c) -> nb::object {
       train::CheckpointStateOptions options{.latest_filename = c.text("latest_filename")};
       if (c.has("all_model_checkpoint_paths"))
         options.all_model_checkpoint_paths =
             nb::cast<std::vector<std::string>>(c["all_model_checkpoint_paths"]);
       if (c.has("all_model_checkpoint_timestamps"))
         options.all_model_checkpoint_timestamps =
             nb::cast<std::vector<double>>(c["all_model_checkpoint_timestamps"]);
       if (c.has("last_preserved_timestamp"))
         options.last_preserved_timestamp = c.number("last_preserved_timestamp");
       train::update_checkpoint_state(c.text("save_dir"), c.text("model_checkpoint_path"), options);
       return nb::none();
     },
     "Writes the state file of a directory."},
    {"train.checkpoint_exists(checkpoint_prefix)",
     [](const Call& c) -> nb::object {
       return nb::cast(train::checkpoint_exists(c.text("checkpoint_prefix")));
     },
     "Whether there is a checkpoint of that name, of either format."},
    {"train.get_checkpoint_mtimes(checkpoint_prefixes)",
     [](const Call& c) -> nb::object {
       return nb::cast(train::get_checkpoint_mtimes(
           nb::cast<std::vector<std::string>>(c["checkpoint_prefixes"])));
     },
     "When the checkpoints were written, in seconds."},
    {"train.remove_checkpoint(checkpoint_prefix, checkpoint_format_version=2, "
     "meta_graph_suffix='meta')",
     [](const Call& c) -> nb::object {
       train::remove_checkpoint(c.text("checkpoint_prefix"),
                                static_cast<int>(c.integer("checkpoint_format_version")),
                                c.text("meta_graph_suffix"));
       return nb::none();
     },
     "Deletes the files of a checkpoint."},
    {"train.list_variables(ckpt_dir_or_file)",
     [](const Call& c) -> nb::object {
       nb::list list;
       for (const auto& [name, shape] : train::list_variables(c.text("ckpt_dir_or_file"))) {
         nb::list dims;
         for (const std::int64_t dim : shape.dims()) dims.append(dim);
         list.append(nb::make_tuple(name, dims));
       }
       return list;
     },
     "Names and shapes of the tensors of a checkpoint."},
    {"train.load_variable(ckpt_dir_or_file, name)",
     [](const Call& c) -> nb::object {
       return numpy_from_tensor(train::load_variable(c.text("ckpt_dir_or_file"), c.text("name")));
     },
     "The value of one tensor of a checkpoint."},
    {"train.init_from_checkpoint(ckpt_dir_or_file, assignment_map)",
     [](const Call& c) -> nb::object {
       std::vector<std::pair<std::string, train::ToInitialize>> map;
       for (const auto& [key, value] : nb::cast<nb::dict>(c["assignment_map"]))
         map.emplace_back(str_of(key), to_initialize(value));
       train::init_from_checkpoint(c.text("ckpt_dir_or_file"), map);
       return nb::none();
     },
     "Makes variables start with the values of a checkpoint."},
};

// Reading a checkpoint fails as a step does: with the error of its code.
template <class F>
auto reading(F&& f) {
  try {
    return f();
  } catch (const Error& error) {
    throw_run_error(error, nullptr);
  }
}

void bind_checkpoint_reader(nb::module_& m) {
  nb::class_<CheckpointReader> c(m, "CheckpointReader");
  c.attr("__doc__") = "The tensors of a checkpoint.";
  c.def("get_variable_to_shape_map", [](const CheckpointReader& self) {
    nb::dict map;
    for (const auto& [name, stored] : self.tensors()) {
      nb::list dims;
      for (const std::int64_t dim : stored.shape.dims()) dims.append(dim);
      map[name.c_str()] = dims;
    }
    return map;
  });
  c.def("get_variable_to_dtype_map", [](const CheckpointReader& self) {
    nb::dict map;
    for (const auto& [name, stored] : self.tensors())
      map[name.c_str()] = dtype_object(stored.dtype);
    return map;
  });
  c.def(
      "has_tensor",
      [](const CheckpointReader& self, const std::string& name) {
        return self.tensors().contains(name);
      },
      nb::arg("tensor_str"));
  c.def(
      "get_tensor",
      [](const CheckpointReader& self, const std::string& name) {
        return numpy_from_tensor(reading([&] { return self.read(name); }));
      },
      nb::arg("tensor_str"));
  c.def("debug_string", [](const CheckpointReader& self) {
    const std::string text = self.describe();
    return nb::bytes(text.data(), text.size());
  });
  m.def(
      "NewCheckpointReader",
      [](const std::string& prefix) {
        return nb::cast(reading([&] { return CheckpointReader::open(prefix); }).release(),
                        nb::rv_policy::take_ownership);
      },
      nb::arg("filepattern"));
  m.def("load_checkpoint", [](const std::string& path) {
    auto reader = building([&] { return reading([&] { return train::load_checkpoint(path); }); });
    return nb::cast(reader.release(), nb::rv_policy::take_ownership);
  });
}

}  // namespace

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
  bind_checkpoint_reader(m);
  m.def("anything_to_save", [] { return building([] { return !everything().empty(); }); });
  m.def("explained_restore", train::restore_failure_text);
  add_functions(kFunctions);
}

}  // namespace rill::python
