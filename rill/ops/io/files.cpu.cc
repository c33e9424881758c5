#include <algorithm>
#include <cstdio>

#include "rill/base/files.h"
#include "rill/kernel/kernel_registry.h"

namespace rill {

extern const OpDecl kReadFile, kWriteFile, kMatchingFiles, kShardedFilename, kShardedFilespec;

namespace {

template <class T>
const T& scalar_input(const KernelCall& call, int i, const char* name) {
  const Tensor& value = call.input_tensor(i);
  require(value.rank() == 0, name, " must be a scalar, got shape ", value.shape());
  return *value.data<T>();
}

void read(KernelCall& call) {
  const auto& path = scalar_input<std::string>(call, 0, "filename");
  call.set_output(0, Tensor::scalar<std::string>(read_file(path)));
}

void write(KernelCall& call) {
  const auto& path = scalar_input<std::string>(call, 0, "filename");
  const auto& contents = scalar_input<std::string>(call, 1, "contents");
  const std::string directory = parent_path(path);
  if (!directory.empty()) make_directories(directory);
  write_file(path, contents);
}

void matching_files(KernelCall& call) {
  const Tensor& patterns = call.input_tensor(0);
  require(patterns.rank() <= 1,
          "Input patterns tensor must be scalar or vector, but had shape: ", patterns.shape());
  std::vector<std::string> paths = matching_paths(patterns.flat<std::string>());
  std::ranges::sort(paths);
  Tensor& out = call.allocate_output(0, {static_cast<std::int64_t>(paths.size())});
  std::ranges::move(paths, out.data<std::string>());
}

std::string number_text(std::int32_t number) {
  char digits[16];
  std::snprintf(digits, sizeof digits, "%05d", number);
  return digits;
}

void sharded_filename(KernelCall& call) {
  const auto& base = scalar_input<std::string>(call, 0, "basename");
  const auto shard = scalar_input<std::int32_t>(call, 1, "shard");
  const auto count = scalar_input<std::int32_t>(call, 2, "num_shards");
  call.output<std::string>(0)[0] =
      str_cat(base, "-", number_text(shard), "-of-", number_text(count));
}

void sharded_filespec(KernelCall& call) {
  const auto& base = scalar_input<std::string>(call, 0, "basename");
  const auto count = scalar_input<std::int32_t>(call, 1, "num_shards");
  call.output<std::string>(0)[0] = str_cat(base, "-\?\?\?\?\?-of-", number_text(count));
}

constexpr KernelEntry kEntries[] = {
    {.op = &kReadFile, .run = read, .allocates = true},
    {.op = &kWriteFile, .run = write, .allocates = true},
    {.op = &kMatchingFiles, .run = matching_files, .allocates = true},
    {.op = &kShardedFilename, .run = sharded_filename, .expensive = false},
    {.op = &kShardedFilespec, .run = sharded_filespec, .expensive = false},
};

}  // namespace

extern const KernelTable kFilesCpu{kEntries};

}  // namespace rill
