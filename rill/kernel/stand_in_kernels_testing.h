#pragma once

#include <algorithm>
#include <future>
#include <unordered_map>

#include "rill/kernel/host_arguments.h"
#include "rill/kernel/kernel_fit.h"
#include "rill/kernel/stand_in_testing.h"

namespace rill {

// The kernels of the stand-in device: those of the CPU, for the ops that have a GPU kernel in
// TensorFlow, on the device's thread. One that allocates for itself, touches variables or writes to
// host memory is waited for, as one of a GPU would wait for its stream; all others run late.
class StandInKernels {
 public:
  static void add_to(KernelRegistry& registry, const std::string& device_type = "STANDIN") {
    cpu_kernels() = &registry;
    for (const HostArguments& known : gpu_host_arguments()) {
      const auto entries = registry.entries(known.op, "CPU");
      if (std::ranges::any_of(entries, &KernelEntry::any_device)) continue;
      for (const KernelEntry* cpu : entries) {
        if (cpu->run == nullptr || cpu->run_async != nullptr || calls_functions(*cpu)) continue;
        KernelEntry entry = *cpu;
        entry.run = entry.allocates ? run_waiting : run_structured;
        entry.make_state = entry.allocates ? make_state<true> : make_state<false>;
        entry.label = "";
        registry.add(std::string(known.op), device_type, entry);
      }
    }
  }

 private:
  struct State final : KernelState {
    const KernelEntry* entry = nullptr;
    std::unique_ptr<KernelState> own;
    bool on_host = false;  // all arguments are the host's
    bool waits = false;
  };

  // Functions run on the CPU, with what their caller was given.
  static bool calls_functions(const KernelEntry& cpu) {
    return cpu.op != nullptr && std::ranges::any_of(cpu.op->attrs, [](std::string_view attr) {
             return attr.find("func") != std::string_view::npos;
           });
  }

  static KernelRegistry*& cpu_kernels() {
    static KernelRegistry* registry = nullptr;
    return registry;
  }

  template <bool allocates>
  static std::unique_ptr<KernelState> make_state(const KernelNode& node) {
    auto state = std::make_unique<State>();
    for (const KernelEntry* entry : cpu_kernels()->entries(node.op->name, "CPU")) {
      const bool fits = entry->run != nullptr && entry->allocates == allocates &&
                        types_fit(*entry, *node.op, node.attrs) &&
                        (entry->accept == nullptr || entry->accept(node) == nullptr);
      if (fits && state->entry == nullptr) state->entry = entry;
    }
    if (state->entry->make_state != nullptr) state->own = state->entry->make_state(node);
    const auto is_host = [](MemoryKind kind) { return kind == MemoryKind::host; };
    const auto is_object = [](DType type) { return is_ref(type) || !is_trivial(type); };
    const bool objects = std::ranges::any_of(node.input_types, is_object) ||
                         std::ranges::any_of(node.output_types, is_object);
    const bool host_results = std::ranges::any_of(node.output_memory, is_host);
    state->on_host = !objects && std::ranges::all_of(node.input_memory, is_host) &&
                     std::ranges::all_of(node.output_memory, is_host);
    state->waits = objects || host_results || node.op->has(kStateful);
    return state;
  }

  // The values of a call, as the CPU's kernel gets them.
  struct Values {
    std::vector<Value> inputs, outputs;

    void run(const KernelCall& call, const State& state, StepContext& step) {
      std::vector<Value*> in, out;
      for (Value& value : inputs) in.push_back(&value);
      for (Value& value : outputs) out.push_back(&value);
      run(call.node(), state, step, in, out);
    }
    void run(const KernelNode& node, const State& state, StepContext& step) {
      std::vector<Value*> in, out;
      for (Value& value : inputs) in.push_back(&value);
      for (Value& value : outputs) out.push_back(&value);
      run(node, state, step, in, out);
    }

   private:
    static void run(const KernelNode& node, const State& state, StepContext& step,
                    std::span<Value* const> in, std::span<Value* const> out) {
      KernelCall inner(node, state.own.get(), in, out, step);
      state.entry->run(inner);
    }
  };

  static StandInDevice& device_of(const KernelCall& call) {
    return static_cast<StandInDevice&>(call.device());
  }

