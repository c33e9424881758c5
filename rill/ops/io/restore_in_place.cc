#include "rill/ops/io/restore_in_place.h"

#include "rill/base/function_ref.h"
#include "rill/io/bundle_reader.h"

namespace rill {
namespace {

constexpr double kNanosPerTensor = 50e3;  // worth a thread

// Where an output is wanted that goes to a device; nullptr: on the host.
Allocator* memory_for(const Tensor& offered) {
  return offered.memory_kind() == MemoryKind::device ? offered.buffer()->allocator() : nullptr;
}

bool fits(const Tensor& memory, const StoredTensor& stored) {
  return memory.has_value() && memory.dtype() == stored.dtype && memory.shape() == stored.shape;
}

}  // namespace

std::vector<bool> restore_in_place(const KernelCall& call, const CheckpointReader& reader,
                                   std::span<const std::string> names,
                                   std::span<const std::string> specs) {
  const auto* const bundle = dynamic_cast<const BundleReader*>(&reader);
  std::vector<bool> chosen(names.size(), false);
  std::vector<std::size_t> tensors, away;
  for (std::size_t i = 0; i < names.size(); ++i) {
    Tensor& output = call.output_tensor(static_cast<int>(i));
    const bool is_away = memory_for(output) != nullptr;
    chosen[i] = bundle != nullptr && specs[i].empty() &&
                (is_away || fits(output, reader.tensor(names[i]))) && bundle->is_plain(names[i]);
    if (chosen[i])
      (is_away ? away : tensors).push_back(i);
    else
      output.clear();
  }
  for (const std::size_t i : away) {
    Tensor& output = call.output_tensor(static_cast<int>(i));
    output = bundle->read_into(names[i], *memory_for(output));
  }
  const auto each = [&](FunctionRef<void(std::size_t)> work) {
    call.parallel_for(tensors.size(), kNanosPerTensor, [&](std::size_t begin, std::size_t end) {
      for (std::size_t k = begin; k < end; ++k) work(tensors[k]);
    });
  };
  each([&](std::size_t i) { bundle->verify(names[i]); });
  each([&](std::size_t i) {
    const Tensor& memory = call.output_tensor(static_cast<int>(i));
    bundle->fill(names[i], {static_cast<char*>(memory.raw_data()), memory.byte_size()});
  });
  return chosen;
}

}  // namespace rill
