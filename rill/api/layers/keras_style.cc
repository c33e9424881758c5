#include "rill/api/layers/keras_style.h"

#include <atomic>

namespace rill::layers::experimental {
namespace {

std::atomic<bool> always = false;
thread_local int scopes = 0;

}  // namespace

void set_keras_style() { always = true; }
keras_style_scope::keras_style_scope() { ++scopes; }
keras_style_scope::~keras_style_scope() { --scopes; }
bool is_keras_style() { return always || scopes > 0; }

}  // namespace rill::layers::experimental
