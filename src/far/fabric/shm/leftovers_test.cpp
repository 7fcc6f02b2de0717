#include "far/fabric/shm/leftovers.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include <gtest/gtest.h>

#include "test/support/system_files.hpp"

namespace {

using far::fabric::shm::leftovers;
using far::test::system_files;

bool exists(const std::string& path) { return access(path.c_str(), F_OK) == 0; }

void wait_for_the_next_stamp() { std::this_thread::sleep_for(std::chrono::milliseconds(50)); }

TEST(Leftovers, AreFilesOfUcxThatNobodyHasOpen) {
  const system_files folder;
  const std::string left = folder.root() + "/ucx_shm_posix_1a";
  const std::string before = folder.root() + "/ucx_shm_posix_2b";
  const std::string opened = folder.root() + "/ucx_shm_posix_3c";
  const std::string mapped = folder.root() + "/ucx_shm_posix_4d";
  const std::string others = folder.root() + "/another";
  folder.add("/ucx_shm_posix_2b", "text");
  wait_for_the_next_stamp();
  const leftovers of_job(folder.root());
  folder.add("/ucx_shm_posix_1a", "text");
  folder.add("/ucx_shm_posix_3c", "text");
  folder.add("/ucx_shm_posix_4d", "text");
  folder.add("/another", "text");
  const int open_one = open(opened.c_str(), O_RDONLY | O_CLOEXEC);
  const int mapped_one = open(mapped.c_str(), O_RDONLY | O_CLOEXEC);
  void* const mapping = mmap(nullptr, 4, PROT_READ, MAP_SHARED, mapped_one, 0);
  close(mapped_one);
  of_job.remove();
  EXPECT_FALSE(exists(left));
  EXPECT_TRUE(exists(before));
  EXPECT_TRUE(exists(opened));
  EXPECT_TRUE(exists(mapped));
  EXPECT_TRUE(exists(others));
  close(open_one);
  munmap(mapping, 4);
  of_job.remove();
  EXPECT_FALSE(exists(opened));
  EXPECT_FALSE(exists(mapped));
}

TEST(Leftovers, AFolderThatDoesNotExistHasNone) { leftovers("/no/such/folder").remove(); }

}  // namespace
