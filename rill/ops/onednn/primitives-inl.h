// What the wrappers of oneDNN's primitives have in common; for `.cpu.cc` files of this folder.
#pragma once

#include <dnnl.hpp>
#include <map>
#include <memory>
#include <mutex>
#include <string_view>

#include "rill/base/error.h"
#include "rill/ops/onednn/one_thread.h"

namespace rill {

inline dnnl::engine& dnnl_engine() {
  static dnnl::engine cpu(dnnl::engine::kind::cpu, 0);
  return cpu;
}

// Primitives get their scratch memory from the caller, so that threads can share them.
inline dnnl::primitive_attr dnnl_attributes() {
  dnnl::primitive_attr attr;
  attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  return attr;
}

// Calls body(stream) on this thread alone; oneDNN's exceptions become Internal.
template <class Body>
void call_dnnl(const char* what, Body body) {
  try {
    const OneThread one_thread;
    dnnl::stream stream(dnnl_engine());
    body(stream);
    stream.wait();
  } catch (const dnnl::error& error) {
    raise(Code::kInternal, "oneDNN failed in ", what, ": ", error.what());
  }
}

inline dnnl::memory dnnl_memory(const dnnl::memory::desc& desc, const void* data) {
  return dnnl::memory(desc, dnnl_engine(), const_cast<void*>(data));
}

// Compiled primitives by shape. Those that oneDNN does not have are remembered as nullptr.
template <class Shape, class Compiled>
class CompiledByShape {
 public:
  // compile(shape) returns a unique_ptr<Compiled::Impl>, empty when the primitive is of no use.
  template <class Compile>
  std::shared_ptr<const Compiled> find(const Shape& shape, Compile compile) {
    std::lock_guard lock(mutex_);
    if (const auto it = kept_.find(shape); it != kept_.end()) return it->second;
    std::unique_ptr<typename Compiled::Impl> impl;
    try {
      const OneThread one_thread;
      impl = compile(shape);
    } catch (const dnnl::error&) {
      // It has no kernel for the shape.
    }
    if (kept_.size() >= kMaxKept) kept_.clear();
    auto compiled = impl ? std::make_shared<const Compiled>(std::move(impl)) : nullptr;
    return kept_.emplace(shape, std::move(compiled)).first->second;
  }

 private:
  static constexpr std::size_t kMaxKept = 512;  // programs have some dozens
  std::mutex mutex_;
  std::map<Shape, std::shared_ptr<const Compiled>> kept_;
};

}  // namespace rill
