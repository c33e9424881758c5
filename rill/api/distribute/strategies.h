#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rill/api/distribute/cluster_resolver.h"
#include "rill/api/replicas/strategy.h"
#include "rill/api/train/server.h"

namespace rill::distribute {

// How values of several devices come together. On CPUs all of them add on one device and copy the
// sum to the others.
struct CrossDeviceOps {
  // Where values are added; "": on the first device that the result goes to.
  std::string reduce_to_device = {};
};
struct ReductionToOneDevice : CrossDeviceOps {};
struct HierarchicalCopyAllReduce : CrossDeviceOps {
  int num_packs = 1;
};
struct NcclAllReduce : CrossDeviceOps {
  int num_packs = 1;
};

struct MirroredOptions {
  std::vector<std::string> devices = {};  // none: all GPUs, or the CPU
  CrossDeviceOps cross_device_ops = {};
};
// A replica on each device, each with its own copy of every variable; copies stay the same.
class MirroredStrategy : public Strategy {
 public:
  // Throws InvalidArgument for a device that is named twice.
  explicit MirroredStrategy(const MirroredOptions& options = {});
};

// Everything on one device, for programs that are written for strategies.
class OneDeviceStrategy : public Strategy {
 public:
  explicit OneDeviceStrategy(const std::string& device);
};

struct CentralStorageOptions {
  std::vector<std::string> compute_devices = {};  // none: all GPUs, or the CPU
  std::string parameter_device = {};              // "": the CPU, where there are several GPUs
};
// Replicas on several devices, variables on one.
class CentralStorageStrategy : public Strategy {
 public:
  explicit CentralStorageStrategy(const CentralStorageOptions& options = {});
};

struct ParameterServerOptions {
  cluster_resolver::ClusterResolverRef cluster_resolver = {};  // none: TF_CONFIG
  int num_local_devices = 1;
};
// Variables on the tasks of the job "ps" in turn; each worker trains them by itself, without
// waiting for the others. In a process without a cluster variables are on the CPU.
class ParameterServerStrategy : public Strategy {
 public:
  explicit ParameterServerStrategy(const ParameterServerOptions& options = {});
};

enum class CollectiveCommunication { AUTO, RING, NCCL };
struct MultiWorkerMirroredOptions {
  CollectiveCommunication communication = CollectiveCommunication::AUTO;
  cluster_resolver::ClusterResolverRef cluster_resolver = {};  // none: TF_CONFIG
  std::vector<std::string> local_devices = {};                 // none: the CPU
};
// A replica on each device of each worker, with a copy of every variable; gradients come together
// by collective ops. Each worker is a process that runs the same program.
class MultiWorkerMirroredStrategy : public Strategy {
 public:
  explicit MultiWorkerMirroredStrategy(const MultiWorkerMirroredOptions& options = {});
};

// How often input functions are called.
enum class InputReplicationMode { PER_WORKER };
// How losses of replicas come together: MEAN where optimizers scale them, as in estimators.
ReduceOp get_loss_reduction();
// Makes a strategy the one of all that this thread builds from now on; nothing: none any more.
// Throws FailedPrecondition inside of a scope.
void experimental_set_strategy(const std::optional<Strategy>& strategy);

using train::Server;

// Throws Unimplemented: there are no TPUs to be found.
class TPUStrategy : public Strategy {
 public:
  TPUStrategy();
};

namespace experimental {
using distribute::CentralStorageStrategy;
using distribute::CollectiveCommunication;
using distribute::MultiWorkerMirroredStrategy;
using distribute::ParameterServerStrategy;
using distribute::TPUStrategy;
}  // namespace experimental

// What sessions need that run a strategy's graph: which tasks may be seen, and the leader of
// collective ops. Empty texts where the strategy asks for nothing.
struct SessionNeeds {
  std::vector<std::string> device_filters = {};
  std::string collective_group_leader = {};
  bool isolate_session_state = false;
};
SessionNeeds session_needs(const Strategy& strategy);

}  // namespace rill::distribute
