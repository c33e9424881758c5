#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "rill/cluster/service.h"

namespace rill::cluster {

// Which masters the sessions of a task belong to. A master that has ended, or that could not reach
// this task when it closed a session, never says that it is over: this finds out.
class SessionOwners {
 public:
  struct Owner {
    std::string task;
    std::int64_t incarnation = 0;
    std::shared_ptr<Link> link;  // to its master; null: it is this process's
  };

  SessionOwners();
  // Returns the sessions that an earlier process of that task has left here.
  std::vector<std::string> add(const std::string& session, Owner owner);
  void remove(const std::string& session);
  // Asks the owners of those that are not new whether they still know them, and waits for no
  // answer. Returns the sessions of which that was denied twice, or not said for a day.
  std::vector<std::string> ask();

 private:
  struct State;
  const std::shared_ptr<State> state_;
};

}  // namespace rill::cluster
