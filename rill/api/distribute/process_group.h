#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rill/api/core/default_graph.h"
#include "rill/graph/grad_ctx.h"

// Processes that run the same program and bring values together, as Horovod's do:
//
//   hvd::init();
//   auto opt = ...;
//   for (auto& item : items) item.gradient = hvd::allreduce(item.gradient);
//
// `rill launch`, mpirun and srun start them and say in the environment which process is which.
namespace rill::hvd {

// Finds the other processes. Once; what follows throws FailedPrecondition before. Throws
// InvalidArgument where the environment contradicts itself.
void init();
void shutdown();
bool is_initialized();
int rank();
int size();
int local_rank();  // among the processes of this machine
int local_size();

struct CollectiveOptions {
  std::string name = {};  // tells values apart: the same in all processes
};
struct AllreduceOptions {
  bool average = true;  // else the sum
  std::string name = {};
};
// The value of all processes as one. Rows of a tensor become the rows of all.
Output allreduce(const Output& value, const AllreduceOptions& options = {});
Gradient allreduce(const Gradient& value, const AllreduceOptions& options = {});
// The values of all processes behind each other, in the order of their ranks.
Output allgather(const Output& value, const CollectiveOptions& options = {});
// The value that the process `root_rank` has.
Output broadcast(const Output& value, int root_rank, const CollectiveOptions& options = {});
// Gives the variables of the default graph the values that they have in the process `root_rank`.
Node& broadcast_global_variables(int root_rank);

}  // namespace rill::hvd
