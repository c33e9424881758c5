#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <string>

// Saves that do not hold up training while a disk syncs. When such a save returns, the checkpoint
// has its name and can be restored; it is forced to the disk, named by the state file, and older
// ones are deleted by another thread. Whoever asks for the newest checkpoint of the directory, in
// this process, or saves there, waits for that.
namespace rill::train {

// Whether saves that ask for it do so. RILL_FSYNC=wait in the environment, or
// set_background_saves(false): each is over when it returns.
bool background_saves();
void set_background_saves(bool wanted);

// As long as one lives, saves of this thread ask for it.
class SavesInBackground {
 public:
  SavesInBackground();
  ~SavesInBackground();
  SavesInBackground(const SavesInBackground&) = delete;
  SavesInBackground& operator=(const SavesInBackground&) = delete;
  // Whether a save of this thread may leave its syncs to others: it asks, and there are syncs.
  static bool is_wanted();
};

// What is left to do of one save.
class RestOfSave {
 public:
  // `work` is done once, by a thread of its own.
  RestOfSave(const std::string& directory, std::function<void()> work);
  // Waits. An error that nobody was told of is logged.
  ~RestOfSave();
  RestOfSave(const RestOfSave&) = delete;
  RestOfSave& operator=(const RestOfSave&) = delete;

  // Waits for it; throws what `work` threw, to the first who asks.
  void finish();
  bool has_failed() const;

  struct State;

 private:
  const std::shared_ptr<State> state_;
};

// Wait until nothing is left of saves to a directory. The second throws the first error that nobody
// was told of.
void await_saves(const std::string& directory);
void finish_saves(const std::string& directory);

}  // namespace rill::train
