#include "rill/cluster/step_logs.h"

#include <array>
#include <cstdio>

#include "rill/base/text.h"
#include "tensorflow/core/framework/step_stats.pb.h"
#include "tensorflow/core/protobuf/worker.pb.h"

namespace rill::cluster {
namespace {

constexpr std::size_t kMostSteps = 1000;

std::string part_of(const std::string& key, std::size_t which) {
  const auto parts = split(key, ';');
  return which < parts.size() ? std::string(parts[which]) : key;
}

std::string size_text(std::int64_t bytes) {
  constexpr double kMega = 1 << 20;
  if (static_cast<double>(bytes) < 0.1 * kMega) return str_cat("[", bytes, "B]");
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "[%.1fMB]", static_cast<double>(bytes) / kMega);
  return text.data();
}

tensorflow::DeviceStepStats& of_device(const std::string& name, tensorflow::StepStats* stats) {
  for (auto& device : *stats->mutable_dev_stats())
    if (device.device() == name) return device;
  auto& device = *stats->add_dev_stats();
  device.set_device(name);
  return device;
}

}  // namespace

std::string tensor_of_key(const std::string& key) { return part_of(key, 3); }

void write_transfers(const std::vector<Transfer>& transfers, tensorflow::StepStats* stats) {
  for (const Transfer& transfer : transfers) {
    const std::string from = part_of(transfer.key, 0), to = part_of(transfer.key, 2);
    auto& node = *of_device(to, stats).add_node_stats();
    const std::int64_t took = transfer.end_micros - transfer.begin_micros;
    node.set_node_name("RecvTensor");
    node.set_all_start_micros(transfer.begin_micros);
    node.set_op_end_rel_micros(took);
    node.set_all_end_rel_micros(took);
    node.set_timeline_label(str_cat(size_text(transfer.bytes), " ", tensor_of_key(transfer.key),
                                    " from ", from, " to ", to));
    node.add_output()
        ->mutable_tensor_description()
        ->mutable_allocation_description()
        ->set_requested_bytes(transfer.bytes);
  }
}

void StepLogs::add(std::int64_t step, const std::vector<Transfer>& transfers) {
  if (!is_on_) return;
  const std::lock_guard lock(mutex_);
  logs_.push_back({step, transfers});
  if (logs_.size() > kMostSteps) logs_.pop_front();
}

void StepLogs::answer(const tensorflow::LoggingRequest& request,
                      tensorflow::LoggingResponse* response) {
  if (request.enable_rpc_logging()) is_on_ = true;
  // Older masters end it by a request that says nothing else.
  if (request.disable_rpc_logging() ||
      (!request.enable_rpc_logging() && request.fetch_step_id_size() == 0))
    is_on_ = false;
  const std::lock_guard lock(mutex_);
  for (const std::int64_t step : request.fetch_step_id()) {
    for (const Log& log : logs_) {
      if (log.step != step) continue;
      auto& labeled = *response->add_step();
      labeled.set_step_id(step);
      write_transfers(log.transfers, labeled.mutable_step_stats());
    }
  }
  if (request.clear()) logs_.clear();
}

}  // namespace rill::cluster
