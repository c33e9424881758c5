#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <set>
#include <sstream>
#include <thread>

#include "rill/api/core/basic_ops.h"
#include "rill/api/core/functions.h"
#include "rill/api/core/host_function.h"
#include "rill/api/gen/raw_ops.h"
#include "rill/base/background.h"
#include "rill/runtime/session/session.h"

namespace rill {

using Outputs = std::vector<Output>;

// How an element of a stage looks.
struct StageSpec {
  std::vector<DType> types{DType::i64};
  std::vector<PartialShape> shapes{PartialShape()};
};

// Input pipelines of 64-bit numbers, made by hand from the ops below tf.data.
class DataTest : public testing::Test {
 protected:
  using Build = std::function<Outputs(const Outputs&)>;

  static DefinedFunction function(const Build& build, std::vector<DType> types = {DType::i64}) {
    return define_function(types, build);
  }
  static FuncName name(const DefinedFunction& function) { return {function.name(), {}}; }

  static Output stage(const char* op, std::vector<InputArg> inputs, AttrMap attrs = {},
                      const StageSpec& spec = {}) {
    attrs.emplace("output_types", spec.types);
    attrs.emplace("output_shapes", spec.shapes);
    return current_scope().add(op, std::move(inputs), std::move(attrs)).output();
  }
  // A stage that applies a function; inputs after the captured ones in `more`.
  static Output applied(const char* op, Output input, const DefinedFunction& f,
                        std::vector<InputArg> more = {}, AttrMap attrs = {},
                        const char* attr_name = "f") {
    std::vector<Input> captured(f.captured_inputs().begin(), f.captured_inputs().end());
    std::vector<DType> types;
    for (const Output& value : f.captured_inputs()) types.push_back(value.dtype());
    std::vector<InputArg> inputs{Input(input), InputArg(captured)};
    for (InputArg& arg : more) inputs.push_back(std::move(arg));
    attrs.emplace(attr_name, name(f));
    attrs.emplace("Targuments",
                  types.empty() ? AttrValue::empty_list(AttrKind::kType) : AttrValue(types));
    return stage(op, std::move(inputs), std::move(attrs));
  }

  static Output number(std::int64_t value) { return constant(Tensor::scalar(value)); }
  // The numbers from 0 to `count` - 1.
  static Output range(std::int64_t count) {
    Tensor values(DType::i64, {count});
    for (std::int64_t i = 0; i < count; ++i) values.data<std::int64_t>()[i] = i;
    return rows(std::move(values));
  }
  static Output rows(Tensor values) {
    return current_scope()
        .add("TensorSliceDataset", {InputArg(std::vector<Input>{constant(std::move(values))})},
             {{"output_shapes", std::vector<PartialShape>{PartialShape()}}})
        .output();
  }
  static Output parallel_map(Output input, const DefinedFunction& f, int calls,
                             bool sloppy = false) {
    return applied("ParallelMapDataset", input, f, {Input(constant(calls))}, {{"sloppy", sloppy}});
  }
  static Output prefetch(Output input, std::int64_t size) {
    return stage("PrefetchDataset", {Input(input), Input(number(size))});
  }

  // A function of one number that the program runs.
  static DefinedFunction hosted(std::function<std::int64_t(std::int64_t)> body) {
    const HostFunction called = [body = std::move(body)](const std::vector<Tensor>& in) {
      return std::vector<Tensor>{Tensor::scalar(body(in.at(0).scalar_value<std::int64_t>()))};
    };
    return function(
        [called](const Outputs& x) { return host_function(called, {x[0]}, {DType::i64}); });
  }

  // What steps take elements from.
  struct Reader {
    explicit Reader(Output dataset, const StageSpec& spec = {}) {
      Scope scope = current_scope();
      const AttrMap attrs{{"output_types", spec.types}, {"output_shapes", spec.shapes}};
      AttrMap named = attrs;
      named.emplace("shared_name", "");
      named.emplace("container", "");
      const Output iterator = scope.add("IteratorV2", {}, named).output();
      init = &scope.add("MakeIterator", {Input(dataset), Input(iterator)});
      next = scope.add("IteratorGetNext", {Input(iterator)}, attrs).output();
      saved = scope.add("SerializeIterator", {Input(iterator)}).output();
      position = placeholder(DType::variant);
      restored = &scope.add("DeserializeIterator", {Input(iterator), Input(position)});
    }
    Node *init, *restored;
    Output next, saved, position;
  };

  static void start(Session& session, const Reader& reader) {
    session.run({}, {}, std::vector<Node*>{reader.init});
  }
  static Tensor save(Session& session, const Reader& reader) {
    return session.run({}, std::vector<Output>{reader.saved}).at(0);
  }
  static void restore(Session& session, const Reader& reader, const Tensor& position) {
    session.run(std::vector<Feed>{{reader.position, position}}, {},
                std::vector<Node*>{reader.restored});
  }

  // Up to `limit` elements: "0 1 [2 3] !InvalidArgument 5 end".
  static std::string read(Session& session, const Reader& reader, int limit = 1000) {
    std::ostringstream text;
    for (int i = 0; i < limit; ++i) {
      if (i > 0) text << ' ';
      try {
        text << shown(session.run({}, std::vector<Output>{reader.next}).at(0));
      } catch (const Error& error) {
        if (error.code() == Code::kOutOfRange) {
          text << "end";
          break;
        }
        text << '!' << code_name(error.code());
        if (error.code() == Code::kCancelled) break;
      }
    }
    return text.str();
  }
  static std::string read(Output dataset, int limit = 1000) {
    const Reader reader(dataset);
    Session session(default_graph());
    start(session, reader);
    return read(session, reader, limit);
  }
  static std::string shown(const Tensor& value) {
    std::ostringstream text;
    const auto all = value.flat<std::int64_t>();
    if (value.rank() == 0) return str_cat(all[0]);
    for (std::size_t i = 0; i < all.size(); ++i) text << (i == 0 ? "[" : " ") << all[i];
    return text.str() + "]";
  }
  static std::string numbers(std::int64_t count,
                             const std::function<std::string(std::int64_t)>& f) {
    std::string text;
    for (std::int64_t i = 0; i < count; ++i) text += f(i) + " ";
    return text + "end";
  }

  // Whether all background work comes to an end.
  static bool becomes_quiet() {
    for (int i = 0; i < 2000 && background_tasks() > 0; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return background_tasks() == 0;
  }
  static void rest(int micros) { std::this_thread::sleep_for(std::chrono::microseconds(micros)); }

  AsDefault graph_{make_graph()};
};

// Counts how many are inside at once.
class InFlight {
 public:
  class Call {
   public:
    explicit Call(InFlight& all) : all_(all) {
      ++all_.total;
      const int now = ++all_.now_;
      for (int most = all_.most; now > most && !all_.most.compare_exchange_weak(most, now);) {
      }
    }
    ~Call() { --all_.now_; }
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

   private:
    InFlight& all_;
  };
  std::atomic<int> most{0}, total{0};

 private:
  std::atomic<int> now_{0};
};

}  // namespace rill
