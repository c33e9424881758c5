#pragma once

#include <cstdint>

// What steps of a training cost on clusters larger than a machine holds: messages queue for the
// cores and the network cards of tasks, in simulated time.
namespace rill::bench {

// Assumed: nobody has measured them on real processes yet.
struct ClusterCosts {
  double message_micros = 20;     // of a core, to send a message or to take one
  double byte_nanos = 0.3;        // of a core, for each byte of it
  double apply_byte_nanos = 0.3;  // of a server's core, for each byte of a gradient
  double step_micros = 100;       // of a worker's core, besides messages and the model's own work
  double latency_micros = 50;     // on the way
  double card_gigabits = 10;      // of each host, in each direction; 0: no limit
  int cores = 16;                 // of each host
  bool is_one_machine = false;    // all tasks share the cores of one host
};

struct ClusterShape {
  int workers = 1, servers = 1;
  double model_bytes = 0;     // spread evenly over the servers
  double compute_micros = 0;  // of one step, on one core of the worker
  int steps = 20;             // of each worker
};

struct ClusterFigures {
  double steps_per_second = 0;  // of all workers
  double step_millis = 0;       // of one, on average
  // How busy the busiest is, of 1.
  double server_cores = 0, server_card = 0, worker_cores = 0, worker_card = 0;
};

// Messages of a step: for each server it is told to run and says that it has, its variables are
// asked for and come, and so is the gradient; where there are several servers the worker waits for
// the end of each update besides. A test counts those of real tasks.
constexpr int messages_of_step(int servers) { return servers == 1 ? 6 : 8 * servers; }

// Asynchronous steps: each worker pulls the variables of every server, computes, lets the servers
// pull the gradients, and begins anew when all have applied them.
ClusterFigures simulate_steps(const ClusterCosts& costs, const ClusterShape& shape,
                              std::uint64_t seed = 1);

}  // namespace rill::bench
