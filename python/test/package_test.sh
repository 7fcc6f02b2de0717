#!/usr/bin/env bash
# Installs a wheel of the Python package into an empty environment, uses it without the variables of
# this one, from Python and from C++ by CMake and by pkg-config, then uninstalls: nothing may remain.
# usage: package_test.sh PYTHON WHEEL CXX
set -euo pipefail

repository=$(cd "$(dirname "$0")/../.." && pwd)
python=$1
wheel=$(realpath "$2")
cxx=$3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
environment=$scratch/environment
cd "$scratch"  # where there is no folder `far`

fail() {
  echo "package_test: $*" >&2
  exit 1
}

# clean COMMAND...: runs it with nothing but the environment's programs.
clean() { env -i PATH="$environment/bin" HOME="$scratch" "$@"; }

# expect WANTED COMMAND...: the command must succeed, and print exactly WANTED.
expect() {
  local wanted=$1 got
  shift
  got=$("$@") || fail "failed with status $?: $*"
  [[ $got == "$wanted" ]] || fail "printed '$got' instead of '$wanted': $*"
}

files() { find "$environment" ! -name '*.pyc' ! -name __pycache__ | sort; }

pip() { "$environment/bin/pip" -q --disable-pip-version-check "$@"; }

"$python" -m venv "$environment"
pip install 'numpy>=1.26' 'cloudpickle>=3'  # the package's dependencies, which uninstalling keeps
files > before
pip install --no-index "$wheel"
version=$(clean python -m far --version)

# -- Python ----------------------------------------------------------------------------------------

cat > script.py << 'END'
import far

def main(world):
    numbers = far.Array(world, 8, int)
    numbers.add_at(range(8), world.rank + 1)
    world.barrier()
    return int(numbers.sum())

if __name__ == "__main__":
    print(far.run(main, ranks=2))
END
cat > rank.py << 'END'
import far

far.run(lambda world: print(world.rank if world.size == 2 else "alone"))
END
expect "[24, 24]" clean python script.py
expect "far $version" clean far --version
[[ $(clean far run -n 2 python rank.py | sort) == $'0\n1' ]] || fail "far run -n 2 python rank.py"
[[ $(clean far --help) == *"Usage: far"* ]] || fail "far --help"

# -- C++ -------------------------------------------------------------------------------------------

# try_consumer PROGRAM: it finds the library by itself, also where the simulator runs it.
try_consumer() {
  expect "far $version, 1 ranks" clean "$1"
  expect "far $version, 2 ranks" clean far run -n 2 "$1"
  expect "far $version, 4 ranks" clean far sim -n 4 -p cori-aries "$1" 2> log
}

cmake -S "$repository/test/install" -B cmake -G Ninja -DCMAKE_CXX_COMPILER="$cxx" \
  -Dfar_DIR="$(clean python -m far --cmake-dir)" > log \
  || fail "cmake cannot find the package: $(< log)"
cmake --build cmake > log || fail "the consumer does not build: $(< log)"
try_consumer "$scratch/cmake/consumer"

read -ra flags < <(PKG_CONFIG_PATH=$(clean python -m far --pkg-config-dir) \
  pkg-config --cflags --libs far)
"$cxx" "$repository/test/install/consumer.cpp" -o consumer "${flags[@]}" \
  || fail "consumer.cpp does not build with: ${flags[*]}"
try_consumer "$scratch/consumer"

# -- uninstalling ----------------------------------------------------------------------------------

pip uninstall -y libfar
files > after
diff before after || fail "uninstalling has left, or removed, what is above"
echo "package_test: installed, used and uninstalled $(basename "$wheel")"
