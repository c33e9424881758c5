#include "rill/ops/array/slice/blocks_shape.h"

#include <cstring>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/array/slice/strided_copy.h"

namespace rill {

extern const OpDecl kSpaceToBatchND, kSpaceToBatch, kBatchToSpaceND, kBatchToSpace, kSpaceToDepth,
    kDepthToSpace;

namespace {

std::int64_t divided_up(std::int64_t a, std::int64_t b) { return a <= 0 ? 0 : (a + b - 1) / b; }

// Moves the elements at one place (`offset`) of all blocks between space and their batch `place`.
// Position s of the batch is position s * size + offset - start of space, if there is one.
void move_place(const KernelCall& call, const BlockArgs& args, const Tensor& space,
                const Tensor& batch, std::span<const std::int64_t> offset, std::int64_t place,
                bool to_batch) {
  const Dims in_space = row_major_strides(space.shape()),
             in_batch = row_major_strides(batch.shape());
  StridedCopy copy;
  std::int64_t space_at = 0, batch_at = place * space.dim(0) * in_batch[0];
  const auto add = [&](std::int64_t size, std::int64_t batch_stride, std::int64_t space_stride) {
    to_batch ? copy.add_dim(size, batch_stride, space_stride)
             : copy.add_dim(size, space_stride, batch_stride);
  };
  add(space.dim(0), in_batch[0], in_space[0]);
  for (int d = 1; d < space.rank(); ++d) {
    const auto k = static_cast<std::size_t>(d - 1);
    if (k >= args.sizes.size()) {
      add(space.dim(d), in_batch[d], in_space[d]);
      continue;
    }
    const std::int64_t shift = offset[k] - args.starts[k];
    const std::int64_t begin = divided_up(-shift, args.sizes[k]);
    const std::int64_t end =
        std::min(batch.dim(d), divided_up(space.dim(d) - shift, args.sizes[k]));
    if (begin >= end) return;
    batch_at += begin * in_batch[d];
    space_at += (begin * args.sizes[k] + shift) * in_space[d];
    add(end - begin, in_batch[d], in_space[d] * args.sizes[k]);
  }
  const Tensor &to = to_batch ? batch : space, &from = to_batch ? space : batch;
  strided_copy(call, to.dtype(), element_at(to, to_batch ? batch_at : space_at),
               element_at(from, to_batch ? space_at : batch_at), copy);
}

// All places at once, where nothing was added to space or taken from it: the batch is seen as
// [places..., batch, positions..., rest] and space as [batch, (position, place)..., rest].
void move_all_places(const KernelCall& call, const BlockArgs& args, const Tensor& space,
                     const Tensor& batch, bool to_batch) {
  const Dims in_space = row_major_strides(space.shape()),
             in_batch = row_major_strides(batch.shape());
  const int blocks = static_cast<int>(args.sizes.size());
  Dims place_strides;  // of the places, in the batch
  std::int64_t stride = space.dim(0) * in_batch[0];
  for (int k = blocks - 1; k >= 0; --k) {
    place_strides.push_back(stride);
    stride *= args.sizes[static_cast<std::size_t>(k)];
  }
  StridedCopy copy;
  const auto add = [&](std::int64_t size, std::int64_t batch_stride, std::int64_t space_stride) {
    to_batch ? copy.add_dim(size, batch_stride, space_stride)
             : copy.add_dim(size, space_stride, batch_stride);
  };
  const auto add_place = [&](int k) {
    add(args.sizes[static_cast<std::size_t>(k)], place_strides[blocks - 1 - k], in_space[k + 1]);
  };
  for (int k = 0; to_batch && k < blocks; ++k) add_place(k);
  add(space.dim(0), in_batch[0], in_space[0]);
  for (int d = 1; d < space.rank(); ++d) {
    const bool cut = d <= blocks;
    add(batch.dim(d), in_batch[d],
        in_space[d] * (cut ? args.sizes[static_cast<std::size_t>(d - 1)] : 1));
    if (cut && !to_batch) add_place(d - 1);
  }
  const Tensor &to = to_batch ? batch : space, &from = to_batch ? space : batch;
  strided_copy(call, to.dtype(), to.raw_data(), from.raw_data(), copy);
}

void move_blocks(const KernelCall& call, const Tensor& space, const Tensor& batch, bool to_batch) {
  const bool by_attr = call.input_count() == 2;
  const BlockArgs args =
      block_args(*call.node().op, call.node().attrs, by_attr ? nullptr : &call.input_tensor(1),
                 &call.input_tensor(by_attr ? 1 : 2));
  if (space.element_count() == 0 || batch.element_count() == 0) return;
  if (space.element_count() == batch.element_count())
    return move_all_places(call, args, space, batch, to_batch);
  std::vector<std::int64_t> offset(args.sizes.size(), 0);
  for (std::int64_t place = 0;; ++place) {
    move_place(call, args, space, batch, offset, place, to_batch);
    std::size_t d = offset.size();
    while (d > 0 && ++offset[d - 1] == args.sizes[d - 1]) offset[--d] = 0;
    if (d == 0) return;
  }
}

void space_to_batch(KernelCall& call) {
  const Tensor& out = call.output_tensor(0);
  const bool padded = out.element_count() > call.input_tensor(0).element_count();
  if (padded && is_trivial(out.dtype()) && out.byte_size() > 0)
    std::memset(out.raw_data(), 0, out.byte_size());
  move_blocks(call, call.input_tensor(0), out, true);
}

void batch_to_space(KernelCall& call) {
  move_blocks(call, call.output_tensor(0), call.input_tensor(0), false);
}

// Both directions see space as [batch, height, block, width, block, channels], in the order of
// NHWC; NCHW has the channels in front.
void move_depth(const KernelCall& call, const Tensor& space, const Tensor& depth, bool to_depth) {
  const std::int64_t block = call.node().attr<std::int64_t>("block_size");
  const bool nhwc = call.node().attr<std::string>("data_format") == "NHWC";
  const Dims s = row_major_strides(space.shape()), z = row_major_strides(depth.shape());
  const int h = nhwc ? 1 : 2, w = h + 1, c = nhwc ? 3 : 1;
  const std::int64_t channels = space.dim(c);
  StridedCopy copy;
  const auto add = [&](std::int64_t size, std::int64_t in_space, std::int64_t in_depth) {
    to_depth ? copy.add_dim(size, in_depth, in_space) : copy.add_dim(size, in_space, in_depth);
  };
  add(space.dim(0), s[0], z[0]);
  if (!nhwc) add(channels, s[c], z[c]);
  add(depth.dim(h), s[h] * block, z[h]);
  add(block, s[h], z[c] * channels * block);
  add(depth.dim(w), s[w] * block, z[w]);
  add(block, s[w], z[c] * channels);
  if (nhwc) add(channels, s[c], z[c]);
  if (space.element_count() == 0) return;
  const Tensor &to = to_depth ? depth : space, &from = to_depth ? space : depth;
  strided_copy(call, to.dtype(), to.raw_data(), from.raw_data(), copy);
}

void space_to_depth(KernelCall& call) {
  move_depth(call, call.input_tensor(0), call.output_tensor(0), true);
}
void depth_to_space(KernelCall& call) {
  move_depth(call, call.output_tensor(0), call.input_tensor(0), false);
}

constexpr KernelEntry kEntries[] = {
    {.op = &kSpaceToBatchND, .run = space_to_batch}, {.op = &kSpaceToBatch, .run = space_to_batch},
    {.op = &kBatchToSpaceND, .run = batch_to_space}, {.op = &kBatchToSpace, .run = batch_to_space},
    {.op = &kSpaceToDepth, .run = space_to_depth},   {.op = &kDepthToSpace, .run = depth_to_space},
};

}  // namespace

extern const KernelTable kBlocksCpu{kEntries};

}  // namespace rill
