#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "rill/api/core/session.h"
#include "rill/api/saver/saver.h"
#include "rill/api/train/coordinator.h"

namespace rill::train {

// Opens a session of the default graph; another language may wrap it in an object of its own.
using OpenSession = std::function<std::shared_ptr<Session>(const SessionOptions&)>;
using CoordinatorRef = std::shared_ptr<Coordinator>;

// What a face of another language makes itself, so that its programs see their own objects.
struct SessionFace {
  OpenSession open = {};
  std::function<CoordinatorRef()> make_coordinator = {};  // one that takes every error for one
  // Of the session's graph. Gives the threads that use both without owning them.
  std::function<std::vector<ThreadRef>(Session&, Coordinator&)> start_queue_runners;
  std::function<void(double seconds)> sleep = {};
  // The one of the graph's collection, else a new one for all variables, which is put there.
  std::function<std::shared_ptr<Saver>()> find_or_make_saver = {};
  // The same for supervisors: the first of several; null where there are no variables.
  std::function<std::shared_ptr<Saver>()> first_saver = {};
};

// C++'s own, unless a face has replaced parts of it.
SessionFace& session_face();

}  // namespace rill::train
