#include "rill/api/training/checkpoint_saver_hook.h"

#include <algorithm>

#include "rill/api/io/write_graph.h"
#include "rill/api/logging/tf_logging.h"
#include "rill/api/saver/background_saves.h"
#include "rill/api/saver/meta_graph.h"
#include "rill/api/train/misuse.h"
#include "rill/api/training/global_step_read.h"
#include "rill/base/files.h"
#include "rill/graph/graph_def.h"
#include "tensorflow/core/framework/graph.pb.h"
#include "tensorflow/core/protobuf/meta_graph.pb.h"
#include "tensorflow/core/protobuf/saver.pb.h"
#include "tensorflow/core/util/event.pb.h"

namespace rill::train {

CheckpointSaverHook::CheckpointSaverHook(std::string checkpoint_dir,
                                         CheckpointSaverHookOptions options)
    : checkpoint_dir_(std::move(checkpoint_dir)),
      save_path_(join_path(checkpoint_dir_, options.checkpoint_basename)),
      options_(std::move(options)) {
  logging::info("Create CheckpointSaverHook.");
  require(!options_.saver || !options_.scaffold, "You cannot provide both saver and scaffold.");
  timer_ = std::make_shared<SecondOrStepTimer>(SecondOrStepTimerOptions{
      .every_secs = options_.save_secs, .every_steps = options_.save_steps});
}

void CheckpointSaverHook::begin() {
  writer_ = summaries::FileWriterCache::get(checkpoint_dir_);
  global_step_ = global_step_for("CheckpointSaverHook");
  for (const ListenerRef& listener : listeners()) listener->begin();
}

void CheckpointSaverHook::after_create_session(Session& session, Coordinator&) {
  const std::int64_t step = read_step(session, global_step_);
  Graph& graph = *default_graph();
  const tensorflow::GraphDef graph_def = export_graph_def(graph, {.add_shapes = true});
  if (options_.save_graph_def) io::write_graph(graph_def, checkpoint_dir_, "graph.pbtxt");
  writer_->add_graph(graph_def);
  writer_->add_meta_graph(export_meta_graph({.graph_def = graph_def, .saver_def = saver_def()}));
  save_now(session, step);
  timer_->update_last_triggered_step(step);
}

std::optional<SessionRunArgs> CheckpointSaverHook::before_run(SessionRunContext&) {
  return SessionRunArgs{.fetches = {global_step_}};
}

void CheckpointSaverHook::after_run(SessionRunContext& context, const SessionRunValues& values) {
  const std::int64_t step_before = step_of(values.results.at(0));
  if (!timer_->should_trigger_for_step(step_before + steps_per_run_)) return;
  const std::int64_t step = read_step(context.session(), global_step_);
  if (!timer_->should_trigger_for_step(step)) return;
  timer_->update_last_triggered_step(step);
  if (save_now(context.session(), step)) context.request_stop();
}

void CheckpointSaverHook::end(Session& session) {
  const std::int64_t step = read_step(session, global_step_);
  if (timer_->last_triggered_step() != step) save_now(session, step);
  finish_saves(checkpoint_dir_);
  for (const ListenerRef& listener : listeners()) listener->end(session, step);
}

std::vector<ListenerRef> CheckpointSaverHook::listeners() const {
  std::vector<ListenerRef> all;
  if (options_.find_listeners) all = options_.find_listeners();
  all.insert(all.end(), options_.listeners.begin(), options_.listeners.end());
  return all;
}

void CheckpointSaverHook::add_listener(ListenerRef listener) {
  if (std::ranges::find(options_.listeners, listener) == options_.listeners.end())
    options_.listeners.push_back(std::move(listener));
}

bool CheckpointSaverHook::save_now(Session& session, std::int64_t step) {
  return save_override ? save_override(session, step) : save(session, step);
}

// Training does not wait for the disk; an error of the disk is told by the next save, or at the
// end.
void CheckpointSaverHook::write(Session& session, std::int64_t step) {
  const SavesInBackground in_background;
  if (other_saver.save)
    other_saver.save(session, save_path_, step, options_.save_graph_def);
  else
    saver()->save(session, save_path_,
                  {.global_step = step, .write_meta_graph = options_.save_graph_def});
}

bool CheckpointSaverHook::save(Session& session, std::int64_t step) {
  logging::info("Saving checkpoints for ", step, " into ", save_path_, ".");
  for (const ListenerRef& listener : listeners()) listener->before_save(session, step);
  write(session, step);
  tensorflow::SessionLog saved;
  saved.set_status(tensorflow::SessionLog::CHECKPOINT);
  saved.set_checkpoint_path(save_path_);
  writer_->add_session_log(saved, step);
  bool should_stop = false;
  for (const ListenerRef& listener : listeners()) {
    if (!listener->after_save(session, step)) continue;
    logging::info("A CheckpointSaverListener requested that training be stopped. listener: ",
                  listener->text());
    should_stop = true;
  }
  return should_stop;
}

BoxedMessage<tensorflow::SaverDef> CheckpointSaverHook::saver_def() {
  if (other_saver.saver_def) return other_saver.saver_def();
  return saver()->saver_def();
}

std::shared_ptr<Saver> CheckpointSaverHook::saver() {
  if (options_.saver) return options_.saver;
  if (options_.scaffold) return options_.scaffold->saver();
  const auto savers = collections_of(*default_graph()).collected<Saver>(GraphKeys::SAVERS);
  if (savers.empty())
    misuse(Code::kFailedPrecondition, "No items in collection ", GraphKeys::SAVERS,
           ". Please add a saver to the collection or provide a saver or scaffold.");
  if (savers.size() > 1)
    misuse(Code::kFailedPrecondition, "More than one item in collection ", GraphKeys::SAVERS,
           ". Please indicate which one to use by passing it to the constructor.");
  return options_.saver = savers[0];
}

}  // namespace rill::train
