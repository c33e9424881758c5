#include "rill/compat/library.h"

#include <dlfcn.h>

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>

#include "rill/base/error.h"
#include "rill/base/log.h"
#include "rill/ops/register.h"

namespace rill {
namespace {

// What the static registrars of the library being loaded on this thread have done so far.
struct Loading {
  std::vector<const Op*> ops;
  std::set<std::string> names;
  std::optional<Error> first_error;
};
thread_local Loading* loading = nullptr;

std::map<void*, std::unique_ptr<OpLibrary>>& libraries() {
  static auto& loaded = *new std::map<void*, std::unique_ptr<OpLibrary>>;
  return loaded;
}

// A library that was loaded before the process asked for it (a program is linked with it) has done
// its registrations already.
void* open_library(const std::string& path) {
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    const char* why = dlerror();
    raise(Code::kNotFound, why == nullptr ? "cannot be loaded" : why);
  }
  return handle;
}

}  // namespace

void note_registration(const std::string& what, const std::function<const Op*()>& add) {
  try {
    const Op* op = add();
    if (loading == nullptr || op == nullptr) return;
    loading->ops.push_back(op);
    loading->names.insert(op->name);
  } catch (const Error& error) {
    const bool others = error.code() == Code::kAlreadyExists && loading != nullptr &&
                        !loading->names.contains(what);
    if (others) {
      if (const Op* op = standard_ops().find(what)) {
        loading->ops.push_back(op);
        loading->names.insert(what);
        return;
      }
    }
    if (loading == nullptr)
      log(LogLevel::kError, "registration of ", what, ": ", error.message());
    else if (!loading->first_error)
      loading->first_error = error;
  }
}

const OpLibrary& load_op_library(const std::string& path) {
  static std::mutex& mutex = *new std::mutex;
  const std::lock_guard lock(mutex);
  Loading seen;
  loading = &seen;
  void* handle = nullptr;
  try {
    handle = open_library(path);
  } catch (...) {
    loading = nullptr;
    throw;
  }
  loading = nullptr;
  if (seen.first_error) throw *seen.first_error;
  auto& library = libraries()[handle];
  if (library == nullptr) library.reset(new OpLibrary{path, std::move(seen.ops)});
  return *library;
}

}  // namespace rill
