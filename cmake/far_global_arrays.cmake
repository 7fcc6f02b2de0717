# Debian's Global Arrays, whose library leaves ARMCI's functions open, and an ARMCI to link it with:
# far_global_arrays has what a program of Global Arrays is linked with besides an ARMCI, and is empty
# if something is missing; FAR_DEBIAN_ARMCI is ARMCI-MPI. Programs are compiled by Open MPI's wrapper.

find_library(FAR_DEBIAN_ARMCI libarmci-openmpi.a)
find_library(FAR_DEBIAN_GA libga-openmpi.a)
find_library(FAR_DEBIAN_SCALAPACK scalapack-openmpi)
find_library(FAR_DEBIAN_BLAS openblas)
find_library(FAR_DEBIAN_GFORTRAN NAMES gfortran libgfortran.so.5)
mark_as_advanced(
  FAR_DEBIAN_ARMCI FAR_DEBIAN_GA FAR_DEBIAN_SCALAPACK FAR_DEBIAN_BLAS FAR_DEBIAN_GFORTRAN)

set(far_global_arrays "")
if(FAR_DEBIAN_GA AND FAR_DEBIAN_SCALAPACK AND FAR_DEBIAN_BLAS AND FAR_DEBIAN_GFORTRAN)
  set(far_global_arrays ${FAR_DEBIAN_GA} ${FAR_DEBIAN_SCALAPACK} ${FAR_DEBIAN_BLAS}
    ${FAR_DEBIAN_GFORTRAN})
endif()
