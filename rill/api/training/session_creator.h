#pragma once

#include <functional>
#include <memory>
#include <string>

#include "rill/api/training/scaffold.h"
#include "rill/api/training/session_manager.h"

namespace rill::train {

// Makes sessions that are ready to train: opened, initialised or restored.
class SessionCreator {
 public:
  virtual ~SessionCreator() = default;
  virtual std::shared_ptr<Session> create_session() = 0;
};
using SessionCreatorRef = std::shared_ptr<SessionCreator>;

// checkpoint_dir and checkpoint_filename_with_path exclude each other.
struct SessionCreatorOptions {
  ScaffoldRef scaffold = {};                       // made where there is none
  SessionOptions config = {};                      // the target is the master
  std::string checkpoint_dir = {};                 // "": nothing is restored
  std::string checkpoint_filename_with_path = {};  // this one instead of the latest
  double max_wait_secs = 30 * 60;                  // of workers
  OpenSession open = {};
};

// Of the task that initialises and restores: a checkpoint where there is one, else init_op and
// init_fn.
class ChiefSessionCreator : public SessionCreator {
 public:
  explicit ChiefSessionCreator(SessionCreatorOptions options = {});
  std::shared_ptr<Session> create_session() override;

 private:
  SessionCreatorOptions options_;
};

// Of a task that waits until the chief has done so.
class WorkerSessionCreator : public SessionCreator {
 public:
  explicit WorkerSessionCreator(SessionCreatorOptions options = {});
  std::shared_ptr<Session> create_session() override;

 private:
  SessionCreatorOptions options_;
};

}  // namespace rill::train
