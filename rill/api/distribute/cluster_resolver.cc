#include "rill/api/distribute/cluster_resolver.h"

#include <charconv>
#include <cstdlib>

#include "rill/base/error.h"
#include "rill/base/json.h"

namespace rill::distribute::cluster_resolver {

std::string master_address(const std::string& address,
                           const std::optional<std::string>& rpc_layer) {
  return rpc_layer && !rpc_layer->empty() ? str_cat(*rpc_layer, "://", address) : address;
}

namespace {

using OptionalText = std::optional<std::string>;

std::string environment_text(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// --- TF_CONFIG -----------------------------------------------------------------------------------

Json tf_config() {
  const std::string text = environment_text("TF_CONFIG");
  return parse_json(text.empty() ? "{}" : text);
}

OptionalText text_in(const Json& json, std::string_view name) {
  const Json* const member = json.find(name);
  if (member == nullptr || member->kind == Json::Kind::null) return {};
  return member->text;
}

train::ClusterSpec::Tasks tasks_of(const Json& json) {
  train::ClusterSpec::Tasks tasks;
  if (json.kind == Json::Kind::array)
    for (const Json& address : json.items) tasks.emplace(std::ssize(tasks), address.text);
  for (const auto& [number, address] : json.members)
    tasks.emplace(std::strtoll(number.c_str(), nullptr, 10), address.text);
  return tasks;
}

}  // namespace

train::ClusterSpec TFConfigClusterResolver::cluster_spec() const {
  const Json config = tf_config();
  std::map<std::string, train::ClusterSpec::Tasks> jobs;
  if (const Json* const cluster = config.find("cluster"))
    for (const auto& [job, tasks] : cluster->members) jobs[job] = tasks_of(tasks);
  return train::ClusterSpec(std::move(jobs));
}

OptionalText TFConfigClusterResolver::task_type() const {
  if (options_.task_type) return options_.task_type;
  const Json config = tf_config();
  const Json* const task = config.find("task");
  return task == nullptr ? OptionalText() : text_in(*task, "type");
}

std::optional<int> TFConfigClusterResolver::task_id() const {
  if (options_.task_id) return options_.task_id;
  const Json config = tf_config();
  const Json* const task = config.find("task");
  const OptionalText index = task == nullptr ? OptionalText() : text_in(*task, "index");
  if (!index) return {};
  return static_cast<int>(std::strtol(index->c_str(), nullptr, 10));
}

std::string TFConfigClusterResolver::environment() const {
  return options_.environment ? *options_.environment
                              : text_in(tf_config(), "environment").value_or("");
}

OptionalText TFConfigClusterResolver::rpc_layer() const {
  return options_.rpc_layer ? options_.rpc_layer : text_in(tf_config(), "rpc_layer");
}

std::string TFConfigClusterResolver::master(const OptionalText& task_type,
                                            std::optional<int> task_id,
                                            const OptionalText& rpc_layer) const {
  if (const OptionalText session_master = text_in(tf_config(), "session_master"))
    return *session_master;
  const train::ClusterSpec cluster = cluster_spec();
  const bool alone = cluster.jobs().size() == 1 && cluster.num_tasks(cluster.jobs().front()) == 1;
  if (!cluster || alone) return "";
  const OptionalText type = task_type ? task_type : this->task_type();
  const std::optional<int> id = task_id ? task_id : this->task_id();
  require(type.has_value() && id.has_value(), "TF_CONFIG does not say which task this process is");
  return master_address(cluster.task_address(*type, *id),
                        rpc_layer ? rpc_layer : this->rpc_layer());
}

// --- those that programs name --------------------------------------------------------------------

std::string SimpleClusterResolver::master(const OptionalText& task_type, std::optional<int> task_id,
                                          const OptionalText& rpc_layer) const {
  if (!task_type || !task_id) return options_.master;
  return master_address(cluster_.task_address(*task_type, *task_id),
                        rpc_layer ? rpc_layer : options_.rpc_layer);
}

UnionResolver::UnionResolver(std::vector<ClusterResolverRef> resolvers, UnionOptions options)
    : resolvers_(std::move(resolvers)), options_(std::move(options)) {
  require(!resolvers_.empty(), "At least one ClusterResolver is required.");
}

train::ClusterSpec UnionResolver::cluster_spec() const {
  std::map<std::string, train::ClusterSpec::Tasks> jobs;
  for (const ClusterResolverRef& resolver : resolvers_) {
    const train::ClusterSpec cluster = resolver->cluster_spec();
    for (const auto& [job, tasks] : cluster.as_dict()) {
      auto& all = jobs[job];
      bool collides = false;
      for (const auto& [number, address] : tasks)
        collides |= all.contains(number) && all.at(number) != address;
      std::int64_t next = collides ? all.rbegin()->first + 1 : 0;
      for (const auto& [number, address] : tasks) all[collides ? next++ : number] = address;
    }
  }
  return train::ClusterSpec(std::move(jobs));
}

std::string UnionResolver::master(const OptionalText& task_type, std::optional<int> task_id,
                                  const OptionalText& rpc_layer) const {
  if (task_type && task_id)
    return master_address(cluster_spec().task_address(*task_type, *task_id),
                          rpc_layer ? rpc_layer : this->rpc_layer());
  return resolvers_.front()->master({}, {}, rpc_layer);
}

std::string UnionResolver::environment() const { return resolvers_.front()->environment(); }
OptionalText UnionResolver::task_type() const {
  return options_.task_type ? options_.task_type : resolvers_.front()->task_type();
}
std::optional<int> UnionResolver::task_id() const {
  return options_.task_id ? options_.task_id : resolvers_.front()->task_id();
}
OptionalText UnionResolver::rpc_layer() const {
  return options_.rpc_layer ? options_.rpc_layer : resolvers_.front()->rpc_layer();
}

GCEClusterResolver::GCEClusterResolver(const std::string&, const std::string&, const std::string&,
                                       int)
    : SimpleClusterResolver({}) {
  raise(Code::kUnimplemented, "GCEClusterResolver: there is no client of Compute Engine in C++");
}
KubernetesClusterResolver::KubernetesClusterResolver() : SimpleClusterResolver({}) {
  raise(Code::kUnimplemented, "KubernetesClusterResolver: there is no client of Kubernetes in C++");
}
TPUClusterResolver::TPUClusterResolver() : SimpleClusterResolver({}) {
  raise(Code::kUnimplemented, "TPUClusterResolver needs a TPU");
}

// --- Slurm ---------------------------------------------------------------------------------------

namespace {

int number_of(std::string_view text, const char* what) {
  int number = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  require(error == std::errc() && end == text.data() + text.size() && number >= 0, what,
          " is no number: \"", text, "\"");
  return number;
}

// At commas that are not in brackets.
std::vector<std::string> split_list(const std::string& list) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : list) {
    if (c == '[') ++depth;
    if (c == ']') --depth;
    if (c == ',' && depth == 0)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  require(depth == 0, "The brackets of the host list \"", list, "\" do not match");
  return parts;
}

void add_range(const std::string& prefix, const std::string& range, const std::string& suffix,
               std::vector<std::string>& hosts) {
  const std::size_t dash = range.find('-');
  if (dash == std::string::npos) {
    for (const std::string& host : expanded_hosts(suffix)) hosts.push_back(prefix + range + host);
    return;
  }
  const std::string first = range.substr(0, dash);
  const int from = number_of(first, "A host"), to = number_of(range.substr(dash + 1), "A host");
  require(to - from < 1 << 16, "The host range ", range, " is too long");
  for (int number = from; number <= to; ++number) {
    std::string digits = str_cat(number);
    if (digits.size() < first.size()) digits.insert(0, first.size() - digits.size(), '0');
    for (const std::string& host : expanded_hosts(suffix)) hosts.push_back(prefix + digits + host);
  }
}

}  // namespace

std::vector<std::string> expanded_hosts(const std::string& list) {
  std::vector<std::string> hosts;
  for (const std::string& part : split_list(list)) {
    const std::size_t open = part.find('[');
    if (open == std::string::npos) {
      hosts.push_back(part);
      continue;
    }
    const std::size_t close = part.find(']', open);
    require(close != std::string::npos, "The brackets of \"", part, "\" do not match");
    for (const std::string& range : split_list(part.substr(open + 1, close - open - 1)))
      add_range(part.substr(0, open), range, part.substr(close + 1), hosts);
  }
  return hosts;
}

std::vector<int> expanded_tasks_per_node(const std::string& text) {
  std::vector<int> tasks;
  for (const std::string& part : split_list(text)) {
    const std::size_t times = part.find("(x");
    const int count = number_of(part.substr(0, times), "The number of tasks");
    int nodes = 1;
    if (times != std::string::npos)
      nodes = number_of(part.substr(times + 2, part.find(')') - times - 2), "The number of nodes");
    require(nodes < 1 << 20, "Slurm says ", nodes, " nodes");
    tasks.insert(tasks.end(), static_cast<std::size_t>(nodes), count);
  }
  return tasks;
}

namespace {

std::vector<int> tasks_of_nodes(const SlurmOptions& options, std::size_t nodes) {
  if (options.tasks_per_node) return std::vector<int>(nodes, *options.tasks_per_node);
  if (const std::string one = environment_text("SLURM_NTASKS_PER_NODE"); !one.empty())
    return std::vector<int>(nodes, number_of(one, "SLURM_NTASKS_PER_NODE"));
  for (const char* name : {"SLURM_STEP_TASKS_PER_NODE", "SLURM_TASKS_PER_NODE"})
    if (const std::string text = environment_text(name); !text.empty())
      return expanded_tasks_per_node(text);
  raise(Code::kFailedPrecondition, "Neither `tasks_per_node` or SLURM_NTASKS_PER_NODE is set");
}

int slurm_number(const char* of_mpi, const char* of_slurm) {
  for (const char* name : {of_mpi, of_slurm})
    if (const std::string text = environment_text(name); !text.empty())
      return number_of(text, name);
  raise(Code::kFailedPrecondition, of_slurm, " is not set: this process was not started by srun");
}

std::string gpus_of(int place, const SlurmOptions& options) {
  std::string ids;
  for (int i = 0; i < options.gpus_per_task; ++i) {
    const int id = place * options.gpus_per_task + i;
    if (id < options.gpus_per_node) ids += str_cat(ids.empty() ? "" : ",", id);
  }
  return ids;
}

}  // namespace

SlurmClusterResolver::SlurmClusterResolver(std::vector<std::pair<std::string, int>> jobs,
                                           SlurmOptions options)
    : options_(std::move(options)) {
  const int rank = slurm_number("OMPI_COMM_WORLD_RANK", "SLURM_PROCID");
  std::string list = environment_text("SLURM_STEP_NODELIST");
  if (list.empty()) list = environment_text("SLURM_JOB_NODELIST");
  require(!list.empty(), "SLURM_JOB_NODELIST is not set: this process was not started by srun");
  const std::vector<std::string> hosts = expanded_hosts(list);
  const std::vector<int> tasks = tasks_of_nodes(options_, hosts.size());
  require(tasks.size() == hosts.size(), "Slurm tells of ", hosts.size(),
          " nodes, but of tasks for ", tasks.size());
  std::vector<std::string> addresses;
  for (std::size_t node = 0; node < hosts.size(); ++node)
    for (int place = 0; place < tasks[node]; ++place) {
      if (std::ssize(addresses) == rank) visible_gpus_ = gpus_of(place, options_);
      addresses.push_back(str_cat(hosts[node], ":", options_.port_base + place));
    }
  std::map<std::string, train::ClusterSpec::Tasks> all;
  std::int64_t next = 0;
  for (const auto& [job, count] : jobs) {
    if (rank >= next && rank < next + count) task_ = {job, static_cast<int>(rank - next)};
    for (int i = 0; i < count; ++i, ++next) {
      require(next < std::ssize(addresses),
              "The jobs have more tasks than Slurm has started: ", addresses.size());
      all[job].emplace(i, addresses[static_cast<std::size_t>(next)]);
    }
  }
  cluster_ = train::ClusterSpec(std::move(all));
}

std::string SlurmClusterResolver::master(const OptionalText& task_type, std::optional<int> task_id,
                                         const OptionalText& rpc_layer) const {
  return master_address(
      cluster_.task_address(task_type.value_or(task_.first), task_id.value_or(task_.second)),
      rpc_layer ? *rpc_layer : options_.rpc_layer);
}

}  // namespace rill::distribute::cluster_resolver