  static Values take_values(const KernelCall& call) {
    Values values;
    for (int i = 0; i < call.input_count(); ++i) {
      Value value;
      if (is_ref(call.node().input_type(i))) {
        value.ref = call.ref_input(i);
      } else {
        value.tensor = call.input_tensor(i);
      }
      values.inputs.push_back(std::move(value));
    }
    for (int i = 0; i < call.output_count(); ++i) {
      values.outputs.emplace_back();
      values.outputs.back().tensor = std::move(call.output_tensor(i));
    }
    return values;
  }

  static void give_results(const KernelCall& call, Values& values) {
    for (int i = 0; i < call.output_count(); ++i) {
      Value& result = values.outputs[static_cast<std::size_t>(i)];
      if (result.ref != nullptr) call.set_ref_output(i, std::move(result.ref));
      call.output_tensor(i) = std::move(result.tensor);
    }
  }

  // The CPU's kernels do not know which outputs belong into which memory.
  static void move_results(const KernelNode& node, Values& values, StandInDevice& device) {
    for (std::size_t i = 0; i < values.outputs.size(); ++i) {
      Tensor& result = values.outputs[i].tensor;
      const MemoryKind kind = node.output_kind(static_cast<int>(i));
      if (result.has_value() && result.memory_kind() != kind)
        result = result.copied_to(device.allocator(kind));
    }
  }

  // Runs on the queue's thread; this one waits, and throws what the kernel throws.
  static void run_waiting(KernelCall& call) {
    auto& state = call.state<State>();
    StandInDevice& device = device_of(call);
    StandInCard& card = device.card();
    if (!state.on_host) ++card.counts.waited;
    Values values = take_values(call);
    std::promise<void> ended;
    const std::lock_guard lock(card.enqueueing());
    card.kernels().add([&] {
      try {
        card.begin(StandInEvent::kernel);
        card.memory().open();
        const DeviceMemoryAccess access;
        values.run(call, state, call.step());
        move_results(call.node(), values, device);
        card.memory().close();
        ended.set_value();
      } catch (...) {
        card.memory().close();
        ended.set_exception(std::current_exception());
      }
    });
    ended.get_future().get();
    give_results(call, values);
  }

  // Tensors of the same bytes, where the device itself reaches them. They keep nothing: whoever
  // frees the memory meanwhile may only enqueue something else for it.
  class Reach {
   public:
    explicit Reach(StandInCard& card) : card_(card) {}
    Tensor operator()(const Tensor& tensor) {
      if (tensor.memory_kind() != MemoryKind::device) return tensor;
      Buffer* const buffer = tensor.buffer().get();
      BufferRef& reached = known_[buffer];
      if (!reached)
        reached = BufferRef(
            Buffer::borrow(card_.memory().reach(buffer->data()), buffer->bytes(), {}, false));
      return {tensor.dtype(), tensor.shape(), reached, card_.memory().reach(tensor.raw_data())};
    }

   private:
    StandInCard& card_;
    std::unordered_map<Buffer*, BufferRef> known_;
  };

  static void run_structured(KernelCall& call) {
    auto& state = call.state<State>();
    if (state.on_host) return run_on_host(call, state);
    if (state.waits) return run_waiting(call);
    StandInDevice& device = device_of(call);
    StandInCard& card = device.card();
    card.check_alive();
    ++card.counts.late;
    Reach reach(card);
    auto values = std::make_shared<Values>();
    LateError late{.node = call.node().name, .inputs = {}, .error = nullptr};
    for (int i = 0; i < call.input_count(); ++i) {
      const Tensor& input = call.input_tensor(i);
      values->inputs.push_back({reach(input), nullptr});
      late.inputs.push_back(str_cat(input.dtype(), input.shape()));
    }
    for (int i = 0; i < call.output_count(); ++i)
      values->outputs.push_back({reach(call.output_tensor(i)), nullptr});
    const std::lock_guard lock(card.enqueueing());
    card.kernels().add([&device, &card, &node = call.node(), &state, &step = call.step(), values,
                        late = std::move(late)]() mutable {
      if (device.failed(step.step_id)) return;
      try {
        card.begin(StandInEvent::kernel);
        values->run(node, state, step);
      } catch (...) {
        late.error = std::current_exception();
        device.fail(step.step_id, std::move(late));
      }
    });
  }

  static void run_on_host(KernelCall& call, State& state) {
    Values values = take_values(call);
    values.run(call, state, call.step());
    give_results(call, values);
  }
};

}  // namespace rill
