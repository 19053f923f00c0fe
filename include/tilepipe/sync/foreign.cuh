// SPDX-License-Identifier: Apache-2.0
// The place of completions that belong to another library: declared here, defined in interop/.
#pragma once

#include "../core/completion.hpp"

TILEPIPE_NAMESPACE_BEGIN

// What a policy binds when it names nothing: cuda::pipeline at thread scope, defined in <tilepipe/interop/libcudacxx.cuh>.
// Besides the interface of GroupsCompletion it has copy<Width>(to, from), which issues one chunk.
template <class Protocol>
class ForeignCompletion;

TILEPIPE_NAMESPACE_END
