#include "rill/inspect/profiler/profiled_node.h"

namespace rill::profiler {
namespace {

std::int64_t total(const std::map<std::string, NodeStep::Spans>& by_device) {
  std::int64_t sum = 0;
  for (const auto& [device, spans] : by_device)
    for (const auto& [start, duration] : spans) sum += duration;
  return sum;
}

std::int64_t parameters(const std::optional<Dims>& shape) {
  if (!shape) return 0;
  std::int64_t count = 1;
  for (const std::int64_t size : *shape)
    if (size < 0 || __builtin_mul_overflow(count, size, &count)) return 0;
  return count;
}

template <class Apply>
void for_each_mean(Figures& figures, Apply apply) {
  for (std::int64_t Figures::*field :
       {&Figures::run_count, &Figures::accelerator_micros, &Figures::cpu_micros,
        &Figures::requested, &Figures::peak, &Figures::residual, &Figures::output})
    apply(figures.*field);
}

}  // namespace

Figures& Figures::operator+=(const Figures& other) {
  for (std::int64_t Figures::*field :
       {&Figures::run_count, &Figures::definition_count, &Figures::accelerator_micros,
        &Figures::cpu_micros, &Figures::requested, &Figures::peak, &Figures::residual,
        &Figures::output, &Figures::params, &Figures::float_ops})
    this->*field += other.*field;
  return *this;
}

Figures ProfiledNode::of_step(const NodeStep& step) const {
  Figures figures;
  figures.run_count = step.run_count;
  figures.accelerator_micros = total(step.accelerator);
  figures.cpu_micros = total(step.cpu);
  for (const NodeMemory& memory : step.memory) {
    figures.requested += memory.requested;
    figures.peak += memory.peak;
    figures.residual += memory.residual;
    figures.output += memory.output;
  }
  return figures;
}

Figures ProfiledNode::figures(std::int64_t step) const {
  Figures figures;
  if (step >= 0) {
    const auto it = steps.find(step);
    if (it != steps.end()) figures = of_step(it->second);
  } else if (!steps.empty()) {
    for (const auto& [number, record] : steps) figures += of_step(record);
    for_each_mean(figures, [&](std::int64_t& sum) { sum /= std::int64_t(steps.size()); });
  }
  figures.definition_count = 1;
  figures.params = parameters(shape);
  figures.float_ops = float_ops * std::max<std::int64_t>(1, figures.run_count);
  return figures;
}

std::set<std::string> ProfiledNode::devices(std::int64_t step) const {
  std::set<std::string> all;
  for (const auto& [number, record] : steps)
    if (step < 0 || number == step) all.insert(record.devices.begin(), record.devices.end());
  return all;
}

}  // namespace rill::profiler
