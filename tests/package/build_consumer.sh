#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Copies a consumer project, or an example with examples/support, to an empty folder and builds it there.
# Usage: build_consumer.sh consumer build_tree|install_tree|add_subdirectory|fetch_content
#        build_consumer.sh example FILE
# The environment gives SOURCE_DIR BUILD_DIR PREFIX VERSION CMAKE GENERATOR CXX CUDACXX USE_CUDA.
set -eu
kind=$1
what=$2
here=$SOURCE_DIR/tests/package
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

cp -r "$here/$kind/." "$folder"
set -- "-DEXPECTED_VERSION=$VERSION" "-DUSE_CUDA=$USE_CUDA"
if [ "$kind" = consumer ]; then
  cp -r "$SOURCE_DIR/examples/check" "$folder"
  set -- "$@" "-DWAY=$what" "-DTILEPIPE_SOURCE=$SOURCE_DIR"
  case $what in
    build_tree) set -- "$@" "-Dtilepipe_DIR=$BUILD_DIR" ;;
    install_tree) set -- "$@" "-DCMAKE_PREFIX_PATH=$PREFIX" ;;
  esac
else
  cp -r "$SOURCE_DIR/examples/$what" "$folder"
  if [ -e "$SOURCE_DIR/examples/${what%.cu}.cuh" ]; then cp "$SOURCE_DIR/examples/${what%.cu}.cuh" "$folder"; fi
  if [ -d "$SOURCE_DIR/examples/support" ]; then cp -r "$SOURCE_DIR/examples/support" "$folder"; fi
  set -- "$@" "-DEXAMPLE=$what" "-DCMAKE_PREFIX_PATH=$PREFIX"
fi

"$CMAKE" -G "$GENERATOR" -S "$folder" -B "$folder/build" -DCMAKE_BUILD_TYPE=Release \
  -DFETCHCONTENT_FULLY_DISCONNECTED=ON "$@"
"$CMAKE" --build "$folder/build"

# A consumer must not have built tests, examples or benchmarks of ours, and it runs without a GPU.
if [ "$kind" = consumer ]; then
  "$folder/build/host_consumer"
  if [ -e "$folder/build/Testing" ] || [ -n "$(find "$folder/build" -name 'core_*' -o -name 'example_*')" ]; then
    echo "the consumer built tests or examples of tilepipe"
    exit 1
  fi
  if [ "$USE_CUDA" = ON ]; then
    cd "$folder/build"
    ctest --no-tests=error --output-on-failure
  fi
fi
