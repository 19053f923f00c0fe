// SPDX-License-Identifier: Apache-2.0
// Which path each case runs by on each architecture, written by hand from the rules of the path
// choice: below 8.0 registers; cp.async from 8.0 where 4 bytes align; bulk from 9.0 for exact runs
// of bytes, rows of 2 KiB, and gathered rows of 4 KiB; tensor from 9.0 for mapped sources.
#pragma once

namespace tilepipe_test {

struct ExpectedPath {
  const char* cases;  // a pattern with *; the first that fits a case's name holds
  const char* on_75;  // "-": the case is not built for this architecture
  const char* on_80;
  const char* on_90;
};

constexpr ExpectedPath expected_paths[] = {
    // mapped destinations, and sources
    {"store_mapped/*", "registers", "registers", "tensor"},
    {"store_mapped_add/bulk-*", "registers", "registers", "bulk"},
    {"store_mapped_add/*", "registers", "registers", "tensor"},
    {"store_in_place/line-*", "registers", "registers", "bulk"},
    {"*tensor*", "-", "-", "tensor"},
    {"mapped/64_bytes", "registers", "cp_async", "bulk"},
    {"*mapped*", "registers", "cp_async", "tensor"},
    // two pipelines: the first one's
    {"two/registers-*", "registers", "registers", "registers"},
    {"two/groups-*", "-", "cp_async", "cp_async"},
    {"two/mbarrier-*", "-", "cp_async", "cp_async"},
    {"two/bulk-*", "-", "-", "bulk"},
    {"*libcudacxx*", "libcudacxx", "libcudacxx", "libcudacxx"},
    // stores: bulk of one run of bytes and of wide rows, else plain; where they add, the same
    {"store*registers*", "registers", "registers", "registers"},
    {"store*bulk*", "-", "-", "bulk"},
    {"store*/line-*", "registers", "registers", "bulk"},
    {"store/skip_line-automatic", "registers", "registers", "bulk"},
    {"store*", "registers", "registers", "registers"},
    // demanded, or without any other way
    {"*cp_async*", "-", "cp_async", "cp_async"},
    {"*registers-mbarrier*", "-", "registers", "registers"},
    {"*registers*", "registers", "registers", "registers"},
    {"*bulk*", "-", "-", "bulk"},
    {"options/packed", "registers", "cp_async", "bulk"},
    {"options/*", "-", "cp_async", "cp_async"},
    {"for_each/bytes", "registers", "registers", "registers"},
    {"for_each/3d-roles", "registers", "registers", "registers"},
    {"alignment/1-1-*", "registers", "registers", "registers"},
    {"alignment/2-2-*", "registers", "registers", "registers"},
    // one exact run of bytes, or wide rows, without bulk copies: of a thread, or by groups
    {"*/thread-automatic-line", "registers", "cp_async", "cp_async"},
    {"*-automatic-groups-line", "registers", "cp_async", "cp_async"},
    {"small/*-thread-automatic/*", "registers", "cp_async", "cp_async"},
    {"drop/thread-automatic/*", "registers", "cp_async", "cp_async"},
    {"mixed/thread-*", "registers", "cp_async", "cp_async"},
    {"gather/automatic-groups-*", "registers", "cp_async", "cp_async"},
    // one exact run of bytes
    {"teams/*-automatic-line", "registers", "cp_async", "bulk"},
    {"ranks/1d-automatic-exact", "registers", "cp_async", "bulk"},
    {"for_each/line", "registers", "cp_async", "bulk"},
    {"static/line-*", "registers", "cp_async", "bulk"},
    {"verbs/*-automatic/*", "registers", "cp_async", "bulk"},
    {"roles/*-automatic/*", "registers", "cp_async", "bulk"},
    {"small/*-automatic/*", "registers", "cp_async", "bulk"},
    {"slices/*automatic", "registers", "cp_async", "bulk"},
    {"stop/*automatic/*", "registers", "cp_async", "bulk"},
    {"reuse/*automatic/*", "registers", "cp_async", "bulk"},
    {"parts/*automatic/*", "registers", "cp_async", "bulk"},
    {"acquire_source/*automatic*", "registers", "cp_async", "bulk"},
    {"leave/*automatic*", "registers", "cp_async", "bulk"},
    {"drop/*automatic/*", "registers", "cp_async", "bulk"},
    {"persistent/*automatic", "registers", "cp_async", "bulk"},
    {"gather/*-wide*", "registers", "cp_async", "bulk"},
    {"mixed/*:line", "registers", "cp_async", "bulk"},
    // edges, swizzles, short rows, gathered rows, any alignment
    {"teams/*-automatic-*", "registers", "cp_async", "cp_async"},
    {"layouts/*-automatic", "registers", "cp_async", "cp_async"},
    {"elements/*-automatic-*", "registers", "cp_async", "cp_async"},
    {"ranks/*-automatic-*", "registers", "cp_async", "cp_async"},
    {"for_each/*", "registers", "cp_async", "cp_async"},
    {"static/swizzled-*", "registers", "cp_async", "cp_async"},
    {"alignment/*-automatic", "registers", "cp_async", "cp_async"},
    {"gather/automatic-*", "registers", "cp_async", "cp_async"},
    {"mixed_box/*:box", "registers", "cp_async", "tensor"},
    {"mixed_box/*:line", "registers", "cp_async", "bulk"},
    {"mixed_box/*:rows", "registers", "cp_async", "cp_async"},
    {"mixed/*:zeros", "registers", "cp_async", "cp_async"},
    {"mixed/*:any", "registers", "cp_async", "cp_async"},
    {"mixed/*:half", "registers", "cp_async", "cp_async"},
};

}  // namespace tilepipe_test
