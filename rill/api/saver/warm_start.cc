#include "rill/api/saver/warm_start.h"

#include <algorithm>
#include <set>

#include "rill/api/core/made_here.h"
#include "rill/api/gen/state.h"
#include "rill/api/logging/tf_logging.h"
#include "rill/api/saver/checkpoint_utils.h"
#include "rill/api/saver/object_graph.h"
#include "rill/api/variables/variable_lists.h"
#include "rill/base/error.h"
#include "rill/io/parse_message.h"
#include "tensorflow/core/protobuf/trackable_object_graph.pb.h"

namespace rill::train {
namespace {

// A variable, or the parts of one.
struct Whole {
  std::string name;
  std::vector<Variable> parts;
};

std::string whole_name(const Variable& variable) {
  return variable->save_slice_info ? variable->save_slice_info->full_name : variable.op().name();
}

struct Chosen {
  std::vector<Variable> operator()(std::monostate) { return trainable_variables(); }
  std::vector<Variable> operator()(const std::string& expression) {
    return trainable_variables(expression);
  }
  std::vector<Variable> operator()(const std::vector<Variable>& these) { return these; }
  std::vector<Variable> operator()(const std::vector<std::string>& expressions) {
    std::vector<Variable> all;
    for (const std::string& expression : expressions) {
      const std::vector<Variable> some = global_variables(expression);
      all.insert(all.end(), some.begin(), some.end());
    }
    return all;
  }
};

std::vector<Whole> grouped(const std::vector<Variable>& variables) {
  std::vector<Whole> wholes;
  for (const Variable& variable : variables) {
    const std::string name = whole_name(variable);
    const auto known = std::find_if(wholes.begin(), wholes.end(),
                                    [&](const Whole& whole) { return whole.name == name; });
    if (known != wholes.end())
      known->parts.push_back(variable);
    else
      wholes.push_back({name, {variable}});
  }
  return wholes;
}

// Checkpoints of objects have keys of their own; they tell which variable each belongs to.
std::map<std::string, std::string> keys_of_objects(const CheckpointReader& reader,
                                                   const std::vector<Whole>& wholes) {
  std::map<std::string, std::string> all, wanted;
  const auto stored = reader.tensors().find(kObjectGraphKey);
  if (stored == reader.tensors().end()) return {};
  require(stored->second.dtype == DType::string && stored->second.shape.rank() == 0,
          "the object graph of a checkpoint is a string, not ", stored->second.dtype,
          stored->second.shape);
  tensorflow::TrackableObjectGraph graph;
  require(parse_message(reader.read(kObjectGraphKey).scalar_value<std::string>(), &graph),
          "cannot parse the object graph of a checkpoint");
  for (const auto& node : graph.nodes())
    for (const auto& attribute : node.attributes())
      all[attribute.full_name()] = attribute.checkpoint_key();
  for (const Whole& whole : wholes) {
    const auto found = all.find(whole.name);
    require(found != all.end(),
            "Attempting to warm-start from an object-based checkpoint, but found that the "
            "checkpoint did not contain values for all variables. The following variables were "
            "missing: ",
            whole.name);
    wanted.emplace(*found);
  }
  return wanted;
}

Node& assigned(const Variable& variable, Output value) {
  if (!variable.is_resource()) return *raw::Assign(variable.handle(), value).node;
  Node& write = variable.assign_op(value);
  Node* const written = &write;
  const ControlDependencies after(std::span(&written, 1));
  variable.value();  // as tf.assign gives programs
  return write;
}

// By words: each part of the variable gets its rows.
void remap(const Whole& whole, const VocabInfo& info, const std::string& checkpoint,
           const std::string& tensor) {
  require(!info.new_vocab.empty() && info.new_vocab_size != 0 && !info.old_vocab.empty(),
          "Invalid args: Must provide all of [current_vocab_path, current_vocab_size, prev_ckpt, "
          "prev_vocab_path].");
  require(
      info.axis == 0 || info.axis == 1,
      "The only supported values for the axis argument are 0 and 1.  Provided axis: ", info.axis);
  std::int64_t all_rows = 0;
  for (const Variable& part : whole.parts) {
    require(part.shape().is_full() && part.shape().rank() == 2,
            "Expected 2-dim shape, but received: ", part.shape(), " of ", part.name());
    all_rows += part.shape().full()[0];
  }
  RemapInitializerOptions options;
  options.initializer = info.backup_initializer;
  if (info.axis == 0) {
    options.old_row_vocab_size = info.old_vocab_size;
    options.old_row_vocab_file = info.old_vocab;
    options.new_row_vocab_file = info.new_vocab;
    options.num_row_oov_buckets = info.num_oov_buckets;
  } else {
    options.old_col_vocab_file = info.old_vocab;
    options.new_col_vocab_file = info.new_vocab;
    options.num_col_oov_buckets = info.num_oov_buckets;
  }
  for (const Variable& part : whole.parts) {
    const Shape shape = part.shape().full();
    const Initializer values = load_and_remap_matrix_initializer(
        checkpoint, tensor, info.axis == 0 ? info.new_vocab_size : all_rows,
        info.axis == 0 ? shape[1] : info.new_vocab_size, options);
    PartitionInfo place;
    if (part->save_slice_info)
      place = {part->save_slice_info->full_shape, part->save_slice_info->var_offset};
    const Output value = values({shape, DType::f32, part->save_slice_info ? &place : nullptr});
    part.state()->initializer = &assigned(part, value);
  }
}

template <class Map>
void check_all_used(const Map& given, const std::vector<Whole>& wholes, const char* argument) {
  std::set<std::string> known;
  std::string viable;
  for (const Whole& whole : wholes)
    if (known.insert(whole.name).second) viable += (viable.empty() ? "" : ", ") + whole.name;
  std::string unused;
  for (const auto& [name, value] : given)
    if (!known.contains(name)) unused += (unused.empty() ? "" : ", ") + name;
  require(unused.empty(), "You provided the following variables in ", argument,
          " that were not used: ", unused,
          ".  Perhaps you misspelled them?  Here is the list of viable variable names: ", viable);
}

// Pairs of a tensor and what it goes to. A tensor that goes to a second variable begins a new list:
// those before are done first, and their nodes stand first.
class Plain {
 public:
  explicit Plain(const std::string& checkpoint) : checkpoint_(checkpoint) {}
  void add(const std::string& tensor, const Whole& whole) {
    if (!tensors_.insert(tensor).second) {
      finish();
      tensors_.insert(tensor);
    }
    list_.emplace_back(tensor, whole.parts);
  }
  void finish() {
    if (!list_.empty()) init_from_checkpoint(checkpoint_, list_);
    list_.clear();
    tensors_.clear();
  }

