#include "rill/api/train/server.h"

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "rill/api/estimator/core/run_config.h"
#include "rill/cli/command.h"

namespace rill::cli {
namespace {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    if (end > begin) parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

// "ps|host:2222,worker|host:2223;host:2224", as grpc_tensorflow_server takes it.
train::ClusterSpec cluster_of(const std::string& text) {
  std::map<std::string, std::vector<std::string>> cluster;
  for (const std::string& job : split(text, ',')) {
    const std::size_t bar = job.find('|');
    if (bar == std::string::npos || bar == 0)
      throw UsageError("--cluster is JOB|HOST:PORT;...,JOB|..., and not \"" + text + "\"");
    cluster[job.substr(0, bar)] = split(job.substr(bar + 1), ';');
  }
  return cluster;
}

int number_of(const std::string& text) {
  int number = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 0)
    throw UsageError("--task is a number, and not \"" + text + "\"");
  return number;
}

int server(std::span<const std::string> arguments) {
  Options given(arguments);
  const auto value = [&](const char* name, const char* of_tensorflow) {
    const auto ours = given.value(name), theirs = given.value(of_tensorflow);
    return ours ? ours : theirs;
  };
  const auto cluster = value("--cluster", "--cluster_spec");
  const auto job = value("--job", "--job_name"), task = value("--task", "--task_id");
  train::ServerOptions options;
  const std::pair<const char*, std::string*> texts[] = {
      {"--certificate", &options.security.certificate},
      {"--key", &options.security.key},
      {"--authority", &options.security.authority},
      {"--token", &options.security.token},
      {"--refuse", &options.refuse},
      {"--allow", &options.allow}};
  for (const auto& [name, text] : texts)
    if (const auto said = given.value(name)) *text = *said;
  if (!given.positional().empty()) throw UsageError("server takes options only");
  train::ClusterSpec spec;
  if (cluster) {
    spec = cluster_of(*cluster);
  } else {
    const char* const said = std::getenv("TF_CONFIG");
    if (said == nullptr)
      throw UsageError("server needs --cluster, or TF_CONFIG in the environment");
    const estimator::TaskConfig config = estimator::parse_tf_config(said);
    spec = config.cluster_spec;
    options.job_name = config.task_type;
    options.task_index = static_cast<int>(config.task_id);
  }
  if (job) options.job_name = *job;
  if (task) options.task_index = number_of(*task);
  train::Server running(spec, options);
  std::printf("%s\n", running.target().c_str());
  std::fflush(stdout);
  running.join();
  return 0;
}

}  // namespace

const Command kServer{
    "server", "be a task of a cluster: run what clients and other tasks send",
    "server --cluster JOB|HOST:PORT;...,JOB|... --job JOB --task NUMBER\n\n"
    "  --cluster JOB|HOST:PORT;...,...  the jobs and the addresses of their tasks\n"
    "  --job JOB                        the job of this task\n"
    "  --task NUMBER                    its number in the job\n"
    "  --certificate, --key FILE        PEM: connections are encrypted\n"
    "  --authority FILE                 PEM: those alone may connect for whom it signed\n"
    "  --token TEXT                     those alone may connect who know it\n"
    "  --refuse WORD,...                what clients may not run: read, write, files, network,\n"
    "                                   code, all, or names of ops\n"
    "  --allow OP,...                   what they may run all the same\n"
    "What is not said is as RILL_CLUSTER_CERTIFICATE, _KEY, _AUTHORITY, _TOKEN, _REFUSE and\n"
    "_ALLOW say. A token on the command line is seen by every user of the machine.\n"
    "Without --cluster, TF_CONFIG says all of it. The names that grpc_tensorflow_server has for\n"
    "these options are taken, too. Prints the target of sessions and serves until it is stopped.",
    server};

}  // namespace rill::cli
