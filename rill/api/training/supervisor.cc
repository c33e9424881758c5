#include "rill/api/training/supervisor.h"

#include <chrono>
#include <filesystem>

#include "rill/api/core/control_flow.h"
#include "rill/api/core/default_graph.h"
#include "rill/api/io/write_graph.h"
#include "rill/api/logging/tf_logging.h"
#include "rill/api/lookup/static_tables.h"
#include "rill/api/summary/summary.h"
#include "rill/api/train/misuse.h"
#include "rill/api/train/waiting_runners.h"
#include "rill/api/variables/variable_lists.h"
#include "tensorflow/core/protobuf/meta_graph.pb.h"
#include "tensorflow/core/protobuf/saver.pb.h"

namespace rill::train {
namespace {

std::optional<CollectionItem> first_of(const char* collection) {
  const std::vector<CollectionItem> items = get_collection(collection);
  if (items.size() > 1)
    logging::info("Found ", items.size(), " ", collection, " operations. Returning the first one.");
  if (items.empty()) return {};
  return items[0];
}

Variable variable_of(const CollectionItem& item) {
  const auto* object = std::get_if<std::shared_ptr<Collectable>>(&item);
  return object == nullptr ? Variable()
                           : Variable(std::dynamic_pointer_cast<VariableState>(*object));
}

Runnable runnable_of(const CollectionItem& item) {
  if (const auto* output = std::get_if<Output>(&item)) return *output;
  if (const auto* node = std::get_if<Node*>(&item)) return **node;
  const Variable variable = variable_of(item);
  return variable ? Runnable(variable.value()) : Runnable();
}

Runnable first_or_made(const char* collection, const std::function<Runnable()>& make) {
  if (const auto found = first_of(collection)) return runnable_of(*found);
  const Runnable made = make();
  if (!made) return made;
  if (made.is_operation())
    add_to_collection(collection, &made.node());
  else
    add_to_collection(collection, made.tensor());
  return made;
}

Output step_by_name() {
  Node* const found = default_graph()->find("global_step");
  if (found == nullptr || found->output_count() == 0) return {};
  const Output step{found, 0};
  const DType dtype = base_type(step.dtype());
  if (dtype == DType::i32 || dtype == DType::i64) return step;
  logging::warning("Found 'global_step' is not an int type: ", dtype);
  return {};
}

}  // namespace

Supervisor::Supervisor(SupervisorOptions options, std::source_location at)
    : parts_(std::move(options)) {
  if (!parts_.graph) parts_.graph = default_graph();
  if (!parts_.coord) parts_.coord = std::make_shared<Coordinator>();
  const AsDefault as_default(parts_.graph);
  const MadeAt place(at);
  complete_parts();
  const std::shared_ptr<Saver>& saver = *parts_.saver;
  meta_graph_ = export_meta_graph(
      {.saver_def = saver ? saver->saver_def() : BoxedMessage<tensorflow::SaverDef>()});
  if (!parts_.restorer) parts_.restorer = Restorer(saver);
  if (!parts_.save && saver)
    parts_.save = [saver](Session& session, const std::string& path,
                          std::optional<std::int64_t> step) {
      saver->save(session, path, {.global_step = step});
    };
  if (!parts_.is_chief) {
    parts_.logdir.clear();
    parts_.save_summaries_secs = parts_.save_model_secs = 0;
    parts_.summary_writer.emplace();
  }
  if (!parts_.logdir.empty())
    save_path_ = (std::filesystem::path(parts_.logdir) / parts_.checkpoint_basename).string();
  if (!parts_.summary_writer)
    parts_.summary_writer =
        parts_.logdir.empty() ? nullptr : std::make_shared<summaries::FileWriter>(parts_.logdir);
  manager_.emplace(SessionManagerOptions{.local_init_op = *parts_.local_init_op,
                                         .ready_op = *parts_.ready_op,
                                         .ready_for_local_init_op = *parts_.ready_for_local_init_op,
                                         .graph = parts_.graph,
                                         .recovery_wait_secs = parts_.recovery_wait_secs,
                                         .local_init_run_options = parts_.local_init_run_options});
  check_devices();
  parts_.graph->finalize();
}

Supervisor::~Supervisor() {
  if (started_.empty() || !parts_.coord) return;
  try {
    stop();
  } catch (const std::exception& error) {
    logging::info("Ignored exception: ", error.what());
  }
}

void Supervisor::complete_parts() {
  if (!parts_.ready_op)
    parts_.ready_op = first_or_made(GraphKeys::READY_OP, [] {
      std::vector<Variable> variables = global_variables();
      for (const Variable& variable : local_variables()) variables.push_back(variable);
      return Runnable(report_uninitialized_variables(variables));
    });
  if (!parts_.ready_for_local_init_op)
    parts_.ready_for_local_init_op =
        first_or_made(GraphKeys::READY_FOR_LOCAL_INIT_OP, [] { return Runnable(); });
  if (!parts_.init_op)
    parts_.init_op =
        first_or_made(GraphKeys::INIT_OP, [] { return Runnable(global_variables_initializer()); });
  if (!parts_.local_init_op)
    parts_.local_init_op = first_or_made(GraphKeys::LOCAL_INIT_OP, [] {
      Node& variables = local_variables_initializer();
      return Runnable(group({&variables, &tables_initializer()}));
    });
  if (!parts_.saver) parts_.saver = session_face().first_saver();
  if (!parts_.summary_op) {
    const Runnable found = first_or_made(GraphKeys::SUMMARY_OP, [] {
      const auto merged = summaries::merge_all();
      return merged ? Runnable(*merged) : Runnable();
    });
    parts_.summary_op = found ? found.tensor() : Output();
  }
  if (!parts_.global_step) {
    const auto items = get_collection(GraphKeys::GLOBAL_STEP);
    if (const Variable step = items.empty() ? Variable() : variable_of(items[0]))
      parts_.global_step_name = step.op().name();
    const Runnable found = first_or_made(GraphKeys::GLOBAL_STEP, [] {
      const Output step = step_by_name();
      return step.node ? Runnable(step) : Runnable();
    });
    parts_.global_step = found ? found.tensor() : Output();
  }
  if (parts_.global_step_name.empty() && parts_.global_step->node)
    parts_.global_step_name = parts_.global_step->node->name();
}

void Supervisor::check_devices() const {
  if (parts_.is_chief) return;
  for (const auto& node : parts_.graph->nodes())
    if ((node->op().name == "Variable" || node->op().name == "VariableV2") &&
        node->device().empty())
      misuse(Code::kInvalidArgument,
             "When using replicas, all Variables must have their device set: ", node->name());
}

// --- sessions ------------------------------------------------------------------------------------

void Supervisor::before_session() {
  coord().clear_stop();
  if (summary_writer() != nullptr) summary_writer()->reopen();
}

PrepareSessionOptions Supervisor::how_to_prepare(const ManagedSessionOptions& options) const {
  PrepareSessionOptions how;
  how.saver = parts_.restorer;
  how.checkpoint_dir = parts_.logdir;
  how.wait_for_checkpoint = options.wait_for_checkpoint;
  how.max_wait_secs = options.max_wait_secs;
  how.config = options.config;
  how.init_op = *parts_.init_op;
  how.init_feed_dict = parts_.init_feed_dict;
  how.init_fn = parts_.init_fn;
  return how;
}

std::shared_ptr<Session> Supervisor::prepare_or_wait_for_session(
    const ManagedSessionOptions& options) {
  before_session();
  std::shared_ptr<Session> session;
  if (is_chief()) {
    session = manager_->prepare_session(options.master, how_to_prepare(options));
    write_graph();
    if (options.start_standard_services) {
      logging::info("Starting standard services.");
      start_standard_services(session);
    }
  } else {
    session = manager_->wait_for_session(
        options.master, {.config = options.config, .max_wait_secs = options.max_wait_secs});
  }
  if (options.start_standard_services) {
    logging::info("Starting queue runners.");
    start_queue_runners(session);
  }
  return session;
}

void Supervisor::managed_session(const std::function<void(Session&)>& body,
                                 const ManagedSessionOptions& options) {
  std::shared_ptr<Session> session;
  try {
    session = prepare_or_wait_for_session(options);
    body(*session);
  } catch (...) {
    request_stop(std::current_exception());
  }
  const std::vector<ThreadRef> threads = coord().registered_threads();
  request_stop();
  if (session && only_queue_runners_wait(coord(), parts_.stop_grace_secs)) session->close();
  const auto close = [&] {
    if (!session) return;
    session->close();
    if (!wait_for_end(threads, kEndAfterClose))
      new std::shared_ptr(session);  // they go on using it
  };
  try {
    stop({}, {.close_summary_writer = options.close_summary_writer});
  } catch (...) {
    close();
    throw;
  }
  close();
}

void Supervisor::write_graph() {
  if (!parts_.logdir.empty()) io::write_graph(*parts_.graph, parts_.logdir, "graph.pbtxt");
  if (summary_writer() == nullptr || graph_is_written_) return;
  summary_writer()->add_graph(*parts_.graph);
  summary_writer()->add_meta_graph(meta_graph_);
  graph_is_written_ = true;
}

// --- the end -------------------------------------------------------------------------------------

void Supervisor::stop(const std::vector<ThreadRef>& threads, const StopOptions& options) {
  coord().request_stop();
  std::exception_ptr failure;
  try {
    coord().join(threads, {.stop_grace_period_secs = parts_.stop_grace_secs,
                           .ignore_live_threads = options.ignore_live_threads});
  } catch (...) {
    failure = std::current_exception();
  }
  started_.clear();
  if (options.close_summary_writer) close_summary_writer();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace rill::train
