#pragma once

#include <functional>

namespace rill {

// Runs `task`, which must not throw, soon on a thread of its own. For work that may wait for files,
// for the program or for other such work, which would hold up a ThreadPool. Threads that have
// nothing to do serve later tasks for a while and then end.
void run_in_background(std::function<void()> task);

// How many tasks run or wait to be run; for tests.
int background_tasks();

}  // namespace rill
