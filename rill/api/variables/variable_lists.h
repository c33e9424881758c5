#pragma once

#include <source_location>
#include <string>
#include <string_view>
#include <vector>

#include "rill/api/variables/variable.h"

namespace rill {

// The variables of the default graph's collections; with a scope, those whose names it matches.
std::vector<Variable> global_variables(std::string_view scope = {});
std::vector<Variable> local_variables(std::string_view scope = {});
std::vector<Variable> trainable_variables(std::string_view scope = {});
std::vector<Variable> model_variables(std::string_view scope = {});
std::vector<Variable> moving_average_variables(std::string_view scope = {});

// An operation that initialises them; a NoOp where there are none. Where an initial value
// reads another variable, their order does not matter. Those that are made later are not in it.
Node& variables_initializer(const std::vector<Variable>& variables,
                            const std::string& name = "init",
                            std::source_location at = std::source_location::current());
Node& global_variables_initializer(std::source_location at = std::source_location::current());
Node& local_variables_initializer(std::source_location at = std::source_location::current());

// The names of the variables without a value, as a vector of strings.
Output report_uninitialized_variables(const std::vector<Variable>& variables,
                                      const std::string& name = "report_uninitialized_variables",
                                      std::source_location at = std::source_location::current());
// Their ranks, which cannot be had while a variable has no value.
Output assert_variables_initialized(const std::vector<Variable>& variables,
                                    std::source_location at = std::source_location::current());

}  // namespace rill
