#pragma once

#include "rill/api/saver/saver.h"

namespace rill::train {

// A Saver where ops compute at once, which needs no session:
//
//   tf::train::EagerSaver saver({{"w", w}});
//   const std::string path = saver.save("/tmp/model", {.global_step = 100});
//   saver.restore(path);
class EagerSaver {
 public:
  explicit EagerSaver(NamedToSave var_list, const SaverOptions& options = {});
  template <class T>
  requires std::constructible_from<ToSave, const T&>
  explicit EagerSaver(const std::vector<T>& var_list, const SaverOptions& options = {})
      : EagerSaver(named_to_save({var_list.begin(), var_list.end()}), options) {}

  // As Saver's; no meta graph is written.
  std::string save(const std::string& save_path, const SaverSaveOptions& options = {});
  void restore(const std::string& save_path);
  Saver& saver() { return saver_; }  // which checkpoints there are

 private:
  const NamedToSave var_list_;
  Saver saver_;
};

// What Saver::save_with and restore_with run: nodes of the eager graph, made anew each time.
Saver::RunStep eager_steps(const NamedToSave& var_list);
// Options of a Saver that is only used with those.
SaverOptions eager_saver_options(SaverOptions options);

}  // namespace rill::train
