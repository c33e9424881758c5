#include "rill/io/bundle_writer.h"
#include "rill/io/checkpoint_reader.h"
#include "rill/io/slice_file_reader.h"
#include "rill/io/slice_file_writer.h"
#include "rill/kernel/kernel_entries.h"
#include "rill/kernel/op_guard.h"
#include "rill/ops/io/restore_in_place.h"
#include "rill/ops/io/single_string.h"

namespace rill {

extern const OpDecl kSaveV2, kRestoreV2, kMergeV2Checkpoints, kSaveOp, kSaveSlices, kRestoreOp,
    kRestoreSlice;

namespace {

// The text of an empty specification names the whole tensor.
ShapeAndSlice part_of(const std::string& spec, const Tensor& tensor) {
  ShapeAndSlice part = parse_shape_and_slice(spec);
  require(
      part.part == tensor.shape(),
      "Slice in shape_and_slice specification does not match the shape of the tensor to  save: ",
      spec, ", tensor: ", tensor.shape());
  return part;
}

// Adds the tensors on inputs [first, ...) to a writer of either format.
template <class Writer>
void save_all(const KernelCall& call, int specs_input, int first, Writer& writer) {
  const auto names = call.input<std::string>(1);
  const auto count = static_cast<std::size_t>(call.input_count() - first);
  if (specs_input >= 0)
    require(call.input<std::string>(specs_input).size() == names.size(),
            "tensor_names and shape_and_slices have different number of elements: ", names.size(),
            " vs. ", call.input<std::string>(specs_input).size());
  require(names.size() == count, "Got ", names.size(), " tensor names but ", count, " tensors.");
  for (std::size_t i = 0; i < count; ++i) {
    const Tensor& tensor = call.input_tensor(first + static_cast<int>(i));
    const std::string spec =
        specs_input < 0 ? std::string() : call.input<std::string>(specs_input)[i];
    if (spec.empty()) {
      writer.add(names[i], tensor);
    } else {
      const ShapeAndSlice part = part_of(spec, tensor);
      writer.add_slice(names[i], part.full, part.slice, tensor);
    }
  }
  writer.finish();
}

void save_v2(KernelCall& call) {
  BundleWriter writer(single_string(call, 0, "prefix"));
  save_all(call, 2, 3, writer);
}
void save(KernelCall& call) {
  SliceFileWriter writer(single_string(call, 0, "filename"));
  save_all(call, -1, 2, writer);
}
void save_slices(KernelCall& call) {
  SliceFileWriter writer(single_string(call, 0, "filename"));
  save_all(call, 2, 3, writer);
}

Tensor restored(const CheckpointReader& reader, const std::string& name, const std::string& spec) {
  if (spec.empty()) return reader.read(name);
  const ShapeAndSlice part = parse_shape_and_slice(spec);
  const Shape& stored = reader.tensor(name).shape;
  require(part.full == stored, "tensor_name = ", name, "; shape in shape_and_slice spec ",
          part.full, " does not match the shape stored in checkpoint: ", stored);
  return reader.read_slice(name, part.slice);
}

bool is_large(const StoredTensor& stored) {
  constexpr std::int64_t kLarge = std::int64_t{16} << 20;  // bytes; several pieces
  return is_trivial(stored.dtype) &&
         stored.shape.element_count() >=
             kLarge / static_cast<std::int64_t>(element_size(stored.dtype));
}

void restore_v2(KernelCall& call) {
  const auto names = call.input<std::string>(1), specs = call.input<std::string>(2);
  const auto count = static_cast<std::size_t>(call.output_count());
  require(names.size() == count, "Got ", names.size(), " tensor names, but ", count,
          " expected dtypes.");
  require(specs.size() == count, "Got ", specs.size(), " shapes and slices, but ", count,
          " tensor names.");
  const std::string& prefix = single_string(call, 0, "prefix");
  check_path(call, prefix);
  const auto reader = CheckpointReader::open(prefix);
  for (std::size_t i = 0; i < count; ++i) {
    const DType wanted = call.node().output_type(static_cast<int>(i));
    const DType stored = reader->tensor(names[i]).dtype;
    require(stored == wanted, "tensor_name = ", names[i], "; expected dtype ", wanted,
            " does not equal original dtype ", stored);
  }
  constexpr double kNanosPerTensor = 50e3, kNanosPerPiece = 1e6;  // worth a thread
  // Large tensors one after the other, in pieces; the others, several at the same time.
  const auto in_pieces = [&](std::size_t pieces, FunctionRef<void(std::size_t)> piece) {
    call.parallel_for(pieces, kNanosPerPiece, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) piece(i);
    });
  };
  const std::vector<bool> done = restore_in_place(call, *reader, names, specs);
  std::vector<std::size_t> small;
  for (std::size_t i = 0; i < count; ++i) {
    if (done[i]) continue;
    if (specs[i].empty() && is_large(reader->tensor(names[i])))
      call.set_output(static_cast<int>(i), reader->read_in_pieces(names[i], in_pieces));
    else
      small.push_back(i);
  }
  call.parallel_for(small.size(), kNanosPerTensor, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) {
      const std::size_t i = small[k];
      call.set_output(static_cast<int>(i), restored(*reader, names[i], specs[i]));
    }
  });
}

void restore_from_slices(KernelCall& call, const std::string& spec) {
  const std::string& pattern = single_string(call, 0, "file_pattern");
  const std::string& name = single_string(call, 1, "tensor_name");
  check_path(call, pattern);
  const SliceFileReader reader(pattern);
  const auto stored = reader.tensors().find(name);
  if (stored == reader.tensors().end())
    raise(Code::kNotFound, "Tensor name \"", name, "\" not found in checkpoint files ", pattern);
  const DType wanted = call.node().output_type(0);
  require(stored->second.dtype == wanted, "Expected to restore a tensor of type ", wanted,
          ", got a tensor of type ", stored->second.dtype, " instead: tensor_name = ", name);
  call.set_output(0, restored(reader, name, spec));
}

void restore(KernelCall& call) { restore_from_slices(call, ""); }
void restore_slice(KernelCall& call) {
  restore_from_slices(call, single_string(call, 2, "shape_and_slice"));
}

void merge_checkpoints(KernelCall& call) {
  const auto prefixes = call.input<std::string>(0);
  merge_bundles(prefixes, single_string(call, 1, "destination_prefix"),
                {.delete_old_directories = call.node().attr<bool>("delete_old_dirs")});
}

// The tensors may lie in the memory of any device: they go into the file piece by piece.
constexpr KernelEntry from_anywhere(KernelEntry entry) {
  entry.host_memory = "prefix,tensor_names,shape_and_slices";
  return entry;
}

constexpr KernelEntry kEntries[] = {
    from_anywhere(allocating_kernel(kSaveV2, save_v2)),
    allocating_kernel(kRestoreV2, restore_v2),
    allocating_kernel(kSaveOp, save),
    allocating_kernel(kSaveSlices, save_slices),
    allocating_kernel(kRestoreOp, restore),
    allocating_kernel(kRestoreSlice, restore_slice),
    allocating_kernel(kMergeV2Checkpoints, merge_checkpoints),
};

}  // namespace

extern const KernelTable kCheckpointCpu{kEntries};

}  // namespace rill
