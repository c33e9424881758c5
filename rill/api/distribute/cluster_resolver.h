#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rill/api/train/cluster.h"

namespace rill::distribute::cluster_resolver {

// Tells which tasks there are, and which of them this process is.
class ClusterResolver {
 public:
  virtual ~ClusterResolver() = default;
  virtual train::ClusterSpec cluster_spec() const = 0;
  // Where sessions are opened: for a task that is named, its address; "grpc" is in front of it
  // where there is such a layer.
  virtual std::string master(const std::optional<std::string>& task_type = {},
                             std::optional<int> task_id = {},
                             const std::optional<std::string>& rpc_layer = {}) const = 0;
  virtual std::string environment() const { return {}; }  // "google" inside of Google
  virtual std::optional<std::string> task_type() const { return {}; }
  virtual std::optional<int> task_id() const { return {}; }
  virtual std::optional<std::string> rpc_layer() const { return {}; }
};
using ClusterResolverRef = std::shared_ptr<const ClusterResolver>;

// "grpc://a:2222", or the address alone where there is no layer.
std::string master_address(const std::string& address, const std::optional<std::string>& rpc_layer);

struct SimpleOptions {
  std::string master = {};
  std::optional<std::string> task_type = {};
  std::optional<int> task_id = {};
  std::string environment = {};
  std::optional<std::string> rpc_layer = {};
};
// A cluster that the program names.
class SimpleClusterResolver : public ClusterResolver {
 public:
  explicit SimpleClusterResolver(train::ClusterSpec cluster, SimpleOptions options = {})
      : cluster_(std::move(cluster)), options_(std::move(options)) {}

  train::ClusterSpec cluster_spec() const override { return cluster_; }
  std::string master(const std::optional<std::string>& task_type = {},
                     std::optional<int> task_id = {},
                     const std::optional<std::string>& rpc_layer = {}) const override;
  std::string environment() const override { return options_.environment; }
  std::optional<std::string> task_type() const override { return options_.task_type; }
  std::optional<int> task_id() const override { return options_.task_id; }
  std::optional<std::string> rpc_layer() const override { return options_.rpc_layer; }

 private:
  const train::ClusterSpec cluster_;
  const SimpleOptions options_;
};

struct TFConfigOptions {
  std::optional<std::string> task_type = {};
  std::optional<int> task_id = {};
  std::optional<std::string> rpc_layer = {};
  std::optional<std::string> environment = {};
};
// What the environment variable TF_CONFIG says, each time it is asked. Options take its place.
class TFConfigClusterResolver : public ClusterResolver {
 public:
  explicit TFConfigClusterResolver(TFConfigOptions options = {}) : options_(std::move(options)) {}

  train::ClusterSpec cluster_spec() const override;
  std::string master(const std::optional<std::string>& task_type = {},
                     std::optional<int> task_id = {},
                     const std::optional<std::string>& rpc_layer = {}) const override;
  std::string environment() const override;
  std::optional<std::string> task_type() const override;
  std::optional<int> task_id() const override;
  std::optional<std::string> rpc_layer() const override;

 private:
  const TFConfigOptions options_;
};

struct UnionOptions {
  std::optional<std::string> task_type = {};
  std::optional<int> task_id = {};
  std::optional<std::string> rpc_layer = {};
};
// Several clusters as one: the tasks of a job that more than one of them has follow each other.
class UnionResolver : public ClusterResolver {
 public:
  // Throws InvalidArgument without resolvers.
  explicit UnionResolver(std::vector<ClusterResolverRef> resolvers, UnionOptions options = {});

  train::ClusterSpec cluster_spec() const override;
  std::string master(const std::optional<std::string>& task_type = {},
                     std::optional<int> task_id = {},
                     const std::optional<std::string>& rpc_layer = {}) const override;
  std::string environment() const override;
  std::optional<std::string> task_type() const override;
  std::optional<int> task_id() const override;
  std::optional<std::string> rpc_layer() const override;

 private:
  const std::vector<ClusterResolverRef> resolvers_;
  const UnionOptions options_;
};

struct SlurmOptions {
  int port_base = 8888;
  int gpus_per_node = 1, gpus_per_task = 1;
  std::optional<int> tasks_per_node = {};  // none: what Slurm says
  bool auto_set_gpu = true;
  std::string rpc_layer = "grpc";
};
// The steps that srun started: jobs are given their tasks in order, `jobs` says how many each.
class SlurmClusterResolver : public ClusterResolver {
 public:
  // Throws InvalidArgument where Slurm's environment has not as many tasks as the jobs.
  explicit SlurmClusterResolver(std::vector<std::pair<std::string, int>> jobs,
                                SlurmOptions options = {});

  train::ClusterSpec cluster_spec() const override { return cluster_; }
  std::string master(const std::optional<std::string>& task_type = {},
                     std::optional<int> task_id = {},
                     const std::optional<std::string>& rpc_layer = {}) const override;
  std::optional<std::string> task_type() const override { return task_.first; }
  std::optional<int> task_id() const override { return task_.second; }
  std::optional<std::string> rpc_layer() const override { return options_.rpc_layer; }
  std::pair<std::string, int> get_task_info() const { return task_; }
  const std::string& visible_gpus() const { return visible_gpus_; }  // of this task: "0,1"

 private:
  const SlurmOptions options_;
  train::ClusterSpec cluster_;
  std::pair<std::string, int> task_;
  std::string visible_gpus_;
};

// What asks services of others, whose clients there are none of in C++, or looks for TPUs: their
// constructors throw Unimplemented.
class GCEClusterResolver : public SimpleClusterResolver {
 public:
  GCEClusterResolver(const std::string& project, const std::string& zone,
                     const std::string& instance_group, int port);
};
class KubernetesClusterResolver : public SimpleClusterResolver {
 public:
  KubernetesClusterResolver();
};
class TPUClusterResolver : public SimpleClusterResolver {
 public:
  TPUClusterResolver();
};

// "n[1-3,7],m" is n1, n2, n3, n7, m. Throws InvalidArgument for what is no such list.
std::vector<std::string> expanded_hosts(const std::string& list);
// "2(x3),1" is 2, 2, 2, 1.
std::vector<int> expanded_tasks_per_node(const std::string& text);

}  // namespace rill::distribute::cluster_resolver
