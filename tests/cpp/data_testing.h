#pragma once

// What the tests of datasets share: datasets made by nodes, walked through without a session.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <limits>

#include "rill/graph/scope.h"
#include "rill/ops/data/core/data_iterator.h"
#include "rill/ops/register.h"
#include "rill/runtime/session/session.h"

namespace rill {

// Surroundings of a walk in which no functions are called.
class NoCalls final : public BackgroundCalls, public Cancellation {
 public:
  std::shared_ptr<BackgroundFunction> bind(const FuncName& function) override {
    raise(Code::kInternal, "nobody calls ", function.name, " here");
  }
  std::string function_library() override { return {}; }
  std::shared_ptr<BackgroundCalls> last_calls() override {
    raise(Code::kInternal, "nobody calls here");
  }
  Cancellation& cancellation() override { return *this; }
  void cancel() override { cancelled_ = true; }
  bool cancelled() const override { return cancelled_; }
  std::int64_t on_cancel(std::function<void()>) override { return 0; }
  void forget(std::int64_t) override {}

 private:
  std::atomic<bool> cancelled_ = false;
};

class DataFixture : public testing::Test {
 protected:
  using Texts = std::vector<std::string>;

  // Attributes that state one component of numbers.
  static AttrMap stating(DType type, PartialShape shape) {
    return {{"output_types", std::vector<DType>{type}},
            {"output_shapes", std::vector<PartialShape>{std::move(shape)}}};
  }
  static AttrMap numbers() { return stating(DType::i64, PartialShape::scalar()); }
  static AttrMap vectors() { return stating(DType::i64, PartialShape{kUnknownDim}); }
  static AttrMap with(AttrMap attrs, std::string name, AttrValue value) {
    attrs[std::move(name)] = std::move(value);
    return attrs;
  }

  Output node(std::string_view op, std::vector<InputArg> inputs, AttrMap attrs) {
    return scope_.add(op, std::move(inputs), std::move(attrs)).output();
  }
  Output range(std::int64_t begin, std::int64_t end, std::int64_t step = 1) {
    return node("RangeDataset", {begin, end, step}, numbers());
  }
  Output slices(Tensor rows) {
    const PartialShape shape(rows.shape().dims().subspan(1));
    const DType type = rows.dtype();
    return node("TensorSliceDataset", {InputArg(std::vector<Input>{std::move(rows)})},
                {{"Toutput_types", std::vector<DType>{type}},
                 {"output_shapes", std::vector<PartialShape>{shape}}});
  }
  Output batches(Output input, std::int64_t size, bool drop = false) {
    return node("BatchDatasetV2", {input, size, drop}, vectors());
  }

  DatasetRef dataset(Output handle) { return dataset_in(Session(graph_).run({}, {{handle}})[0]); }
  std::unique_ptr<DataIterator> walk(const DatasetRef& dataset) {
    return dataset->iterate(std::make_shared<Pipeline>(std::make_shared<NoCalls>()));
  }

  static std::string text_of(const Tensor& value) {
    const std::string text = summary(value, -1);
    return value.rank() > 0 ? text : text.substr(1, text.size() - 2);
  }
  static std::string text_of(const Element& element) {
    std::string text;
    for (const Tensor& component : element)
      text += (text.empty() ? "" : ";") +
              (component.dtype() == DType::variant ? "variant" : text_of(component));
    return text;
  }
  // The next element as text; END behind the last one; an error as its code.
  static std::string next_text(DataIterator& iterator) {
    try {
      Element element;
      return iterator.next(element) ? text_of(element) : "END";
    } catch (const Error& error) {
      return str_cat(code_name(error.code()), ": ",
                     error.message().substr(0, error.message().find('\n')));
    }
  }
  static Texts rest(DataIterator& iterator, int most = 1000) {
    Texts texts;
    while (most-- > 0) {
      texts.push_back(next_text(iterator));
      if (texts.back() == "END") break;
    }
    return texts;
  }
  // All elements up to END. On the way the position is saved behind every element, and a new
  // iterator that is restored there must go on in the same way.
  Texts all(Output handle, int most = 1000) {
    const Texts texts = rest(*walk(dataset(handle)), most);
    for (std::size_t behind = 0; behind <= std::min<std::size_t>(texts.size(), 12); ++behind) {
      const DatasetRef one = dataset(handle);
      const auto iterator = walk(one);
      for (std::size_t i = 0; i < behind; ++i) next_text(*iterator);
      IteratorState state;
      StateWriter writer(state);
      iterator->save(writer);
      const auto restored = walk(dataset(handle));
      restored->restore(StateReader(state));
      Texts wanted(texts.begin() + static_cast<std::ptrdiff_t>(std::min(behind, texts.size())),
                   texts.end());
      if (wanted.empty() && texts.back() == "END") wanted.push_back("END");
      EXPECT_EQ(rest(*restored, static_cast<int>(wanted.size())), wanted)
          << "restored behind " << behind << " elements";
      EXPECT_EQ(rest(*iterator, static_cast<int>(wanted.size())), wanted)
          << "gone on after saving behind " << behind << " elements";
    }
    return texts;
  }
  std::string error_of(Output handle) {
    try {
      dataset(handle);
      return "none";
    } catch (const Error& error) {
      return str_cat(code_name(error.code()), ": ",
                     error.message().substr(0, error.message().find('\n')));
    }
  }
  // Restores positions of which one number is wrong or missing: that may fail, no more.
  void check_hostile_positions(Output handle) {
    const auto iterator = walk(dataset(handle));
    for (int i = 0; i < 2; ++i) next_text(*iterator);
    IteratorState state;
    StateWriter writer(state);
    iterator->save(writer);
    for (const auto& [key, value] : state) {
      IteratorState without = state;
      without.erase(key);
      go_on_from(handle, without);
      if (value.dtype() != DType::i64 || value.rank() > 0) continue;
      for (const std::int64_t wrong :
           {std::numeric_limits<std::int64_t>::min(), std::int64_t{-1}, std::int64_t{1} << 40,
            std::numeric_limits<std::int64_t>::max()}) {
        IteratorState other = state;
        other[key] = Tensor::scalar(wrong);
        go_on_from(handle, other);
      }
      IteratorState of_text = state;
      of_text[key] = Tensor::scalar(std::string("x"));
      go_on_from(handle, of_text);
    }
  }
  void go_on_from(Output handle, const IteratorState& state) {
    const auto iterator = walk(dataset(handle));
    try {
      iterator->restore(StateReader(state));
      rest(*iterator, 4);
    } catch (const Error& error) {
      EXPECT_NE(error.code(), Code::kInternal) << error.message();
    }
  }
  std::int64_t size_of(Output handle) { return dataset(handle)->size(); }

  std::shared_ptr<Graph> graph_ = std::make_shared<Graph>(standard_ops());
  Scope scope_{*graph_};
};

// With a folder for files.
class DataFileFixture : public DataFixture {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(testing::TempDir()) /
              str_cat("data_", testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string file(const std::string& name, std::string_view bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
    return path(name);
  }

  std::filesystem::path folder_;
};

}  // namespace rill
