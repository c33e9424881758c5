#include "rill/base/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "rill/base/error.h"

namespace rill {
namespace {

struct Descriptor {
  explicit Descriptor(int number) : number(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number >= 0) ::close(number);
  }
  const int number;
};

[[noreturn]] void fail(const std::string& path, int error) {
  const Code code = error == ENOENT || error == ENOTDIR ? Code::kNotFound
                    : error == EACCES || error == EPERM ? Code::kPermissionDenied
                                                        : Code::kUnknown;
  raise(code, path, "; ", std::generic_category().message(error));
}

}  // namespace

std::shared_ptr<const MappedFile> MappedFile::open(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat facts {};
  if (file.number < 0 || ::fstat(file.number, &facts) != 0) fail(path, errno);
  if (!S_ISREG(facts.st_mode)) raise(Code::kFailedPrecondition, path, " is not a regular file");
  const auto size = static_cast<std::size_t>(facts.st_size);
  void* data = nullptr;
  if (size > 0) {
    data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.number, 0);
    if (data == MAP_FAILED) fail(path, errno);
  }
  return std::shared_ptr<const MappedFile>(new MappedFile(data, size));
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) ::munmap(data_, size_);
}

}  // namespace rill