 private:
  const std::string& checkpoint_;
  std::set<std::string> tensors_;
  std::vector<std::pair<std::string, ToInitialize>> list_;
};

}  // namespace

void warm_start(const std::string& ckpt_to_initialize_from, const WarmStartOptions& options,
                std::source_location at) {
  const MadeHere here(at);
  logging::info("Warm-starting from: ", ckpt_to_initialize_from);
  if (options.vars_to_warm_start.index() == 0 ||
      std::holds_alternative<std::monostate>(options.vars_to_warm_start))
    logging::info("Warm-starting variables only in TRAINABLE_VARIABLES.");
  const std::vector<Whole> wholes = grouped(std::visit(Chosen{}, options.vars_to_warm_start));
  const auto* expression = std::get_if<std::string>(&options.vars_to_warm_start);
  const bool only_with_words = std::holds_alternative<std::monostate>(options.vars_to_warm_start) ||
                               (expression != nullptr && expression->empty());
  auto names = options.var_name_to_prev_var_name;
  const std::string checkpoint = checkpoint_of(ckpt_to_initialize_from);
  if (names.empty()) names = keys_of_objects(*CheckpointReader::open(checkpoint), wholes);

  std::size_t count = 0;
  Plain plain(ckpt_to_initialize_from);
  for (const Whole& whole : wholes) {
    const auto renamed = names.find(whole.name);
    const std::string& tensor = renamed == names.end() ? whole.name : renamed->second;
    const auto words = options.var_name_to_vocab_info.find(whole.name);
    const bool has_words = words != options.var_name_to_vocab_info.end();
    if (has_words || !only_with_words) ++count;
    if (has_words)
      remap(whole, words->second, checkpoint, tensor);
    else if (!only_with_words)
      plain.add(tensor, whole);
  }
  plain.finish();
  logging::info("Warm-started ", count, " variables.");
  check_all_used(names, wholes, "var_name_to_prev_var_name");
  check_all_used(options.var_name_to_vocab_info, wholes, "var_name_to_vocab_info");
}

}  // namespace rill::train
