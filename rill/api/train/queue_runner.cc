#include "rill/api/train/queue_runner.h"

#include <algorithm>

#include "rill/api/core/scoped_names.h"
#include "rill/base/log.h"
#include "rill/base/text.h"
#include "tensorflow/core/protobuf/queue_runner.pb.h"

namespace rill::train {
namespace {

Runnable element(std::string_view name, std::string_view scope) {
  Graph& graph = *default_graph();
  const std::string full = with_scope(name, scope);
  if (full.find(':') != full.npos) return graph.tensor(full);
  return graph.at(full);
}

// Throws nothing: an error that comes when nobody waits for the threads any more is only logged.
void request_stop(Coordinator& coord, const std::exception_ptr& error) {
  try {
    coord.request_stop(error);
  } catch (const std::exception& late) {
    log(LogLevel::kInfo, "Ignored exception: ", late.what());
  }
}

}  // namespace

std::string Runnable::name() const { return is_operation() ? node().name() : output_.name(); }

void Runnable::run(Session& session) const {
  if (is_operation())
    session.run(node());
  else
    session.run(output_);
}

QueueRunner::QueueRunner(queue::QueueBase queue, std::vector<Runnable> enqueue_ops,
                         QueueRunnerOptions options, std::source_location at)
    : queue_(std::move(queue)),
      queue_node_(*queue_->queue_ref().node),
      queue_name_(queue_->name()),
      enqueue_ops_(std::move(enqueue_ops)),
      options_(std::move(options)) {
  require(!enqueue_ops_.empty(), "Must provide queue and enqueue_ops.");
  if (!options_.close_op) options_.close_op = queue_->close({}, at);
  if (!options_.cancel_op)
    options_.cancel_op = queue_->close({.cancel_pending_enqueues = true}, at);
}

QueueRunner::QueueRunner(const tensorflow::QueueRunnerDef& def, std::string_view import_scope)
    : queue_node_(element(def.queue_name(), import_scope)), queue_name_(queue_node_.name()) {
  for (const std::string& name : def.enqueue_op_name())
    enqueue_ops_.push_back(element(name, import_scope));
  options_.close_op = element(def.close_op_name(), import_scope);
  options_.cancel_op = element(def.cancel_op_name(), import_scope);
  if (def.queue_closed_exception_types_size() > 0) options_.queue_closed_codes.clear();
  for (const int code : def.queue_closed_exception_types())
    options_.queue_closed_codes.push_back(static_cast<Code>(code));
}

std::optional<tensorflow::QueueRunnerDef> QueueRunner::to_proto(
    std::string_view export_scope) const {
  if (!std::string_view(queue_name_).starts_with(export_scope)) return {};
  tensorflow::QueueRunnerDef def;
  const auto name = [&](const std::string& full) { return without_scope(full, export_scope); };
  def.set_queue_name(name(queue_name_));
  for (const Runnable& op : enqueue_ops_) def.add_enqueue_op_name(name(op.name()));
  def.set_close_op_name(name(options_.close_op.name()));
  def.set_cancel_op_name(name(options_.cancel_op.name()));
  for (const Code code : options_.queue_closed_codes)
    def.add_queue_closed_exception_types(static_cast<tensorflow::error::Code>(code));
  return def;
}

bool QueueRunner::begin(const void* session) {
  const std::lock_guard lock(mutex_);
  if (running_[session] > 0) return false;
  running_[session] = enqueue_ops_.size();
  exceptions_.clear();
  return true;
}

bool QueueRunner::end(const void* session) {
  const std::lock_guard lock(mutex_);
  const auto found = running_.find(session);
  if (found == running_.end() || --found->second > 0) return false;
  running_.erase(found);
  return true;
}

void QueueRunner::add_exception(std::exception_ptr error) {
  const std::lock_guard lock(mutex_);
  exceptions_.push_back(std::move(error));
}

std::vector<std::exception_ptr> QueueRunner::exceptions_raised() const {
  const std::lock_guard lock(mutex_);
  return exceptions_;
}

bool QueueRunner::is_closed(Code code) const {
  return std::ranges::find(options_.queue_closed_codes, code) != options_.queue_closed_codes.end();
}

void QueueRunner::close(Session& session) const {
  try {
    options_.close_op.run(session);
  } catch (const std::exception& error) {
    log(LogLevel::kInfo, "Ignored exception: ", error.what());
  }
}

void QueueRunner::enqueue_until_closed(Session& session, std::size_t op, Coordinator* coord) {
  try {
    while (coord == nullptr || !coord->should_stop()) enqueue(session, op);
    end(&session);
  } catch (const std::exception& error) {
    const auto* known = dynamic_cast<const Error*>(&error);
    const bool closed = known != nullptr && is_closed(known->code());
    const bool last = end(&session);
    if (closed) {
      if (last) close(session);
    } else if (coord != nullptr) {
      request_stop(*coord, std::current_exception());
    } else {
      log(LogLevel::kError, "Exception in QueueRunner: ", error.what());
      add_exception(std::current_exception());
    }
  }
}

std::vector<std::shared_ptr<WorkThread>> QueueRunner::create_threads(
    Session& session, Coordinator* coord, const CreateThreadsOptions& options) {
  if (!begin(&session)) return {};
  std::vector<std::shared_ptr<WorkThread>> threads;
  const auto add = [&](std::string_view what, std::function<void()> work) {
    threads.push_back(std::make_shared<WorkThread>(str_cat("QueueRunnerThread-", name(), "-", what),
                                                   std::move(work)));
  };
  for (std::size_t op = 0; op < enqueue_ops_.size(); ++op)
    add(enqueue_ops_[op].name(),
        [this, &session, op, coord] { enqueue_until_closed(session, op, coord); });
  if (coord != nullptr)
    add("close_on_stop", [this, &session, coord] {
      coord->wait_for_stop();
      try {
        options_.cancel_op.run(session);
      } catch (const std::exception& error) {
        log(LogLevel::kInfo, "Ignored exception: ", error.what());
      }
    });
  for (const auto& thread : threads) {
    if (coord != nullptr) coord->register_thread(thread);
    if (options.start) thread->start();
  }
  return threads;
}

void add_queue_runner(std::shared_ptr<QueueRunner> runner, std::string_view collection) {
  add_to_collection(collection, std::shared_ptr<Collectable>(std::move(runner)));
}

std::vector<std::shared_ptr<WorkThread>> start_queue_runners(
    Session& session, Coordinator* coord, const StartQueueRunnersOptions& options) {
  std::vector<std::shared_ptr<WorkThread>> threads;
  for (const auto& runner :
       collections_of(session.graph()).collected<QueueRunner>(options.collection)) {
    auto more = runner->create_threads(session, coord, {.start = options.start});
    threads.insert(threads.end(), more.begin(), more.end());
  }
  return threads;
}

}  // namespace rill::train
