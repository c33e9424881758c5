#pragma once

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "rill/graph/op_decl.h"
#include "rill/ops/resource/string_handle_shapes.h"

namespace rill {

// Many ops were registered twice, with handles of different types: "QueueSize" takes two strings
// by reference, "QueueSizeV2" a resource. The newer op is declared; the declaration of the older
// one is made of it at compile time.

// What the older op states itself.
struct OlderOp {
  const char* name;
  const char* doc = nullptr;  // nullptr: the newer op's
  std::uint64_t drops = 0;    // traits of the newer op
  ShapeFn shape = nullptr;    // nullptr: the newer op's
  GradFn grad = nullptr;      // nullptr: the newer op's
  int deprecated = 0;
  const char* deprecated_why = "";
};

namespace handle_twin_text {

// A literal as a template argument.
template <std::size_t size>
struct Literal {
  char chars[size];
  consteval Literal(const char (&text)[size]) { std::copy_n(text, size, chars); }
};

using ArgList = std::initializer_list<const char*> OpDecl::*;

// Argument i of a list: one called "handle" or "..._handle" with another type, others as they are.
template <const OpDecl& op, ArgList list, std::size_t i, Literal type>
struct RetypedArg {
  static constexpr std::string_view kNewer = (op.*list).begin()[i];
  static constexpr std::string_view kHandle = "handle: ";
  static constexpr std::size_t kAt = kNewer.find(kHandle);
  static constexpr bool kIsHandle = kAt != kNewer.npos;
  static constexpr std::size_t kNameSize = kIsHandle ? kAt + kHandle.size() : 0;
  static constexpr auto kRetyped = [] {
    std::array<char, kNameSize + sizeof(type.chars)> text{};
    std::copy_n(type.chars, sizeof(type.chars), std::copy_n(kNewer.data(), kNameSize, text.data()));
    return text;
  }();
  static constexpr const char* kText = kIsHandle ? kRetyped.data() : kNewer.data();
};

template <const OpDecl& op, ArgList list, Literal type,
          class = std::make_index_sequence<(op.*list).size()>>
struct RetypedArgs;

template <const OpDecl& op, ArgList list, Literal type, std::size_t... i>
struct RetypedArgs<op, list, type, std::index_sequence<i...>> {
  static constexpr bool kHasHandle = (RetypedArg<op, list, i, type>::kIsHandle || ...);
  static constexpr std::initializer_list<const char*> kList = {
      RetypedArg<op, list, i, type>::kText...};
};

// The newer op's doc and one sentence more.
template <const OpDecl& op>
struct DocOfStringHandle {
  static constexpr std::string_view kNewer = op.doc;
  static constexpr std::string_view kAdded = " The handle is a reference to strings.";
  static constexpr auto kText = [] {
    std::array<char, kNewer.size() + kAdded.size() + 1> text{};
    std::copy_n(kAdded.data(), kAdded.size(),
                std::copy_n(kNewer.data(), kNewer.size(), text.data()));
    return text;
  }();
};

}  // namespace handle_twin_text

// The older op whose handles have type `type`. An op is stateful when it makes a handle or uses a
// resource: one that only uses strings is not.
template <const OpDecl& op, handle_twin_text::Literal type>
consteval OpDecl older_handle_twin(OlderOp older) {
  using Inputs = handle_twin_text::RetypedArgs<op, &OpDecl::inputs, type>;
  using Outputs = handle_twin_text::RetypedArgs<op, &OpDecl::outputs, type>;
  OpDecl twin = op;
  twin.name = older.name;
  if (older.doc != nullptr) twin.doc = older.doc;
  twin.inputs = Inputs::kList;
  twin.outputs = Outputs::kList;
  twin.traits &= ~older.drops;
  if (!Outputs::kHasHandle) twin.traits &= ~std::uint64_t{kStateful};
  if (older.shape != nullptr) twin.shape = older.shape;
  if (older.grad != nullptr) twin.grad = older.grad;
  twin.deprecated = older.deprecated;
  twin.deprecated_why = older.deprecated_why;
  return twin;
}

// The older op that takes references to strings.
template <const OpDecl& op>
consteval OpDecl string_handle_user(OlderOp older) {
  return older_handle_twin<op, "Ref(string)">(older);
}

// The older op that makes a reference to strings, which its doc says.
template <const OpDecl& op>
consteval OpDecl string_handle_maker(OlderOp older) {
  if (older.doc == nullptr) older.doc = handle_twin_text::DocOfStringHandle<op>::kText.data();
  older.shape = string_handle_output;
  return older_handle_twin<op, "Ref(string)">(older);
}

}  // namespace rill
