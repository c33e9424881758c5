#include "rill/ops/array/slice/extract_patches_shape.h"

#include "rill/kernel/kernel_registry.h"

namespace rill {

extern const OpDecl kExtractImagePatches, kExtractVolumePatches;

namespace {

// Elements are moved by size: zero is all zero bits in every type.
template <class Bits>
void take_patches(KernelCall& call, const ConvProblem& problem) {
  const Patches<Bits> patches(problem);
  const auto* images = static_cast<const Bits*>(call.input_tensor(0).raw_data());
  auto* out = static_cast<Bits*>(call.output_tensor(0).raw_data());
  const std::int64_t places = problem.positions(), size = problem.patch_size();
  const std::int64_t image_size = problem.image_size();
  call.parallel_for(static_cast<std::size_t>(problem.batch * places),
                    static_cast<double>(size) * 0.2, [&](std::size_t begin, std::size_t end) {
                      for (auto i = static_cast<std::int64_t>(begin);
                           i < static_cast<std::int64_t>(end); ++i)
                        patches.take(images + i / places * image_size, i % places, out + i * size);
                    });
}

void extract_patches(KernelCall& call) {
  if (call.output_tensor(0).element_count() == 0) return;
  const Tensor& images = call.input_tensor(0);
  const ConvProblem problem =
      patch_windows(call.node().op->name, call.node().attrs, images.shape());
  switch (element_size(images.dtype())) {
    case 1:
      return take_patches<std::uint8_t>(call, problem);
    case 2:
      return take_patches<std::uint16_t>(call, problem);
    case 4:
      return take_patches<std::uint32_t>(call, problem);
    default:
      return take_patches<std::uint64_t>(call, problem);
  }
}

constexpr TypeSet kPatchTypes = kRealTypes - (DType::u32 | DType::u64);

constexpr KernelEntry kEntries[] = {
    {.op = &kExtractImagePatches, .types = kPatchTypes, .run = extract_patches},
    {.op = &kExtractVolumePatches, .types = kPatchTypes, .run = extract_patches},
};

}  // namespace

extern const KernelTable kExtractPatchesCpu{kEntries};

}  // namespace rill
