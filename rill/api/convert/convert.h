#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rill/api/convert/model.h"
#include "rill/io/checkpoint_reader.h"

namespace rill::convert {

enum class Form { kCheckpoint, kGraph, kSavedModel, kSafetensors };
std::string_view form_name(Form form);  // "checkpoint", "graph", "saved_model", "safetensors"
Form parse_form(const std::string& name);
// What is at a path. Throws NotFound and InvalidArgument as describe::kind_of does.
Form form_of(const std::string& path);
// What a file of that name would be: .pb, .pbtxt, .safetensors, .ckpt. Nothing for other names.
std::optional<Form> form_by_name(const std::string& path);

struct Options {
  std::optional<Form> to = {};    // none: by the name
  std::string graph = {};         // for variables without one: a meta graph or a graph file; a
                                  // checkpoint's own .meta is found
  FrozenModelOptions model = {};  // signatures, tags
};
struct Report {
  Form from = Form::kCheckpoint, to = Form::kCheckpoint;
  std::int64_t tensors = 0, nodes = 0;
  std::vector<std::string> left_out = {};  // tensors that have no place in the new form
};
// Makes of one form another, a tensor at a time where there are only tensors. Throws
// InvalidArgument, saying why, for what cannot be made of the other.
Report convert(const std::string& from, const std::string& to, const Options& options = {});

// --- variables alone -----------------------------------------------------------------------------

// Whatever holds named tensors: a checkpoint, a SavedModel's variables, a safetensors file.
class TensorSource {
 public:
  virtual ~TensorSource() = default;
  virtual const std::map<std::string, StoredTensor>& tensors() const = 0;
  virtual Tensor read(const std::string& name) const = 0;
};
std::unique_ptr<TensorSource> open_tensors(const std::string& path);
// Each returns the names of what has no place there: the record of a program's objects, which is
// no number. Throws InvalidArgument for other tensors that are none.
Names write_safetensors(const TensorSource& source, const std::string& path);
Names write_checkpoint(const TensorSource& source, const std::string& prefix);

}  // namespace rill::convert
