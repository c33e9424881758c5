#include "rill/base/mapped_file.h"
#include "rill/kernel/kernel_registry.h"

namespace rill {

extern const OpDecl kImmutableConst;

namespace {

// The first elements of the file; the tensor keeps it mapped.
Tensor tensor_of(const std::string& path, DType dtype, const Shape& shape) {
  constexpr std::string_view kLocal = "file://";
  const bool local = path.starts_with(kLocal);
  if (!local && path.find("://") != path.npos)
    raise(Code::kUnimplemented, "ImmutableConst reads local files alone, not ", path);
  const auto file = MappedFile::open(local ? path.substr(kLocal.size()) : path);
  const std::size_t bytes = shape.byte_size(element_size(dtype));
  if (bytes > file->size())
    raise(Code::kInternal, "Readonly memory region has wrong length (", file->size(),
          ") when allocating ", bytes);
  void* const data = const_cast<void*>(file->data());  // the buffer is read-only as well
  return {dtype, shape,
          BufferRef(Buffer::borrow(
              data, bytes, [file] {}, /*read_only=*/true)),
          data};
}

struct MappedConst final : KernelState {
  Tensor tensor;
};

std::unique_ptr<KernelState> make_mapped_const(const KernelNode& node) {
  const auto dtype = node.attr<DType>("dtype");
  if (!is_trivial(dtype))
    raise(Code::kUnimplemented, "ImmutableConst cannot make elements of type ", dtype);
  auto region = std::make_unique<MappedConst>();
  region->tensor = tensor_of(node.attr<std::string>("memory_region_name"), dtype,
                             node.attr<PartialShape>("shape").full());
  return region;
}

void immutable_const(KernelCall& call) { call.set_output(0, call.state<MappedConst>().tensor); }

constexpr KernelEntry kEntries[] = {{.op = &kImmutableConst,
                                     .run = immutable_const,
                                     .make_state = make_mapped_const,
                                     .allocates = true,
                                     .expensive = false}};

}  // namespace

extern const KernelTable kImmutableConstCpu{kEntries};

}  // namespace rill
