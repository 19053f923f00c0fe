#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs a tool with its arguments; exit 77 (skipped) if CMake did not find it and its name ends in NOTFOUND.
case $1 in
  *NOTFOUND)
    echo "skipped: the tool of this test was not found ($1)"
    exit 77
    ;;
esac
exec "$@"
