// tf.saved_model: signatures, builder and loader.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "call.h"
#include "class_call.h"
#include "protos.h"
#include "rill/api/saver/saved_model_builder.h"
#include "rill/api/saver/saved_model_loader.h"
#include "saver.h"
#include "saver_object.h"
#include "sparse_tensors.h"
#include "tensorflow/core/protobuf/saved_model.pb.h"

namespace rill::python {
namespace {

namespace sm = rill::saved_model;

nb::object info_message(const tensorflow::TensorInfo& info) {
  return message_from_bytes(kMetaGraphPath, "TensorInfo", info.SerializeAsString());
}

nb::object signature_message(const tensorflow::SignatureDef& signature) {
  return message_from_bytes(kMetaGraphPath, "SignatureDef", signature.SerializeAsString());
}

Output tensor_argument(const Call& c, const char* name) {
  return c.has(name) ? as_tensor(c.input(name)) : Output();
}

tensorflow::TensorInfo info_of(nb::handle value) {
  if (is_operation(value)) return sm::build_operation_info(operation_object(value).node());
  if (is_sparse(value)) return sm::build_tensor_info(sparse_of(value));
  return sm::build_tensor_info(as_tensor(input_of(value, DType::invalid, "", "tensor")));
}

nb::object signature_of(nb::handle inputs, nb::handle outputs, const std::string& method) {
  const auto infos = [](nb::handle given) {
    sm::TensorInfos map;
    if (given.is_none()) return map;
    for (const auto& [name, info] : nb::cast<nb::dict>(given))
      map[str_of(name)] = read_message<tensorflow::TensorInfo>(info);
    return map;
  };
  return signature_message(sm::build_signature_def(infos(inputs), infos(outputs), method));
}

constexpr Function kFunctions[] = {
    {"saved_model.build_tensor_info(tensor)",
     [](const Call& c) { return info_message(info_of(c["tensor"])); },
     "What a signature says of a tensor."},
    {"saved_model.build_signature_def(inputs=None, outputs=None, method_name=None)",
     [](const Call& c) { return signature_of(c["inputs"], c["outputs"], c.text("method_name")); },
     "A signature of named inputs and outputs."},
    {"saved_model.predict_signature_def(inputs, outputs)",
     [](const Call& c) {
       const auto infos = [&](const char* name) {
         nb::dict map;
         if (c.has(name))
           for (const auto& [key, value] : nb::cast<nb::dict>(c[name]))
             map[key] = info_message(info_of(value));
         if (map.size() == 0) value_error("Prediction `", name, "` cannot be None or empty.");
         return map;
       };
       const nb::dict inputs = infos("inputs"), outputs = infos("outputs");
       return signature_of(inputs, outputs, sm::kPredictMethod);
     },
     "A signature that any server can answer."},
    {"saved_model.classification_signature_def(examples, classes, scores)",
     [](const Call& c) {
       return signature_message(sm::classification_signature_def(tensor_argument(c, "examples"),
                                                                 tensor_argument(c, "classes"),
                                                                 tensor_argument(c, "scores")));
     },
     "A signature of classes and scores of examples."},
    {"saved_model.regression_signature_def(examples, predictions)",
     [](const Call& c) {
       return signature_message(sm::regression_signature_def(tensor_argument(c, "examples"),
                                                             tensor_argument(c, "predictions")));
     },
     "A signature of values of examples."},
    {"saved_model.is_valid_signature(signature_def)",
     [](const Call& c) -> nb::object {
       return nb::cast(
           sm::is_valid_signature(read_message<tensorflow::SignatureDef>(c["signature_def"])));
     },
     "Whether method, names and types of a signature go together."},
    {"saved_model.contains_saved_model(export_dir)",
     [](const Call& c) -> nb::object {
       return nb::cast(sm::contains_saved_model(c.text("export_dir")));
     },
     "Whether there is a SavedModel in the directory."},
};

// --- writing -------------------------------------------------------------------------------------

sm::MetaGraphOptions meta_graph_options(nb::handle signatures, nb::handle assets,
                                        nb::handle main_op, bool clear_devices,
                                        bool strip_default_attrs, nb::handle saver) {
  sm::MetaGraphOptions options{.clear_devices = clear_devices,
                               .strip_default_attrs = strip_default_attrs};
  if (!signatures.is_none())
    for (const auto& [key, value] : nb::cast<nb::dict>(signatures))
      options.signature_def_map[str_of(key)] = read_message<tensorflow::SignatureDef>(value);
  if (!assets.is_none())
    for (nb::handle asset : assets) {
      if (!is_tensor(asset)) type_error("Asset path tensor ", repr_of(asset), " must be a Tensor.");
      options.assets.push_back(tensor_object(asset).output);
    }
  if (!main_op.is_none()) {
    if (!is_operation(main_op))
      type_error("Expected ", repr_of(main_op), " to be an Operation but got type ",
                 type_name_of(main_op), " instead.");
    options.main_op = &operation_object(main_op).node();
  }
  options.saver = nb::cast<SaverObject&>(saver).saver;
  return options;
}

// What must not be done again, or not yet, is an AssertionError here.
template <class F>
auto asserted(F&& f) {
  try {
    return f();
  } catch (const Error& error) {
    if (error.code() == Code::kFailedPrecondition)
      throw_python(PyExc_AssertionError, error.message());
    throw_build_error(error);
  }
}

void bind_builder(nb::module_& m) {
  nb::class_<sm::Builder> c(m, "SavedModelBuilderCore");
  c.def("__init__", [](sm::Builder* self, const std::string& directory) {
    asserted([&] { new (self) sm::Builder(directory); });
  });
  c.def(
      "add",
      [](sm::Builder& self, nb::handle sess, const std::vector<std::string>& tags,
         nb::handle signatures, nb::handle assets, nb::handle main_op, bool clear_devices,
         bool strip_default_attrs, nb::handle saver) {
        const InCallersPlace place({});
        asserted([&] {
          const sm::MetaGraphOptions options = meta_graph_options(
              signatures, assets, main_op, clear_devices, strip_default_attrs, saver);
          if (sess.is_none())
            self.add_meta_graph(tags, options);
          else
            self.add_meta_graph_and_variables_with(steps_of(sess), tags, options);
        });
      },
      nb::arg("sess").none(), nb::arg("tags"), nb::arg("signatures").none(),
      nb::arg("assets").none(), nb::arg("main_op").none(), nb::arg("clear_devices"),
      nb::arg("strip_default_attrs"), nb::arg("saver"));
  c.def("check_next", [](sm::Builder& self, bool with_variables) {
    asserted([&] { self.check_next(with_variables); });
  });
  c.def("save", [](sm::Builder& self, bool as_text) {
    const std::string path = building([&] { return self.save(as_text); });
    return bytes_object(path);
  });
}

// --- reading -------------------------------------------------------------------------------------

nb::object load(nb::handle run, const std::string& directory, const std::vector<std::string>& tags,
                nb::handle import_scope) {
  const InCallersPlace place({});
  const auto steps = [&](const std::map<std::string, std::string>& texts, const std::string& what) {
    nb::dict feeds;
    for (const auto& [name, text] : texts) feeds[name.c_str()] = text;
    run(what, feeds);
  };
  try {
    const auto graph = sm::load_into(steps, directory, {tags.begin(), tags.end()},
                                     {.import_scope = text_or_empty(import_scope)});
    return message_from_bytes(kMetaGraphPath, "MetaGraphDef", graph.SerializeAsString());
  } catch (const Error& error) {
    if (error.code() != Code::kNotFound) throw_build_error(error);
    if (error.message().find("Op type not registered") != std::string::npos)
      throw_run_error(error, nullptr);
    const bool no_file = error.message().starts_with("SavedModel file");
    throw_python(no_file ? PyExc_OSError : PyExc_RuntimeError, error.message());
  }
}

}  // namespace

void bind_saved_model(nb::module_& m) {
  add_functions(kFunctions);
  bind_builder(m);
  m.def("load_saved_model", load, nb::arg("run"), nb::arg("export_dir"), nb::arg("tags"),
        nb::arg("import_scope").none());
}

}  // namespace rill::python
