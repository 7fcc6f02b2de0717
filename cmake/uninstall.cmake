# Removes what the last `install` of this build folder put in place: the files of its manifest,
# then the folders that installing made, where nothing else lies in them.
# Input: manifest, folders (paths of the two lists).

if(NOT EXISTS "${manifest}")
  message(FATAL_ERROR "nothing to uninstall: ${manifest} is not there; was it installed from here?")
endif()

set(parents "")
file(STRINGS "${manifest}" files)
foreach(file IN LISTS files)
  set(path "$ENV{DESTDIR}${file}")
  if(EXISTS "${path}" OR IS_SYMLINK "${path}")
    message(STATUS "Removing ${path}")
    file(REMOVE "${path}")
  endif()
  # Folders of headers lie below the noted include/far.
  cmake_path(GET path PARENT_PATH parent)
  if(parent MATCHES "/include/far/")
    while(NOT parent MATCHES "/include/far$")
      list(APPEND parents "${parent}")
      cmake_path(GET parent PARENT_PATH parent)
    endwhile()
  endif()
endforeach()

if(EXISTS "${folders}")
  file(STRINGS "${folders}" noted)
  list(APPEND parents ${noted})
endif()
list(REMOVE_DUPLICATES parents)
list(SORT parents ORDER DESCENDING)  # a folder comes before the folder it lies in
foreach(folder IN LISTS parents)
  if(IS_DIRECTORY "${folder}" AND NOT IS_SYMLINK "${folder}")
    file(GLOB inside "${folder}/*" "${folder}/.*")
    list(FILTER inside EXCLUDE REGEX "/\\.\\.?$")
    if(NOT inside)
      message(STATUS "Removing ${folder}")
      file(REMOVE_RECURSE "${folder}")
    endif()
  endif()
endforeach()
file(REMOVE "${manifest}" "${folders}")
