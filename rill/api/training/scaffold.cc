#include "rill/api/training/scaffold.h"

#include "rill/api/array/joining.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/logging/tf_logging.h"
#include "rill/api/lookup/static_tables.h"
#include "rill/api/summary/summary.h"
#include "rill/api/train/misuse.h"
#include "rill/api/training/resources.h"
#include "rill/api/training/session_face.h"
#include "rill/api/variables/variable_lists.h"

namespace rill::train {
namespace {

template <class T>
void take_unless_given(T& part, const T& other) {
  if constexpr (std::is_same_v<T, Output>) {
    if (!part.node) part = other;
  } else {
    if (!part) part = other;
  }
}

std::vector<Runnable> runnables(std::string_view collection) {
  std::vector<Runnable> found;
  for (const CollectionItem& item : get_collection(collection)) {
    if (const auto* output = std::get_if<Output>(&item)) found.push_back(*output);
    if (const auto* node = std::get_if<Node*>(&item)) found.push_back(**node);
  }
  return found;
}

Runnable default_init_op() {
  Node& variables = global_variables_initializer();
  return group({&variables, &initialize_resources(shared_resources())});
}

Output names_of_both(const std::vector<Variable>& variables,
                     const std::vector<std::shared_ptr<Resource>>& resources) {
  const Output uninitialized = report_uninitialized_variables(variables);
  return concat({uninitialized, report_uninitialized_resources(resources)}, 0);
}

Runnable default_ready_op() {
  std::vector<Variable> variables = global_variables();
  for (const Variable& variable : local_variables()) variables.push_back(variable);
  auto resources = shared_resources();
  for (const auto& resource : local_resources()) resources.push_back(resource);
  return names_of_both(variables, resources);
}

Runnable default_ready_for_local_init_op() {
  return names_of_both(global_variables(), shared_resources());
}

Runnable default_summary_op() {
  const auto merged = summaries::merge_all();
  return merged ? Runnable(*merged) : Runnable();
}

// One part that a scaffold finds or makes.
struct DefaultPart {
  const char* arg_name;
  const char* collection;
  Runnable (*make)();
};
constexpr DefaultPart kInitOp{"init_op", GraphKeys::INIT_OP, default_init_op};
constexpr DefaultPart kReadyOp{"ready_op", GraphKeys::READY_OP, default_ready_op};
constexpr DefaultPart kReadyForLocalInitOp{
    "ready_for_local_init_op", GraphKeys::READY_FOR_LOCAL_INIT_OP, default_ready_for_local_init_op};
constexpr DefaultPart kLocalInitOp{"local_init_op", GraphKeys::LOCAL_INIT_OP,
                                   [] { return Runnable(Scaffold::default_local_init_op()); }};
constexpr DefaultPart kSummaryOp{"summary_op", GraphKeys::SUMMARY_OP, default_summary_op};

void complete(Runnable& part, const DefaultPart& with) {
  if (!part) part = Scaffold::get_or_default(with.arg_name, with.collection, with.make);
}

}  // namespace

Restorer::Restorer(std::shared_ptr<Saver> saver) {
  if (!saver) return;
  restore = [saver](Session& session, const std::string& path) { saver->restore(session, path); };
  recover_last_checkpoints = [saver](const std::vector<std::string>& paths) {
    saver->recover_last_checkpoints(paths);
  };
}

Scaffold::Scaffold(ScaffoldOptions options, const Scaffold* copy_from)
    : parts_(std::move(options)) {
  if (copy_from == nullptr) return;
  const ScaffoldOptions& other = copy_from->parts_;
  take_unless_given(parts_.init_op, other.init_op);
  take_unless_given(parts_.init_fn, other.init_fn);
  take_unless_given(parts_.ready_op, other.ready_op);
  take_unless_given(parts_.ready_for_local_init_op, other.ready_for_local_init_op);
  take_unless_given(parts_.local_init_op, other.local_init_op);
  take_unless_given(parts_.summary_op, other.summary_op);
  if (!parts_.saver) parts_.restorer = other.restorer;
  take_unless_given(parts_.saver, other.saver);
  if (parts_.init_feed_dict.empty()) parts_.init_feed_dict = other.init_feed_dict;
  if (parts_.local_init_feed_dict.empty()) parts_.local_init_feed_dict = other.local_init_feed_dict;
}

Scaffold& Scaffold::finalize() {
  complete(parts_.init_op, kInitOp);
  complete(parts_.ready_op, kReadyOp);
  complete(parts_.ready_for_local_init_op, kReadyForLocalInitOp);
  complete(parts_.local_init_op, kLocalInitOp);
  Runnable summary = parts_.summary_op.node ? Runnable(parts_.summary_op) : Runnable();
  complete(summary, kSummaryOp);
  parts_.summary_op = summary ? summary.tensor() : Output();
  if (!parts_.saver) parts_.saver = session_face().find_or_make_saver();
  parts_.saver->build();
  default_graph()->finalize();
  logging::info("Graph was finalized.");
  return *this;
}

Runnable Scaffold::get_or_default(const std::string& arg_name, const std::string& collection_key,
                                  const std::function<Runnable()>& make) {
  const std::vector<Runnable> found = runnables(collection_key);
  if (found.size() > 1)
    misuse(
        Code::kFailedPrecondition, "More than one item in the collection \"", collection_key,
        "\". Please indicate which one to use by passing it to the tf.Scaffold constructor as:  ",
        "tf.Scaffold(", arg_name, "=item to use)");
  if (!found.empty()) return found[0];
  const Runnable made = make();
  if (!made) return made;
  if (made.is_operation())
    add_to_collection(collection_key, &made.node());
  else
    add_to_collection(collection_key, made.tensor());
  return made;
}

Node& Scaffold::default_local_init_op() {
  Node& variables = local_variables_initializer();
  Node& tables = tables_initializer();
  return group({&variables, &tables, &initialize_resources(local_resources())});
}

}  // namespace rill::train
