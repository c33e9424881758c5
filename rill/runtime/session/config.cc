#include "rill/runtime/session/config.h"

#include <algorithm>
#include <cstdio>
#include <map>

#include "rill/base/error.h"
#include "rill/graph/device_name.h"
#include "rill/kernel/device_use.h"
#include "rill/kernel/host_arguments.h"
#include "tensorflow/core/framework/graph.pb.h"
#include "tensorflow/core/framework/step_stats.pb.h"
#include "tensorflow/core/protobuf/config.pb.h"
#include "tensorflow/core/protobuf/rewriter_config.pb.h"

namespace rill {
namespace {

void set_passes(const tensorflow::GraphOptions& graph, SessionOptions& options) {
  using tensorflow::OptimizerOptions;
  using tensorflow::RewriterConfig;
  const OptimizerOptions& optimizer = graph.optimizer_options();
  const bool level_on = optimizer.opt_level() != OptimizerOptions::L0;
  options.fold = level_on || optimizer.do_constant_folding();
  options.share = level_on || optimizer.do_common_subexpression_elimination();
  options.simplify = level_on;
  const RewriterConfig& rewriter = graph.rewrite_options();
  if (rewriter.constant_folding() == RewriterConfig::OFF) options.fold = false;
  if (rewriter.dependency_optimization() == RewriterConfig::OFF) options.simplify = false;
  if (!level_on || rewriter.remapping() == RewriterConfig::OFF || rewriter.disable_meta_optimizer())
    options.rewrites_off.insert("all");
  if (rewriter.memory_optimization() == RewriterConfig::NO_MEM_OPT)
    options.rewrites_off.insert("arena");
  const bool lowers = rewriter.auto_mixed_precision_onednn_bfloat16() == RewriterConfig::ON ||
                      rewriter.auto_mixed_precision_mkl() == RewriterConfig::ON;
  if (lowers) options.rewrites_on.insert("lower_precision");
}

// Of no account where there are no GPUs.
void set_gpu_use(const tensorflow::GPUOptions& gpus) {
  DeviceUse use{.visible = gpus.visible_device_list(),
                .memory_fraction = gpus.per_process_gpu_memory_fraction()};
  for (const auto& card : gpus.experimental().virtual_devices()) {
    use.parts.emplace_back();
    for (const float megabytes : card.memory_limit_mb())
      use.parts.back().push_back(static_cast<std::int64_t>(megabytes * (1 << 20)));
  }
  if (use != DeviceUse()) set_device_use("GPU", std::move(use));
}

// As step statistics name it: "STANDIN_0_bfc" where values of that type lie in the memory of such a
// device, else "cpu".
std::string allocator_name(const NodeStats& node, DType type) {
  if (node.device.find("CPU:") != node.device.npos || !is_in_device_memory(base_type(type)))
    return "cpu";
  const DeviceName name = DeviceName::parse(std::string(node.device));
  if (name.type.value_or("CPU") == "CPU") return "cpu";
  return str_cat(*name.type, "_", name.id.value_or(0), "_bfc");
}

}  // namespace

SessionOptions session_options(const tensorflow::ConfigProto& config, std::string target) {
  SessionOptions options;
  options.target = std::move(target);
  options.intra_op_threads = config.intra_op_parallelism_threads();
  options.inter_op_threads = config.inter_op_parallelism_threads();
  options.timeout_ms = config.operation_timeout_in_ms();
  options.allow_soft_placement = config.allow_soft_placement();
  options.log_device_placement = config.log_device_placement();
  for (const auto& [type, count] : config.device_count()) options.device_count[type] = count;
  options.inter_op_pool_count = std::max(1, config.session_inter_op_thread_pool_size());
  options.device_filters.assign(config.device_filters().begin(), config.device_filters().end());
  if (options.target.find("://") != std::string::npos) options.config = config.SerializeAsString();
  set_gpu_use(config.gpu_options());
  set_passes(config.graph_options(), options);
  options.build_cost_model = config.graph_options().build_cost_model();
  options.build_cost_model_after = config.graph_options().build_cost_model_after();
  return options;
}

tensorflow::ConfigProto config_proto(const SessionOptions& options) {
  tensorflow::ConfigProto config;
  if (!options.config.empty()) {
    require(config.ParseFromString(options.config), "SessionOptions::config is no ConfigProto");
    return config;
  }
  config.set_allow_soft_placement(options.allow_soft_placement);
  config.set_log_device_placement(options.log_device_placement);
  config.set_operation_timeout_in_ms(options.timeout_ms);
  for (const std::string& filter : options.device_filters) config.add_device_filters(filter);
  return config;
}

DebugOptions debug_options(const tensorflow::DebugOptions& options) {
  DebugOptions debug{.global_step = options.global_step(),
                     .resets_disk_usage = options.reset_disk_byte_usage()};
  for (const auto& watch : options.debug_tensor_watch_opts())
    debug.watches.push_back({.node = watch.node_name(),
                             .slot = watch.output_slot(),
                             .ops = {watch.debug_ops().begin(), watch.debug_ops().end()},
                             .urls = {watch.debug_urls().begin(), watch.debug_urls().end()},
                             .tolerates_failures = watch.tolerate_debug_op_creation_failures()});
  return debug;
}

void to_proto(const DebugOptions& options, tensorflow::DebugOptions* proto) {
  proto->set_global_step(options.global_step);
  proto->set_reset_disk_byte_usage(options.resets_disk_usage);
  for (const TensorWatch& watch : options.watches) {
    auto& given = *proto->add_debug_tensor_watch_opts();
    given.set_node_name(watch.node);
    given.set_output_slot(watch.slot);
    for (const std::string& op : watch.ops) given.add_debug_ops(op);
    for (const std::string& url : watch.urls) given.add_debug_urls(url);
    given.set_tolerate_debug_op_creation_failures(watch.tolerates_failures);
  }
}

RunOptions run_options(const tensorflow::RunOptions& options) {
  return {.timeout_ms = options.timeout_in_ms(),
          .trace = options.trace_level() != tensorflow::RunOptions::NO_TRACE,
          .output_partition_graphs = options.output_partition_graphs(),
          .inter_op_thread_pool = options.inter_op_thread_pool(),
          .debug = debug_options(options.debug_options())};
}

void from_proto(const tensorflow::RunMetadata& metadata, StepStats& stats) {
  stats.metadata = metadata.SerializeAsString();
}

namespace {

// What results took of one kind of memory.
void set_memory(const NodeStats& node, std::string_view allocator, std::int64_t bytes,
                tensorflow::NodeExecStats* entry) {
  if (bytes == 0) return;
  auto* memory = entry->add_memory();
  memory->set_allocator_name(std::string(allocator));
  if (allocator == node.allocator) memory->set_allocator_bytes_in_use(node.allocator_in_use);
  memory->set_total_bytes(bytes);
  memory->set_peak_bytes(bytes);
  memory->set_live_bytes(bytes);
  auto* event = memory->add_allocation_records();
  event->set_alloc_micros(node.start_micros);
  event->set_alloc_bytes(bytes);
  constexpr double kMebibyte = 1 << 20;
  const double size = static_cast<double>(bytes) / kMebibyte;
  if (size < .1) return;
  char text[64];
  std::snprintf(text, sizeof text, " %.1fMB %.1fMB] ", size, size);
  entry->mutable_timeline_label()->append("[").append(allocator).append(text);
}

void set_outputs(const NodeStats& node, tensorflow::NodeExecStats* entry) {
  std::int64_t kept = 0, kept_away = 0;  // in the host's memory, and in the device's
  std::string away;
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    const NodeStats::OutputStats& made = node.outputs[i];
    auto* output = entry->add_output();
    output->set_slot(static_cast<int>(i));
    auto* tensor = output->mutable_tensor_description();
    tensor->set_dtype(static_cast<tensorflow::DataType>(made.type));
    auto* shape = tensor->mutable_shape();
    for (const std::int64_t dim : made.shape.dims()) shape->add_dim()->set_size(dim);
    auto* allocation = tensor->mutable_allocation_description();
    allocation->set_requested_bytes(made.bytes);
    std::string allocator = allocator_name(node, made.type);
    const bool is_away = allocator != "cpu";
    if (!made.is_shared) {
      allocation->set_allocated_bytes(made.bytes);
      allocation->set_has_single_reference(true);
      (is_away ? kept_away : kept) += made.bytes;
    }
    if (is_away) away = allocator;
    allocation->set_allocator_name(std::move(allocator));
  }
  set_memory(node, "cpu", kept, entry);
  set_memory(node, away, kept_away, entry);
}

void set_times(const NodeStats& node, tensorflow::NodeExecStats* entry) {
  const std::int64_t waited = node.start_nanos - node.scheduled_nanos;
  entry->set_scheduled_micros(node.start_micros - waited / 1000);
  entry->set_scheduled_nanos(node.start_micros * 1000 - waited);
  entry->set_all_start_micros(node.start_micros);
  entry->set_all_start_nanos(node.start_micros * 1000);
  entry->set_op_start_rel_micros(node.prepare_nanos / 1000);
  entry->set_op_start_rel_nanos(node.prepare_nanos);
  entry->set_op_end_rel_micros(node.nanos / 1000);
  entry->set_op_end_rel_nanos(node.nanos);
  entry->set_all_end_rel_micros((node.nanos + 999) / 1000);  // nothing takes no time
  entry->set_all_end_rel_nanos(node.nanos);
}

}  // namespace

void to_proto(const StepStats& stats, tensorflow::RunMetadata* metadata) {
  require(stats.metadata.empty() || metadata->ParseFromString(stats.metadata),
          "what a step's master answered cannot be read back");
  for (const std::string& graph : stats.partition_graphs)
    require(metadata->add_partition_graphs()->ParseFromString(graph),
            "a partition graph cannot be read back");
  require(
      stats.cost_graph.empty() || metadata->mutable_cost_graph()->ParseFromString(stats.cost_graph),
      "a cost graph cannot be read back");
  std::map<std::string_view, tensorflow::DeviceStepStats*> devices;
  for (const NodeStats& node : stats.nodes) {
    auto*& device = devices[node.device];
    if (device == nullptr) {
      device = metadata->mutable_step_stats()->add_dev_stats();
      device->set_device(std::string(node.device));
    }
    auto* entry = device->add_node_stats();
    entry->set_node_name(std::string(node.node));
    entry->set_thread_id(node.thread);
    set_times(node, entry);
    set_outputs(node, entry);
    entry->mutable_timeline_label()->append(node.label);
    if (node.temporary_bytes > 0)
      entry->mutable_memory_stats()->set_temp_memory_size(node.temporary_bytes);
  }
}

}  // namespace rill
