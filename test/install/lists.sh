# shellcheck shell=bash
# The lists of what was installed from a build folder, by which it is uninstalled: a test that
# installs into a folder of its own moves those of a real installation away, and back at its end.

lists=(install_manifest.txt install_manifest_debug.txt install_folders.txt)

# keep_lists BUILD_FOLDER FOLDER
keep_lists() {
  local list
  mkdir -p "$2"
  for list in "${lists[@]}"; do
    if [[ -e $1/$list ]]; then mv "$1/$list" "$2/"; fi
  done
}

# restore_lists BUILD_FOLDER FOLDER
restore_lists() {
  local list
  for list in "${lists[@]}"; do
    rm -f "$1/$list"
    if [[ -e $2/$list ]]; then mv "$2/$list" "$1/"; fi
  done
}
