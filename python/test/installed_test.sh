#!/usr/bin/env bash
# Installs a build of libfar into an empty folder, makes a wheel of the Python package that uses it,
# as `pip wheel .` does in a clean environment, and tests that wheel.
# usage: installed_test.sh BUILD_FOLDER PYTHON CXX
set -euo pipefail

repository=$(cd "$(dirname "$0")/../.." && pwd)
build=$1
python=$2
cxx=$3
scratch=$(mktemp -d)

# The lists of a real installation from this build folder are restored at the end.
lists=(install_manifest.txt install_folders.txt)
mkdir "$scratch/lists"
for list in "${lists[@]}"; do
  if [[ -e $build/$list ]]; then mv "$build/$list" "$scratch/lists/"; fi
done
restore() {
  for list in "${lists[@]}"; do
    rm -f "$build/$list"
    if [[ -e $scratch/lists/$list ]]; then mv "$scratch/lists/$list" "$build/"; fi
  done
  rm -rf "$scratch"
}
trap restore EXIT

cmake --install "$build" --prefix "$scratch/libfar" > "$scratch/log"
CXX=$cxx CMAKE_PREFIX_PATH=$scratch/libfar "$python" -m pip -q --disable-pip-version-check wheel \
  --no-deps --wheel-dir "$scratch/wheel" "$repository"
if "$python" -m zipfile -l "$scratch"/wheel/libfar-*.whl | grep libfar.so; then
  echo "installed_test: the wheel has a libfar of its own, beside the installed one" >&2
  exit 1
fi
"$repository/python/test/package_test.sh" "$python" "$scratch"/wheel/libfar-*.whl "$cxx"
