#include <limits>

#include "rill/kernel/kernel_registry.h"

namespace rill {

extern const OpDecl kShape, kShapeN, kSize, kRank;

namespace {

constexpr std::int64_t kMaxInt32 = std::numeric_limits<std::int32_t>::max();

template <class T>
void shape(KernelCall& call) {
  for (int i = 0; i < call.output_count(); ++i) {
    const Shape& input = call.input_tensor(i).shape();
    const auto output = call.output<T>(i);
    for (int d = 0; d < input.rank(); ++d) {
      require(sizeof(T) == 8 || input.dim(d) <= kMaxInt32, "Shape output type is 32-bit  but dim ",
              d, " is ", input.dim(d));
      output[static_cast<std::size_t>(d)] = static_cast<T>(input.dim(d));
    }
  }
}

template <class T>
void size(KernelCall& call) {
  const std::int64_t count = call.input_tensor(0).element_count();
  require(sizeof(T) == 8 || count <= kMaxInt32,
          "Number of elements was larger than representable by 32-bit output type");
  call.output<T>(0)[0] = static_cast<T>(count);
}

void rank(KernelCall& call) { call.output<std::int32_t>(0)[0] = call.input_tensor(0).rank(); }

constexpr KernelEntry of_shape(const OpDecl& op, KernelFn run, TypeSet result) {
  return {.op = &op, .run = run, .expensive = false, .types2 = result, .any_device = true};
}

constexpr DType i32 = DType::i32, i64 = DType::i64;
constexpr KernelEntry kEntries[] = {
    of_shape(kShape, shape<std::int32_t>, i32),
    of_shape(kShape, shape<std::int64_t>, i64),
    of_shape(kShapeN, shape<std::int32_t>, i32),
    of_shape(kShapeN, shape<std::int64_t>, i64),
    of_shape(kSize, size<std::int32_t>, i32),
    of_shape(kSize, size<std::int64_t>, i64),
    of_shape(kRank, rank, {}),
};

}  // namespace

extern const KernelTable kShapeCpu{kEntries};

}  // namespace rill
