#include "basic_hooks.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "class_call.h"
#include "hook_arguments.h"
#include "hooks.h"
#include "kept.h"
#include "numpy.h"
#include "package.h"
#include "program_error.h"
#include "protos.h"
#include "rill/api/training/basic_hooks.h"
#include "rill/api/training/global_step_read.h"
#include "rill/api/training/timeline.h"
#include "session.h"
#include "tensorflow/core/framework/step_stats.pb.h"
#include "tensorflow/core/protobuf/config.pb.h"
#include "variables.h"

namespace rill::python {
namespace {

nb::list values_list(const std::vector<Tensor>& values) {
  nb::list list;
  for (const Tensor& value : values) list.append(numpy_from_tensor(value.clone()));
  return list;
}

std::vector<Tensor> tensor_values(nb::handle values) {
  std::vector<Tensor> tensors;
  for (nb::handle value : values) tensors.push_back(tensor_from_value(value, DType::invalid));
  return tensors;
}

// --- timers --------------------------------------------------------------------------------------

nb::object elapsed_pair(const std::optional<train::HookTimer::Elapsed>& elapsed) {
  if (!elapsed) return nb::make_tuple(nb::none(), nb::none());
  return nb::make_tuple(elapsed->secs, elapsed->steps);
}

void bind_timers(nb::module_& m) {
  nb::class_<train::HookTimer> timer(m, "HookTimer");
  timer.def("reset", &train::HookTimer::reset);
  timer.def(
      "should_trigger_for_step",
      [](train::HookTimer& self, nb::handle step) {
        return self.should_trigger_for_step(step_number(step));
      },
      nb::arg("step"));
  timer.def(
      "update_last_triggered_step",
      [](train::HookTimer& self, nb::handle step) {
        return elapsed_pair(self.update_last_triggered_step(step_number(step)));
      },
      nb::arg("step"));
  timer.def("last_triggered_step", &train::HookTimer::last_triggered_step);
  nb::class_<train::SecondOrStepTimer, train::HookTimer> second_or_step(m, "SecondOrStepTimer");
  second_or_step.doc() = "Triggers at most once every so many seconds, or steps.";
  second_or_step.def(
      "__init__",
      [](train::SecondOrStepTimer* self, nb::handle every_secs, nb::handle every_steps) {
        building([&] {
          new (self) train::SecondOrStepTimer(
              {.every_secs = seconds(every_secs), .every_steps = steps(every_steps)});
        });
      },
      nb::arg("every_secs") = nb::none(), nb::arg("every_steps") = nb::none());
  nb::class_<train::NeverTriggerTimer, train::HookTimer> never(m, "NeverTriggerTimer");
  never.doc() = "Never triggers.";
  never.def(nb::init<>());
}

// --- logging -------------------------------------------------------------------------------------

// `text` and `formatter` are functions of values as runs return them.
void make_logging_hook(train::LoggingTensorHook* self, const nb::list& tags,
                       const nb::list& finders, nb::handle every_n_iter, nb::handle every_n_secs,
                       bool at_end, nb::handle formatter, nb::handle text) {
  std::vector<std::pair<std::string, train::TensorOrName>> tensors;
  for (std::size_t i = 0; i < tags.size(); ++i)
    tensors.emplace_back(str_of(tags[i]), found_by(finders[i]));
  train::LoggingTensorHookOptions options{
      .every_n_iter = steps(every_n_iter), .every_n_secs = seconds(every_n_secs), .at_end = at_end};
  options.value_text = [held = keep(text)](const Tensor& value) {
    return in_program([&] { return str_of(kept(held)(numpy_from_tensor(value.clone()))); });
  };
  if (!formatter.is_none())
    options.formatter = [held = keep(formatter)](const train::TaggedValues& values) {
      return in_program([&] {
        nb::list list;
        for (const auto& [tag, value] : values) list.append(numpy_from_tensor(value.clone()));
        return str_of(kept(held)(list));
      });
    };
  building([&] { new (self) train::LoggingTensorHook(std::move(tensors), options); });
}

void bind_logging_hook(nb::module_& m) {
  nb::class_<train::LoggingTensorHook, train::SessionRunHook> c(m, "LoggingTensorHookCore");
  c.def("__init__", make_logging_hook, nb::arg("tags"), nb::arg("finders"),
        nb::arg("every_n_iter").none(), nb::arg("every_n_secs").none(), nb::arg("at_end"),
        nb::arg("formatter").none(), nb::arg("text"));
  c.def("override_log_tensors", [](train::LoggingTensorHook& self, nb::handle call) {
    self.log_tensors_override = [held = keep(call)](const std::vector<Tensor>& values) {
      in_program([&] { kept(held)(values_list(values)); });
    };
  });
  c.def("log_tensors", [](train::LoggingTensorHook& self, nb::handle values) {
    const std::vector<Tensor> tensors = tensor_values(values);
    without_lock([&] { self.log_tensors(tensors); });
  });
  c.def_prop_ro("timer", &train::LoggingTensorHook::timer);
  c.def_prop_ro("is_triggered", &train::LoggingTensorHook::is_triggered);
  c.def_prop_rw("iter_count", &train::LoggingTensorHook::iter_count,
                &train::LoggingTensorHook::set_iter_count);
  c.def_prop_ro("current_tensors",
                [](train::LoggingTensorHook& self) { return give(self.current_tensors()); });
}

// --- steps ---------------------------------------------------------------------------------------

void bind_step_counter(nb::module_& m) {
  nb::class_<train::StepCounterHook, train::SessionRunHook> c(m, "StepCounterHookCore");
  c.def(
      "__init__",
      [](train::StepCounterHook* self, nb::handle every_n_steps, nb::handle every_n_secs,
         nb::handle output_dir, nb::handle writer) {
        building([&] {
          new (self) train::StepCounterHook({.every_n_steps = steps(every_n_steps),
                                             .every_n_secs = seconds(every_n_secs),
                                             .output_dir = text_or_empty(output_dir),
                                             .summary_writer = writer_of(writer)});
        });
      },
      nb::arg("every_n_steps").none(), nb::arg("every_n_secs").none(), nb::arg("output_dir").none(),
      nb::arg("writer").none());
  c.def("override_record", [](train::StepCounterHook& self, nb::handle call) {
    self.record_override = [held = keep(call)](const train::HookTimer::Elapsed& elapsed,
                                               std::int64_t step) {
      in_program([&] { kept(held)(elapsed.steps, elapsed.secs, step); });
    };
  });
  c.def("log_and_record",
        [](train::StepCounterHook& self, nb::handle elapsed_steps, double secs, nb::handle step) {
          without_lock([&self, secs, elapsed = step_number(elapsed_steps), at = step_number(step)] {
            self.log_and_record({secs, elapsed}, at);
          });
        });
  c.def(
      "set_summary_writer",
      [](train::StepCounterHook& self, nb::handle w) { self.set_summary_writer(writer_of(w)); },
      nb::arg("writer").none());
  c.def("set_steps_per_run", &train::StepCounterHook::set_steps_per_run);
  c.def_prop_ro("timer", &train::StepCounterHook::timer);
  c.def_prop_ro("summary_tag", &train::StepCounterHook::summary_tag);
  c.def_prop_ro("global_step",
                [](train::StepCounterHook& self) { return tensor_or_none(self.global_step()); });
}

void bind_stopping(nb::module_& m) {
  nb::class_<train::StopAtStepHook, train::SessionRunHook> stop(m, "StopAtStepHookCore");
  stop.def(
      "__init__",
      [](train::StopAtStepHook* self, nb::handle num_steps, nb::handle last_step) {
        building([&] {
          new (self)
              train::StopAtStepHook({.num_steps = steps(num_steps), .last_step = steps(last_step)});
        });
      },
      nb::arg("num_steps").none(), nb::arg("last_step").none());
  stop.def_prop_ro("last_step",
                   [](train::StopAtStepHook& self) { return self.options().last_step; });
  stop.def_prop_ro("global_step",
                   [](train::StopAtStepHook& self) { return tensor_or_none(self.global_step()); });
  nb::class_<train::MultiStepStopAtStepHook, train::SessionRunHook> multi(
      m, "MultiStepStopAtStepHookCore");
  multi.def(
      "__init__",
      [](train::MultiStepStopAtStepHook* self, nb::handle num_steps, nb::handle last_step,
         nb::handle steps_per_run) {
        building([&] {
          new (self) train::MultiStepStopAtStepHook(
              {.num_steps = steps(num_steps), .last_step = steps(last_step)},
              steps(steps_per_run).value_or(0));
        });
      },
      nb::arg("num_steps").none(), nb::arg("last_step").none(), nb::arg("steps_per_run").none());
  nb::class_<train::GlobalStepWaiterHook, train::SessionRunHook> waiter(m,
                                                                        "GlobalStepWaiterHookCore");
  waiter.def("__init__", [](train::GlobalStepWaiterHook* self, nb::handle wait_until_step) {
    new (self) train::GlobalStepWaiterHook(step_number(wait_until_step));
    self->while_waiting = check_signals_in_program;
  });
}

// --- values --------------------------------------------------------------------------------------

void bind_value_hooks(nb::module_& m) {
  nb::class_<train::NanTensorHook, train::SessionRunHook>(m, "NanTensorHookCore")
      .def("__init__", [](train::NanTensorHook* self, nb::handle find, bool fails) {
        new (self) train::NanTensorHook(found_by(find), fails);
      });
  nb::class_<train::EndHook, train::SessionRunHook>(m, "EndHookCore")
      .def("__init__", [](train::EndHook* self, nb::handle call) {
        new (self) train::EndHook([held = keep(call)](Session& session) {
          in_program([&] { kept(held)(python_session(session)); });
        });
      });
  m.def("warn_of_input", [] { train::FinalOpsHook::warn_of_input(); });
  nb::register_exception_translator([](const std::exception_ptr& p, void*) {
    try {
      rethrow(p);
    } catch (const train::NanLossDuringTrainingError&) {
      PyErr_SetNone(package::nan_loss_error.get().ptr());
    }
  });
}

void bind_profiler(nb::module_& m) {
  nb::class_<train::ProfilerHook, train::SessionRunHook> c(m, "ProfilerHookCore");
  c.def(
      "__init__",
      [](train::ProfilerHook* self, nb::handle save_steps, nb::handle save_secs,
         nb::handle output_dir, bool show_dataflow, bool show_memory) {
        const InCallersPlace place({});
        building([&] {
          new (self) train::ProfilerHook({.save_steps = steps(save_steps),
                                          .save_secs = seconds(save_secs),
                                          .output_dir = text_or_empty(output_dir),
                                          .show_dataflow = show_dataflow,
                                          .show_memory = show_memory});
        });
      },
      nb::arg("save_steps").none(), nb::arg("save_secs").none(), nb::arg("output_dir").none(),
      nb::arg("show_dataflow"), nb::arg("show_memory"));
  c.def(
      "after_step",
      [](train::ProfilerHook& self, nb::handle session, nb::handle step, nb::handle run_metadata) {
        const auto opened = session_of(session);
        const std::int64_t before = step_number(step);
        tensorflow::RunMetadata metadata;
        if (!run_metadata.is_none()) metadata = read_message<tensorflow::RunMetadata>(run_metadata);
        without_lock([&] {
          self.after_step(*opened, before, run_metadata.is_none() ? nullptr : &metadata);
        });
      },
      nb::arg("session"), nb::arg("step"), nb::arg("run_metadata").none());
  c.def_prop_ro("timer", &train::ProfilerHook::timer);
  m.def("chrome_trace", [](nb::handle step_stats, bool show_dataflow, bool show_memory) {
    return train::chrome_trace(read_message<tensorflow::StepStats>(step_stats),
                               {.show_dataflow = show_dataflow, .show_memory = show_memory});
  });
  m.def("allocator_maximums", [](nb::handle step_stats) {
    nb::dict found;
    for (const auto& [allocator, largest] :
         train::allocator_maximums(read_message<tensorflow::StepStats>(step_stats))) {
      nb::list tensors;
      for (const std::string& name : largest.tensors) tensors.append(nb::str(name.c_str()));
      found[nb::str(allocator.c_str())] =
          nb::make_tuple(largest.timestamp, largest.num_bytes, tensors);
    }
    return found;
  });
}

}  // namespace

void bind_basic_hooks(nb::module_& m) {
  listen_to_log();
  bind_timers(m);
  bind_logging_hook(m);
  bind_step_counter(m);
  bind_stopping(m);
  bind_value_hooks(m);
  bind_profiler(m);
  bind_saving_hooks(m);
  bind_early_stopping(m);
  bind_evaluation(m);
  bind_in_memory_evaluator(m);
  m.def("global_step_read", [] {
    const InCallersPlace place({});
    return building([&] { return tensor_or_none(train::get_or_create_global_step_read()); });
  });
  m.def("get_or_create_steps_per_run_variable", [] {
    const InCallersPlace place({});
    return building([&] { return give(train::get_or_create_steps_per_run_variable()); });
  });
  m.def("get_or_create_eval_step", [] {
    const InCallersPlace place({});
    return building([&] { return give(train::get_or_create_eval_step()); });
  });
}

}  // namespace rill::python
