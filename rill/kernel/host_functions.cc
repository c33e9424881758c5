#include "rill/kernel/host_functions.h"

#include <mutex>
#include <unordered_map>

#include "rill/base/text.h"

namespace rill {
namespace {

struct Entry {
  HostFunction function, gradient;
};

struct Functions {
  std::mutex mutex;
  std::unordered_map<std::string, Entry> by_token;
  long next = 0;
};
Functions& functions() {
  static Functions& all = *new Functions;  // a program's functions may outlive static storage
  return all;
}

Entry find(const std::string& token) {
  Functions& all = functions();
  const std::lock_guard lock(all.mutex);
  const auto it = all.by_token.find(token);
  return it == all.by_token.end() ? Entry() : it->second;
}

}  // namespace

std::string add_host_function(HostFunction function, HostFunction gradient) {
  Functions& all = functions();
  const std::lock_guard lock(all.mutex);
  std::string token = str_cat("pyfunc_", all.next++);
  all.by_token.emplace(token, Entry{std::move(function), std::move(gradient)});
  return token;
}

void remove_host_function(const std::string& token) {
  Entry last;  // dies after the lock is free: what it holds may call back
  Functions& all = functions();
  const std::lock_guard lock(all.mutex);
  if (const auto it = all.by_token.find(token); it != all.by_token.end()) {
    last = std::move(it->second);
    all.by_token.erase(it);
  }
}

HostFunction find_host_function(const std::string& token) { return find(token).function; }
HostFunction find_host_gradient(const std::string& token) { return find(token).gradient; }

}  // namespace rill
