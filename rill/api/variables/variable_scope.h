#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "rill/api/variables/get_variable.h"

namespace rill {

// What get_variable falls back to inside a block of variable_scope, and the prefix of the names.
struct VariableScope {
  std::string name = {};                 // "a/b", "" at the top
  std::string original_name_scope = {};  // "a/b/", where the scope was opened first
  Reuse reuse = Reuse::kNo;
  Initializer initializer = {};
  Regularizer regularizer = {};
  std::optional<DeviceChoice> caching_device = {};
  Partitioner partitioner = {};
  CustomGetter custom_getter = {};
  DType dtype = DType::f32;
  std::optional<bool> use_resource = {};
  ConstraintFunction constraint = {};

  void reuse_variables() { reuse = Reuse::kYes; }
  // As the free function, with this scope's defaults.
  AnyVariable get_variable(const std::string& name, GetVariableOptions options) const;
  AnyVariable get_own_variable(GetVariableOptions options) const;  // called as the scope is

 private:
  AnyVariable get_full(const std::string& full_name, GetVariableOptions options) const;
};
using VariableScopeRef = std::shared_ptr<VariableScope>;

// Of the default graph and this thread.
VariableScopeRef get_variable_scope();
// A thread begins at the top, also where one with its number was there before.
void forget_variable_scopes();

// What is not given is the outer scope's. Reuse::kYes holds for all scopes inside: kNo there does
// not take it back.
struct VariableScopeOptions {
  Initializer initializer = {};
  Regularizer regularizer = {};
  std::optional<DeviceChoice> caching_device = {};
  Partitioner partitioner = {};
  CustomGetter custom_getter = {};  // asked first; it gets the outer scope's as its getter
  Reuse reuse = Reuse::kUnset;
  DType dtype = DType::invalid;
  std::optional<bool> use_resource = {};
  ConstraintFunction constraint = {};
  bool auxiliary_name_scope = true;  // opens a name scope of the same name
};

// Opens a scope below the current one while it lives, and a name scope with it. Blocks nest, and
// must end in reverse order in the thread that opened them.
//
//   const VariableScopeBlock layer("layer1");
//   Variable w = get_variable("w", PartialShape{3, 4});  // "layer1/w"
//
// A name scope is made unique, a variable scope is not: opened twice, it is the same one, in which
// the same names mean the same variables.
class VariableScopeBlock {
 public:
  explicit VariableScopeBlock(std::string_view name, const VariableScopeOptions& options = {},
                              std::source_location at = std::source_location::current());
  // Opens one that was open before, again.
  explicit VariableScopeBlock(const VariableScopeRef& scope,
                              const VariableScopeOptions& options = {},
                              std::source_location at = std::source_location::current());
  // Opens one with the first free name: "dense", "dense_1", ...
  static std::unique_ptr<VariableScopeBlock> with_default_name(
      std::string_view name, const VariableScopeOptions& options = {},
      std::source_location at = std::source_location::current());
  ~VariableScopeBlock();
  VariableScopeBlock(const VariableScopeBlock&) = delete;
  VariableScopeBlock& operator=(const VariableScopeBlock&) = delete;

  const VariableScopeRef& scope() const { return scope_; }

 private:
  struct Tag {};
  explicit VariableScopeBlock(Tag) {}
  void enter_named(std::string_view name, std::string_view name_scope,
                   const VariableScopeOptions& options, std::source_location at);
  void open(std::string_view name_scope, const VariableScopeOptions& options,
            std::source_location at);

  std::shared_ptr<Graph> graph_;
  VariableScopeRef scope_, outer_;
  bool again_ = false;                 // a scope object was entered
  std::map<std::string, int> counts_;  // of scopes opened before, where it was
  std::unique_ptr<Block> names_;
};

// What get_variable made in a graph, by full name.
class VariableStore {
 public:
  AnyVariable get(const std::string& full_name, const GetVariableOptions& options);
  // Whether variables of eager execution are found again by their names; otherwise each is new.
  bool keeps_eager_variables = false;

 private:
  AnyVariable get_plainly(const std::string& name, const GetVariableOptions& options);
  Variable get_single(const std::string& name, const GetVariableOptions& options,
                      const PartitionInfo* part);
  Variable existing(const std::string& name, const GetVariableOptions& options);
  PartitionedVariableRef get_partitioned(const std::string& name,
                                         const GetVariableOptions& options);
  PartitionedVariableRef existing_parts(const std::string& name, const GetVariableOptions& options);
  void add_regularization(const std::string& name, const AnyVariable& variable,
                          const Regularizer& regularizer);

  std::map<std::string, Variable> variables_;
  std::map<std::string, PartitionedVariableRef> partitioned_;
};

// Makes `scope` stand for what get_variable does with a name below it, with the store of the
// default graph; for faces that keep scopes themselves.
VariableStore& variable_store();

}  // namespace rill
