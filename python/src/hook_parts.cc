#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include "basic_hooks.h"
#include "errors.h"
#include "kept.h"
#include "objects.h"
#include "package.h"
#include "plain_values.h"
#include "program_error.h"
#include "protos.h"
#include "rill/api/core/default_graph.h"
#include "rill/api/logging/tf_logging.h"
#include "rill/api/training/progress_bar.h"
#include "session.h"
#include "tensorflow/core/util/event.pb.h"

// What hooks are given by programs: listeners, writers, tensors.
namespace rill::python {
namespace {

constexpr const char* kEventPath = "tensorflow/core/util/event.proto";

class ProgramListener : public train::CheckpointSaverListener {
 public:
  explicit ProgramListener(nb::handle listener) : listener_(keep(listener)) {}

  void begin() override {
    in_program([&] { listener().attr("begin")(); });
  }
  void before_save(Session& session, std::int64_t step) override {
    in_program([&] { listener().attr("before_save")(python_session(session), step); });
  }
  bool after_save(Session& session, std::int64_t step) override {
    return in_program([&] {
      return PyObject_IsTrue(
                 nb::object(listener().attr("after_save")(python_session(session), step)).ptr()) ==
             1;
    });
  }
  void end(Session& session, std::int64_t step) override {
    in_program([&] { listener().attr("end")(python_session(session), step); });
  }
  std::string text() const override {
    return in_program([&] { return str_of(listener()); });
  }

 private:
  nb::object listener() const { return kept(listener_); }
  std::shared_ptr<void> listener_;
};

// Hands events to an object of a program that has FileWriter's methods.
class ProgramWriter : public summaries::EventSink {
 public:
  explicit ProgramWriter(nb::handle writer) : writer_(keep(writer)) {}

  void add(const tensorflow::Event& event) override {
    in_program([&] {
      nb::object message = message_from_bytes(kEventPath, "Event", event.SerializeAsString());
      nb::object writer = kept(writer_);
      switch (event.what_case()) {
        case tensorflow::Event::kSummary:
          writer.attr("add_summary")(message.attr("summary"), event.step());
          break;
        case tensorflow::Event::kSessionLog:
          writer.attr("add_session_log")(message.attr("session_log"), event.step());
          break;
        default:
          writer.attr("add_event")(message);
      }
    });
  }
  void flush() override { call("flush"); }
  void close() override { call("close"); }
  void reopen() override { call("reopen"); }

 private:
  void call(const char* method) {
    in_program([&] { kept(writer_).attr(method)(); });
  }
  std::shared_ptr<void> writer_;
};

}  // namespace

train::ListenerRef listener_of(nb::handle listener) {
  return std::make_shared<ProgramListener>(listener);
}

std::shared_ptr<summaries::FileWriter> writer_of(nb::handle writer) {
  if (writer.is_none()) return nullptr;
  nb::object known = package::file_writer.get();
  if (nb::isinstance(writer, known) &&
      writer.type().attr("add_summary").is(known.attr("add_summary")))
    return nb::cast<std::shared_ptr<summaries::FileWriter>>(writer.attr("_core"));
  return std::make_shared<summaries::FileWriter>("", std::make_unique<ProgramWriter>(writer));
}

train::TensorOrName found_by(nb::handle find) {
  return std::function<Output()>([held = keep(find)] {
    return in_program([&] {
      nb::object graph = wrap(default_graph());
      return graph_element(graph_object(graph), nb::object(kept(held)()), true, false);
    });
  });
}

void listen_to_log() {
  logging::Listener listener;
  listener.is_shown = [](logging::Level level) {
    if (interpreter_ended()) return false;
    const WithLock gil;
    return truth_of(package::get_logger().attr("isEnabledFor")(static_cast<int>(level)));
  };
  listener.write = [](logging::Level level, const std::string& text) {
    if (interpreter_ended()) return;
    train::progress_bar().hide();
    const WithLock gil;
    package::get_logger().attr("log")(static_cast<int>(level), "%s", text);
  };
  logging::set_listener(std::move(listener));
}

}  // namespace rill::python
