// What programs do with checkpoints besides saving: which there are, and what is in them.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <limits>

#include "call.h"
#include "class_call.h"
#include "interpreter_lock.h"
#include "numpy.h"
#include "plain_values.h"
#include "protos.h"
#include "rill/api/saver/background_saves.h"
#include "rill/api/saver/checkpoint_directory.h"
#include "rill/api/saver/checkpoint_recovery.h"
#include "rill/api/saver/checkpoint_state.h"
#include "rill/api/saver/checkpoint_utils.h"
#include "rill/base/durable_files.h"
#include "rill/io/checkpoint_damage.h"
#include "saver.h"
#include "tensorflow/python/training/checkpoint_state.pb.h"
#include "variables.h"

namespace rill::python {
namespace {

constexpr const char* kStatePath = "tensorflow/python/training/checkpoint_state.proto";

train::ToInitialize to_initialize(nb::handle value) {
  if (PyUnicode_Check(value.ptr())) return str_of(value);
  std::vector<train::ToSave> list;
  add_to_save(value, list);
  std::vector<Variable> variables;
  for (const train::ToSave& item : list) {
    if (!std::holds_alternative<Variable>(item))
      type_error("Expected a Variable, got ", repr_of(value));
    variables.push_back(std::get<Variable>(item));
  }
  return variables;
}

train::CheckpointStateOptions state_options(const Call& c) {
  train::CheckpointStateOptions options;
  if (c.has("all_model_checkpoint_paths"))
    options.all_model_checkpoint_paths =
        nb::cast<std::vector<std::string>>(c["all_model_checkpoint_paths"]);
  if (c.has("all_model_checkpoint_timestamps"))
    options.all_model_checkpoint_timestamps =
        nb::cast<std::vector<double>>(c["all_model_checkpoint_timestamps"]);
  if (c.has("last_preserved_timestamp"))
    options.last_preserved_timestamp = c.number("last_preserved_timestamp");
  return options;
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
       train::CheckpointStateOptions options = state_options(c);
       options.latest_filename = c.text("latest_filename");
       train::update_checkpoint_state(c.text("save_dir"), c.text("model_checkpoint_path"), options);
       return nb::none();
     },
     "Writes the state file of a directory."},
    {"train.generate_checkpoint_state_proto(save_dir, model_checkpoint_path, "
     "all_model_checkpoint_paths=None, all_model_checkpoint_timestamps=None, "
     "last_preserved_timestamp=None)",
     [](const Call& c) -> nb::object {
       const auto state = train::generate_checkpoint_state_proto(
           c.text("save_dir"), c.text("model_checkpoint_path"), state_options(c));
       return message_from_bytes(kStatePath, "CheckpointState", state.SerializeAsString());
     },
     "What update_checkpoint_state writes."},
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
    return bytes_object(text);
  });
  m.def(
      "NewCheckpointReader",
      [](const std::string& prefix) {
        return nb::cast(reading([&] { return CheckpointReader::open(prefix); }).release(),
                        nb::rv_policy::take_ownership);
      },
      nb::arg("filepattern"));
  m.def(
      "load_checkpoint",
      [](const std::string& path) {
        const std::string prefix = building([&] { return train::checkpoint_of(path); });
        auto reader = reading([&] { return CheckpointReader::open(prefix); });
        return nb::cast(reader.release(), nb::rv_policy::take_ownership);
      },
      nb::arg("ckpt_dir_or_file"));
}

// A second at a time, so that an interrupt is seen in between.
nb::object wait_for_new(const std::string& directory, nb::handle last, nb::handle timeout) {
  const std::string seen = text_or_empty(last);
  double left = timeout.is_none() ? std::numeric_limits<double>::infinity() : number_of(timeout);
  while (true) {
    std::optional<std::string> found;
    building([&] {
      const WithoutLock release;
      found = train::wait_for_new_checkpoint(directory, seen, {.timeout = std::min(left, 1.0)});
    });
    if (found) return nb::cast(*found);
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    left -= 1;
    if (left <= 0) return nb::none();
  }
}

// --- directories of checkpoints ------------------------------------------------------------------

nb::list checkpoints_in(const std::string& directory, bool verify) {
  nb::list list;
  for (const train::StoredCheckpoint& stored :
       reading([&] { return train::checkpoints_in(directory); })) {
    nb::dict entry;
    entry["prefix"] = stored.prefix;
    entry["step"] = stored.step ? nb::cast(*stored.step) : nb::none();
    entry["bytes"] = stored.bytes;
    entry["modified"] = static_cast<double>(stored.modified_nanos) / 1e9;
    entry["files"] = stored.files;
    if (verify) {
      std::string damage;
      {
        const WithoutLock release;
        damage = checkpoint_damage(stored.prefix);
      }
      entry["damage"] = damage.empty() ? nb::none() : nb::cast(damage);
    }
    list.append(entry);
  }
  return list;
}

nb::dict repair(const std::string& directory) {
  const train::Repaired done = reading([&] { return train::repair_checkpoints(directory); });
  nb::dict result;
  result["newest"] = done.newest;
  result["state_changed"] = done.state_changed;
  result["whole"] = done.whole;
  result["damaged"] = done.damaged;
  return result;
}

nb::dict prune(const std::string& directory, int keep, bool dry_run) {
  const train::Pruned done = reading(
      [&] { return train::prune_checkpoints(directory, {.keep = keep, .dry_run = dry_run}); });
  nb::dict result;
  result["checkpoints"] = done.checkpoints;
  result["files"] = done.files;
  result["bytes"] = done.bytes;
  return result;
}

void bind_checkpoint_directories(nb::module_& m) {
  m.def("durable_files", durable_files);
  m.def("set_durable_files", set_durable_files, nb::arg("wanted"));
  m.def("background_saves", train::background_saves);
  m.def("set_background_saves", train::set_background_saves, nb::arg("wanted"));
  m.def("checkpoint_recovery", train::checkpoint_recovery);
  m.def("set_checkpoint_recovery", train::set_checkpoint_recovery, nb::arg("wanted"));
  m.def("checkpoints_in", checkpoints_in, nb::arg("directory"), nb::arg("verify"));
  m.def("repair_checkpoints", repair, nb::arg("directory"));
  m.def("prune_checkpoints", prune, nb::arg("directory"), nb::arg("keep"), nb::arg("dry_run"));
}

}  // namespace

void bind_checkpoints(nb::module_& m) {
  bind_checkpoint_directories(m);
  bind_checkpoint_reader(m);
  m.def("wait_for_new_checkpoint", wait_for_new, nb::arg("checkpoint_dir"), nb::arg("last").none(),
        nb::arg("timeout").none());
  add_functions(kFunctions);
}

}  // namespace rill::python
