#include "rill/ops/math/elementwise/chain_program.h"

#include <algorithm>

#include "rill/base/subscript.h"
#include "rill/graph/shape_ctx.h"
#include "rill/ops/math/rows/elementwise_rows.h"
#include "rill/ops/register.h"
#include "rill/ops/register_kernels.h"

namespace rill {
namespace {

bool is_float_op(const Op& op) {
  return op.has(kElementwise) && (op.inputs.size() == 1 || op.inputs.size() == 2) &&
         op.outputs.size() == 1 && op.attrs.size() == 1 && op.attrs[0].name == "T" &&
         std::ranges::all_of(op.inputs, [](const Arg& arg) { return arg.type_attr == "T"; }) &&
         op.outputs[0].type_attr == "T";
}

KernelNode float_node(const Op& op, const KernelNode& node) {
  KernelNode stage{node.name + "/" + op.name, &op, {{"T", DType::f32}}, {}, {}, node.device};
  stage.input_types.assign(op.name == "AddN" ? 2 : op.inputs.size(), DType::f32);
  stage.output_types = {DType::f32};
  if (op.name == "AddN") stage.attrs.emplace("N", std::int64_t{2});
  if (op.name == "_Unbroadcast") {
    stage.attrs.emplace("Tshape", DType::i32);
    stage.input_types[1] = DType::i32;
  }
  return stage;
}

}  // namespace

std::unique_ptr<ChainStage> make_chain_stage(const std::string& op_name, const KernelNode& node) {
  const Op* op = standard_ops().find(op_name);
  const bool is_sum = op_name == "AddN", is_unbroadcast = op_name == "_Unbroadcast";
  if (op == nullptr || !(is_float_op(*op) || is_sum || is_unbroadcast)) return nullptr;
  auto stage = std::make_unique<ChainStage>();
  stage->node = float_node(*op, node);
  stage->kernel = &standard_kernels().choose(stage->node);
  if (stage->kernel->make_state == nullptr) return nullptr;
  stage->state = stage->kernel->make_state(stage->node);
  if (is_unbroadcast) return stage;
  if (is_sum) {
    stage->binary = find_add_rows(DType::f32);
  } else if (stage->kernel->run == run_unary) {
    const UnaryRows* rows = rows_of_unary(*stage->state);
    if (rows == nullptr) return nullptr;
    stage->unary = rows->row;
    stage->cost = rows->cost;
    return stage;
  } else if (stage->kernel->run == run_binary) {
    const BinaryRows* rows = rows_of_binary(*stage->state);
    if (rows == nullptr) return nullptr;
    stage->binary = *rows;
  } else {
    return nullptr;
  }
  stage->broadcasts = op->shape == broadcast_inputs;
  stage->cost = stage->binary.cost;
  return stage;
}

ChainProgram::ChainProgram(const KernelNode& node)
    : input_count(static_cast<int>(node.input_types.size())) {
  add_stages(node);
  const int value_count = input_count + static_cast<int>(stages.size());
  result_of.assign(at(value_count), -1);
  for (const std::int64_t result : node.attr<std::vector<std::int64_t>>("results")) {
    require(result >= input_count && result < value_count, "value ", result, " is no result");
    const int value = same_as[at(static_cast<int>(result))];
    if (value >= input_count && result_of[at(value)] < 0)
      result_of[at(value)] = static_cast<int>(results.size());
    results.push_back(value);
  }
  require(results.size() == node.output_types.size(), "there are ", node.output_types.size(),
          " outputs for ", results.size(), " results");
  assign_buffers();
}

void ChainProgram::add_stages(const KernelNode& node) {
  const auto& names = node.attr<std::vector<std::string>>("op_names");
  const auto& operands = node.attr<std::vector<std::int64_t>>("operands");
  require(operands.size() == 2 * names.size(), "each op needs two operands");
  for (int i = 0; i < input_count; ++i) same_as.push_back(i);
  for (std::size_t i = 0; i < names.size(); ++i) {
    auto stage = make_chain_stage(names[i], node);
    require(stage != nullptr, "a chain cannot take ", names[i]);
    const int value = input_count + static_cast<int>(i);
    stage->x = static_cast<int>(operands[2 * i]);
    stage->y = static_cast<int>(operands[2 * i + 1]);
    const bool needs_y = stage->node.input_types.size() == 2;
    require(stage->x >= 0 && stage->x < value && stage->y < value && (stage->y >= 0) == needs_y,
            "stage ", i, " reads values that are not there");
    for (int k = 0; k < (needs_y ? 2 : 1); ++k) {
      const int operand = k == 0 ? stage->x : stage->y;
      const DType type = operand < input_count ? node.input_type(operand) : DType::f32;
      require(base_type(type) == stage->node.input_types[at(k)], "stage ", i, " reads ", type);
    }
    same_as.push_back(stage->passes_on() ? same_as[at(stage->x)] : value);
    cost += stage->cost;
    stages.push_back(std::move(*stage));
  }
}

// Blocks of values that stay inside share buffers: one is free again after its last reader.
void ChainProgram::assign_buffers() {
  const int value_count = static_cast<int>(same_as.size());
  std::vector<int> last_read(at(value_count), -1);
  for (std::size_t i = 0; i < stages.size(); ++i)
    for (const int operand : {stages[i].x, stages[i].y})
      if (operand >= 0) last_read[at(same_as[at(operand)])] = static_cast<int>(i);
  buffer_of.assign(at(value_count), -1);
  std::vector<int> free;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const int value = input_count + static_cast<int>(i);
    if (!stages[i].passes_on() && result_of[at(value)] < 0) {
      if (free.empty()) free.push_back(buffer_count++);
      buffer_of[at(value)] = free.back();
      free.pop_back();
    }
    for (int other = input_count; other <= value; ++other)
      if (buffer_of[at(other)] >= 0 && last_read[at(other)] == static_cast<int>(i))
        free.push_back(buffer_of[at(other)]);
  }
  const bool leaves = std::ranges::find(results, 0) != results.end();  // input 0 is a result itself
  can_write_over_input = !leaves && results[0] >= input_count && last_read[0] >= 0 &&
                         last_read[0] <= results[0] - input_count;
}

}  // namespace rill
