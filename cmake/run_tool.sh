#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs a tool with its arguments; exit 77 (skipped) if its name is empty, as it was not found.
if [ -z "$1" ]; then
  echo "skipped: the tool of this test was not found"
  exit 77
fi
exec "$@"
