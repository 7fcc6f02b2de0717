#!/usr/bin/env bash
# Checks that clang-format-16 with our .clang-format leaves every C++ source as it is.
# usage: formatting.sh [--fix] [ROOT]
set -euo pipefail

mode=(--dry-run -Werror)
if [[ ${1:-} == --fix ]]; then
  mode=(-i)
  shift
fi
cd "${1:-$(dirname "$0")/../..}"

clang_format=$(command -v clang-format-16) || {
  echo "formatting: clang-format-16 is not installed; ./dev check installs it" >&2
  exit 1
}
mapfile -d '' files < <(
  find . \( -path ./build -o -path ./.git \) -prune -o \
    -type f \( -name '*.cpp' -o -name '*.hpp' -o -name '*.inc' \) -print0 | sort -z
)
if ((${#files[@]} == 0)); then
  echo "formatting: there are no sources below $PWD" >&2
  exit 1
fi
if ! "$clang_format" "${mode[@]}" "${files[@]}"; then
  echo "formatting: run test/checks/formatting.sh --fix" >&2
  exit 1
fi
echo "formatting: good (${#files[@]} files)"
