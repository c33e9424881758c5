#include "rill/api/training/session_face.h"

#include <algorithm>
#include <chrono>

#include "rill/api/core/default_graph.h"
#include "rill/api/train/misuse.h"
#include "rill/api/train/queue_runner.h"
#include "rill/api/variables/variable_lists.h"
#include "rill/base/blocking.h"
#include "rill/base/scheduler.h"

namespace rill::train {
namespace {

constexpr double kLongestSleep = 1e8;  // seconds: longer than any program

std::shared_ptr<Saver> find_or_make_saver() {
  auto found = collections_of(*default_graph()).collected<Saver>(GraphKeys::SAVERS);
  if (found.size() > 1)
    misuse(Code::kFailedPrecondition, "More than one item in collection savers. Please indicate ",
           "which one to use by passing it to the constructor.");
  if (!found.empty()) return found[0];
  auto saver = std::make_shared<Saver>(SaverOptions{.sharded = true, .allow_empty = true});
  add_to_collection(GraphKeys::SAVERS, std::shared_ptr<Collectable>(saver));
  return saver;
}

std::shared_ptr<Saver> first_saver() {
  auto found = collections_of(*default_graph()).collected<Saver>(GraphKeys::SAVERS);
  if (!found.empty()) return found[0];
  if (global_variables().empty()) return nullptr;
  auto saver = std::make_shared<Saver>();
  add_to_collection(GraphKeys::SAVERS, std::shared_ptr<Collectable>(saver));
  return saver;
}

}  // namespace

SessionFace& session_face() {
  static auto& face = *new SessionFace{
      .open = [](const SessionOptions& options) { return std::make_shared<Session>(options); },
      .make_coordinator =
          [] { return std::make_shared<Coordinator>(CoordinatorOptions{.clean_stop_codes = {}}); },
      .start_queue_runners =
          [](Session& session, Coordinator& coord) {
            const auto threads = start_queue_runners(session, &coord);
            return std::vector<ThreadRef>(threads.begin(), threads.end());
          },
      .sleep =
          [](double seconds) {
            const Blocking blocking;
            pause_for(std::chrono::nanoseconds(
                static_cast<std::int64_t>(std::clamp(seconds, 0.0, kLongestSleep) * 1e9)));
          },
      .find_or_make_saver = find_or_make_saver,
      .first_saver = first_saver};
  return face;
}

}  // namespace rill::train
