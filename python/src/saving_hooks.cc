#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include "basic_hooks.h"
#include "class_call.h"
#include "hook_arguments.h"
#include "hooks.h"
#include "kept.h"
#include "program_error.h"
#include "protos.h"
#include "rill/api/core/default_graph.h"
#include "rill/api/training/evaluation_hooks.h"
#include "rill/api/training/summary_saver_hook.h"
#include "session.h"
#include "tensorflow/core/protobuf/saver.pb.h"
#include "train_inputs.h"
#include "training.h"
#include "truth.h"

namespace rill::python {
namespace {

// The list stays the program's: it may add listeners later.
std::function<std::vector<train::ListenerRef>()> listeners_in(nb::handle list) {
  return [held = keep(list)] {
    return in_program([&] {
      std::vector<train::ListenerRef> listeners;
      for (nb::handle listener : kept(held)) listeners.push_back(listener_of(listener));
      return listeners;
    });
  };
}

// `save(session, path, step, write_meta_graph)` and `saver_def()` are functions of the program.
void make_checkpoint_hook(train::CheckpointSaverHook* self, const std::string& checkpoint_dir,
                          nb::handle save_secs, nb::handle save_steps, const std::string& basename,
                          nb::handle listeners, bool save_graph_def, nb::handle save,
                          nb::handle saver_def) {
  building([&] {
    new (self)
        train::CheckpointSaverHook(checkpoint_dir, {.save_secs = seconds(save_secs),
                                                    .save_steps = steps(save_steps),
                                                    .checkpoint_basename = basename,
                                                    .find_listeners = listeners_in(listeners),
                                                    .save_graph_def = save_graph_def});
  });
  self->other_saver.save = [held = keep(save)](Session& session, const std::string& path,
                                               std::int64_t step, bool meta_graph) {
    in_program([&] { kept(held)(python_session(session), path, step, meta_graph); });
  };
  self->other_saver.saver_def = [held = keep(saver_def)] {
    return in_program([&]() -> BoxedMessage<tensorflow::SaverDef> {
      nb::object def = kept(held)();
      if (def.is_none()) return {};
      return read_message<tensorflow::SaverDef>(def);
    });
  };
}

void bind_checkpoint_hook(nb::module_& m) {
  nb::class_<train::CheckpointSaverHook, train::SessionRunHook> c(m, "CheckpointSaverHookCore");
  c.def("__init__", make_checkpoint_hook, nb::arg("checkpoint_dir"), nb::arg("save_secs").none(),
        nb::arg("save_steps").none(), nb::arg("basename"), nb::arg("listeners"),
        nb::arg("save_graph_def"), nb::arg("save"), nb::arg("saver_def"));
  c.def("override_save", [](train::CheckpointSaverHook& self, nb::handle call) {
    self.save_override = [held = keep(call)](Session& session, std::int64_t step) {
      return in_program([&] { return truth_of(kept(held)(python_session(session), step)); });
    };
  });
  c.def("save", [](train::CheckpointSaverHook& self, nb::handle session, nb::handle step) {
    const auto opened = session_of(session);
    const std::int64_t at = step_number(step);
    return without_lock([&] { return self.save(*opened, at); });
  });
  c.def("set_steps_per_run", &train::CheckpointSaverHook::set_steps_per_run);
  c.def_prop_ro("timer", &train::CheckpointSaverHook::timer);
  c.def_prop_ro("save_path", &train::CheckpointSaverHook::save_path);
  c.def_prop_ro("global_step", [](train::CheckpointSaverHook& self) {
    return tensor_or_none(self.global_step());
  });
}

// `find_summary_op()` is a function of the program: a list of tensors.
void bind_summary_hook(nb::module_& m) {
  nb::class_<train::SummarySaverHook, train::SessionRunHook> c(m, "SummarySaverHookCore");
  c.def(
      "__init__",
      [](train::SummarySaverHook* self, nb::handle save_steps, nb::handle save_secs,
         nb::handle output_dir, nb::handle writer, nb::handle find_summary_op) {
        train::SummarySaverHookOptions options{.save_steps = steps(save_steps),
                                               .save_secs = seconds(save_secs),
                                               .output_dir = text_or_empty(output_dir),
                                               .summary_writer = writer_of(writer)};
        options.find_summary_op = [held = keep(find_summary_op)] {
          return in_program([&] {
            std::vector<Output> summaries;
            nb::object graph = wrap(default_graph());
            for (nb::handle summary : nb::object(kept(held)()))
              summaries.push_back(graph_element(graph_object(graph), summary, true, false));
            return summaries;
          });
        };
        building([&] { new (self) train::SummarySaverHook(std::move(options)); });
      },
      nb::arg("save_steps").none(), nb::arg("save_secs").none(), nb::arg("output_dir").none(),
      nb::arg("writer").none(), nb::arg("find_summary_op"));
  c.def("finish", [](train::SummarySaverHook& self) { without_lock([&] { self.finish(); }); });
  c.def(
      "set_summary_writer",
      [](train::SummarySaverHook& self, nb::handle w) { self.set_summary_writer(writer_of(w)); },
      nb::arg("writer").none());
  c.def_prop_ro("timer", &train::SummarySaverHook::timer);
  c.def_prop_ro("global_step",
                [](train::SummarySaverHook& self) { return tensor_or_none(self.global_step()); });
}

template <class Hook>
void bind_counting(nb::class_<Hook, train::SessionRunHook>& c) {
  c.def("set_evals_completed", [](Hook& self, nb::handle tensor) {
    self.set_evals_completed(runnable_of(tensor).tensor());
  });
  c.def_prop_ro("evals_completed",
                [](Hook& self) { return tensor_or_none(self.evals_completed()); });
}

void bind_evaluation_hooks(nb::module_& m) {
  nb::class_<train::StopAfterNEvalsHook, train::SessionRunHook> stop(m, "StopAfterNEvalsHookCore");
  stop.def(
      "__init__",
      [](train::StopAfterNEvalsHook* self, nb::handle num_evals, bool log_progress) {
        new (self) train::StopAfterNEvalsHook(steps(num_evals), log_progress);
      },
      nb::arg("num_evals").none(), nb::arg("log_progress"));
  bind_counting(stop);
  nb::class_<train::MultiStepStopAfterNEvalsHook, train::SessionRunHook> multi(
      m, "MultiStepStopAfterNEvalsHookCore");
  multi.def(
      "__init__",
      [](train::MultiStepStopAfterNEvalsHook* self, nb::handle num_evals,
         std::int64_t steps_per_run) {
        new (self) train::MultiStepStopAfterNEvalsHook(steps(num_evals), steps_per_run);
      },
      nb::arg("num_evals").none(), nb::arg("steps_per_run"));
  bind_counting(multi);
  nb::class_<train::SummaryAtEndHook, train::SessionRunHook>(m, "SummaryAtEndHookCore")
      .def(
          "__init__",
          [](train::SummaryAtEndHook* self, nb::handle log_dir, nb::handle writer,
             nb::handle summary_op, nb::handle feed_dict) {
            building([&] {
              new (self) train::SummaryAtEndHook(
                  {.log_dir = text_or_empty(log_dir),
                   .summary_writer = writer_of(writer),
                   .summary_op = summary_op.is_none() ? Output() : runnable_of(summary_op).tensor(),
                   .feed_dict = feeds_of(feed_dict)});
            });
          },
          nb::arg("log_dir").none(), nb::arg("writer").none(), nb::arg("summary_op").none(),
          nb::arg("feed_dict").none());
}

}  // namespace

void bind_saving_hooks(nb::module_& m) {
  bind_checkpoint_hook(m);
  bind_summary_hook(m);
  bind_evaluation_hooks(m);
}

}  // namespace rill::python
