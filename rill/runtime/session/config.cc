#include "rill/runtime/session/config.h"

#include <algorithm>

#include "rill/base/error.h"
#include "rill/kernel/device_use.h"
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

void to_proto(const StepStats& stats, tensorflow::RunMetadata* metadata) {
  require(metadata->MergeFromString(run_metadata_bytes(stats)),
          "what a step's master answered cannot be read back");
}

}  // namespace rill
