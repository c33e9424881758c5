#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include "class_call.h"
#include "errors.h"
#include "kept.h"
#include "named_arguments.h"
#include "objects.h"
#include "package.h"
#include "plain_values.h"
#include "program_error.h"
#include "session.h"
#include "training.h"

namespace rill::python {
namespace {

using train::SessionCreator;
using train::SessionManager;

// --- SessionManager ------------------------------------------------------------------------------

void create_manager(SessionManager* self, const nb::dict& given) {
  const NamedArguments args(given);
  train::SessionManagerOptions options{
      .local_init_op = optional_runnable(args["local_init_op"]),
      .ready_op = optional_runnable(args["ready_op"]),
      .ready_for_local_init_op = optional_runnable(args["ready_for_local_init_op"]),
      .recovery_wait_secs = args.number("recovery_wait_secs"),
      .local_init_run_options = run_options_of(args["local_init_run_options"]),
      .local_init_feed_dict = feeds_of(args["local_init_feed_dict"])};
  if (!args["graph"].is_none()) options.graph = graph_object(args["graph"]).graph;
  building([&] { new (self) SessionManager(std::move(options)); });
}

template <class Options>
Options recover_options(const NamedArguments& args, const std::string& master) {
  return {.saver = restorer_of(args["saver"]),
          .checkpoint_dir = args.text("checkpoint_dir"),
          .checkpoint_filename_with_path = args.text("checkpoint_filename_with_path"),
          .wait_for_checkpoint = args.flag("wait_for_checkpoint"),
          .max_wait_secs = args.number("max_wait_secs"),
          .config = session_options_of(args["config"], master)};
}

nb::object prepare_session(SessionManager& self, const std::string& master, const nb::dict& given) {
  const NamedArguments args(given);
  auto options = recover_options<train::PrepareSessionOptions>(args, master);
  options.init_op = optional_runnable(args["init_op"]);
  options.init_feed_dict = feeds_of(args["init_feed_dict"]);
  if (const nb::object init_fn = args["init_fn"]; !init_fn.is_none())
    options.init_fn = [init_fn = keep(init_fn)](Session& session) {
      in_program([&] { kept(init_fn)(python_session(session)); });
    };
  return python_session(*without_lock([&] { return self.prepare_session(master, options); }));
}

nb::object recover(SessionManager& self, const std::string& master, const nb::dict& given) {
  const auto options = recover_options<train::RecoverSessionOptions>(NamedArguments(given), master);
  const auto found = without_lock([&] { return self.recover_session(master, options); });
  return nb::make_tuple(python_session(*found.first), found.second);
}

nb::object wait(SessionManager& self, const std::string& master, nb::handle config,
                nb::handle max_wait_secs) {
  train::WaitForSessionOptions options{.config = session_options_of(config, master)};
  if (!max_wait_secs.is_none()) options.max_wait_secs = number_of(max_wait_secs);
  return python_session(*without_lock([&] { return self.wait_for_session(master, options); }));
}

// --- creators ------------------------------------------------------------------------------------

train::SessionCreatorOptions creator_options(const nb::dict& given) {
  const NamedArguments args(given);
  return {.scaffold = scaffold_of(args["scaffold"]),
          .config = session_options_of(args["config"], args.text("master")),
          .checkpoint_dir = args.text("checkpoint_dir"),
          .checkpoint_filename_with_path = args.text("checkpoint_filename_with_path"),
          .max_wait_secs = args.number("max_wait_secs")};
}

class ProgramCreator : public SessionCreator {
 public:
  explicit ProgramCreator(nb::handle creator) : creator_(keep(creator)) {}
  std::shared_ptr<Session> create_session() override {
    return in_program([&] { return session_of(kept(creator_).attr("create_session")()); });
  }

 private:
  std::shared_ptr<void> creator_;
};

}  // namespace

train::SessionCreatorRef session_creator_of(nb::handle creator) {
  if (creator.is_none()) return nullptr;
  nb::object core = package::session_creator_core(creator);
  if (!core.is_none()) return nb::cast<train::SessionCreatorRef>(core);
  return std::make_shared<ProgramCreator>(creator);
}

void bind_session_manager(nb::module_& m) {
  nb::class_<SessionManager> manager(m, "SessionManagerCore");
  manager.def("__init__", create_manager);
  manager.def("prepare_session", prepare_session);
  manager.def("recover_session", recover);
  manager.def("wait_for_session", wait, nb::arg("master"), nb::arg("config").none(),
              nb::arg("max_wait_secs").none());

  nb::class_<SessionCreator> creator(m, "SessionCreatorCore");
  creator.def("create_session", [](SessionCreator& self) {
    const InCallersPlace place({});
    return python_session(*without_lock([&] { return self.create_session(); }));
  });
  nb::class_<train::ChiefSessionCreator, SessionCreator>(m, "ChiefSessionCreatorCore")
      .def("__init__", [](train::ChiefSessionCreator* self, const nb::dict& given) {
        new (self) train::ChiefSessionCreator(creator_options(given));
      });
  nb::class_<train::WorkerSessionCreator, SessionCreator>(m, "WorkerSessionCreatorCore")
      .def("__init__", [](train::WorkerSessionCreator* self, const nb::dict& given) {
        new (self) train::WorkerSessionCreator(creator_options(given));
      });
}

}  // namespace rill::python
