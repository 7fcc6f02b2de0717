#include "far/fabric/shm/static_data.hpp"

#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "far/base/error.hpp"
#include "far/base/random.hpp"

namespace far::fabric::shm {
namespace {

std::uintptr_t page_down(std::uintptr_t address) noexcept { return address / page * page; }

/// The bytes of the build id among these notes, if it is there.
std::span<const std::byte> build_id(const std::byte* notes, std::size_t bytes) noexcept {
  constexpr std::uint32_t gnu_build_id = 3;
  constexpr auto padded = [](std::size_t n) { return round_up(n, 4); };
  while (bytes >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) note;
    std::memcpy(&note, notes, sizeof(note));
    const std::size_t all = sizeof(note) + padded(note.n_namesz) + padded(note.n_descsz);
    if (all > bytes) break;
    if (note.n_type == gnu_build_id) {
      return {notes + sizeof(note) + padded(note.n_namesz), note.n_descsz};
    }
    notes += all;
    bytes -= all;
  }
  return {};
}

void add(std::uint64_t& fingerprint, std::uint64_t value) noexcept {
  fingerprint = base::mix(fingerprint ^ value);
}

/// Adds what lies in [begin, end) as whole pages.
void add_pages(std::vector<static_image::piece>& pieces, std::uintptr_t begin, std::uintptr_t end) {
  begin = page_down(begin);
  end = page_down(end + page - 1);
  if (begin >= end) return;
  if (!pieces.empty()) {  // two segments may share a page, or touch
    static_image::piece& last = pieces.back();
    const auto last_end = reinterpret_cast<std::uintptr_t>(last.begin) + last.bytes;
    if (begin <= last_end) {
      last.bytes += std::max(end, last_end) - last_end;
      return;
    }
  }
  pieces.push_back({reinterpret_cast<std::byte*>(begin), end - begin});
}

/// For dl_iterate_phdr, which reports the executable first.
int read_headers(dl_phdr_info* info, std::size_t, void* result) {
  auto& image = *static_cast<static_image*>(result);
  const std::span<const ElfW(Phdr)> headers(info->dlpi_phdr, info->dlpi_phnum);
  std::uintptr_t fixed_begin = 0;
  std::uintptr_t fixed_end = 0;  // read-only after relocation; the linker rounds both down
  for (const auto& header : headers) {
    const std::uintptr_t begin = info->dlpi_addr + header.p_vaddr;
    if (header.p_type == PT_GNU_RELRO) {
      fixed_begin = page_down(begin);
      fixed_end = page_down(begin + header.p_memsz);
    } else if (header.p_type == PT_NOTE) {
      for (const std::byte one :
           build_id(reinterpret_cast<const std::byte*>(begin), header.p_memsz)) {
        add(image.fingerprint, static_cast<std::uint64_t>(one));
      }
    }
  }
  for (const auto& header : headers) {
    if (header.p_type != PT_LOAD || (header.p_flags & PF_W) == 0) continue;
    std::uintptr_t begin = info->dlpi_addr + header.p_vaddr;
    const std::uintptr_t end = begin + header.p_memsz;
    if (fixed_begin < fixed_end && fixed_begin < end && begin < fixed_end) {
      if (page_down(begin) < fixed_begin) add_pages(image.pieces, begin, fixed_begin);
      begin = fixed_end;
    }
    add_pages(image.pieces, begin, end);
    add(image.fingerprint, header.p_vaddr);
    add(image.fingerprint, header.p_memsz);
  }
  return 1;  // the rest are shared objects
}

[[noreturn]] void throw_system(const char* what) {
  throw fabric_error(fmt::format("static data: {}: {}", what, std::strerror(errno)));
}

// The accesses to whole pages of variables go through the kernel, or through code that sanitizers
// leave alone: they have poisoned what lies between the variables.

[[gnu::no_sanitize_address, gnu::no_sanitize_thread, gnu::noinline]] bool is_zero(
    const std::byte* bytes) noexcept {
  const auto* const words = reinterpret_cast<const volatile std::uint64_t*>(bytes);
  for (std::size_t i = 0; i < page / sizeof(std::uint64_t); ++i) {
    if (words[i] != 0) return false;
  }
  return true;
}

/// Reads or writes all of a range of the file, by this system call.
void transfer(long call, int descriptor, std::byte* memory, std::size_t bytes, std::size_t offset) {
  while (bytes > 0) {
    const long moved = syscall(call, descriptor, memory, bytes, offset);
    if (moved < 0 && errno == EINTR) continue;
    if (moved <= 0) throw_system("cannot copy them to the job's memory, or back");
    memory += moved;
    bytes -= static_cast<std::size_t>(moved);
    offset += static_cast<std::size_t>(moved);
  }
}

/// Copies the pages that hold anything: those of large arrays that are still zero stay untouched,
/// and cost no memory.
void copy_to_file(const static_image::piece& from, int descriptor, std::size_t offset) {
  std::size_t begin = 0;
  for (std::size_t at = 0; at <= from.bytes; at += page) {
    if (at < from.bytes && !is_zero(from.begin + at)) continue;
    if (begin < at) {
      transfer(SYS_pwrite64, descriptor, from.begin + begin, at - begin, offset + begin);
    }
    begin = at + page;
  }
}

/// The reverse: reads the parts of the file that exist. lseek moves the position of all processes
/// that share the descriptor, so it gets one of its own (reopened).
void copy_from_file(std::byte* to, std::size_t bytes, int descriptor, std::size_t offset) {
  const auto end = static_cast<off_t>(offset + bytes);
  auto at = static_cast<off_t>(offset);
  while (at < end) {
    const off_t data = lseek(descriptor, at, SEEK_DATA);
    if (data < 0 || data >= end) break;
    at = std::min(end, std::max(data + 1, lseek(descriptor, data, SEEK_HOLE)));
    transfer(SYS_pread64, descriptor, to + (data - static_cast<off_t>(offset)),
             static_cast<std::size_t>(at - data), static_cast<std::size_t>(data));
  }
}

int reopened(int descriptor) {
  return open(fmt::format("/proc/self/fd/{}", descriptor).c_str(), O_RDONLY | O_CLOEXEC);
}

/// What is mapped, for keep_static_data_to_fork; a process is in one job at a time. Not a variable
/// of the executable, where it would be shared itself.
struct mapped_pieces {
  int descriptor;
  std::size_t file_offset;
  const static_image* image;
};
std::atomic<const mapped_pieces*> mapped{nullptr};

std::size_t offset_of(const static_image& image, const static_image::piece& one) noexcept {
  return static_cast<std::size_t>(one.begin - image.pieces.front().begin);
}

}  // namespace

static_image find_static_image() {
  if (sysconf(_SC_PAGESIZE) != static_cast<long>(page)) {
    throw fabric_error(fmt::format(
        "static data: this machine has pages of {} bytes, and libfar shares those of {} bytes only",
        sysconf(_SC_PAGESIZE), page));
  }
  static_image image;
  dl_iterate_phdr(&read_headers, &image);
  if (image.pieces.empty()) throw fabric_error("static data: the executable has none");
  return image;
}

static_data::static_data(const region& job, std::byte* place, static_image image)
    : descriptor_(job.descriptor()), file_offset_(job.offset_of(place)), image_(std::move(image)) {
  for (const static_image::piece& one : image_.pieces) {
    const std::size_t offset = file_offset_ + offset_of(image_, one);
    copy_to_file(one, descriptor_, offset);
    // In one step: at each moment the variables exist.
    if (mmap(one.begin, one.bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, descriptor_,
             static_cast<off_t>(offset)) == MAP_FAILED) {
      throw_system("cannot map the job's memory over them");
    }
  }
  mapped.store(new mapped_pieces{descriptor_, file_offset_, &image_}, std::memory_order_release);
}

static_data::~static_data() {
  delete mapped.exchange(nullptr, std::memory_order_acq_rel);
  const int file = reopened(descriptor_);
  for (const static_image::piece& one : image_.pieces) {
    void* const own =
        mmap(nullptr, one.bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (own == MAP_FAILED) continue;  // then they stay memory of the job, which the map keeps
    try {
      copy_from_file(static_cast<std::byte*>(own), one.bytes, file,
                     file_offset_ + offset_of(image_, one));
    } catch (const fabric_error&) {
      munmap(own, one.bytes);
      continue;
    }
    // Communication libraries in this process (UCX, MPI) replace these functions, to forget what
    // they have registered there. That of mremap in UCX 1.13 loses the address. So they are told by
    // madvise, which does not change shared memory, and the kernel is called without them.
    madvise(one.begin, one.bytes, MADV_DONTNEED);
    syscall(SYS_mremap, own, one.bytes, one.bytes, MREMAP_MAYMOVE | MREMAP_FIXED, one.begin);
  }
  if (file >= 0) close(file);
}

void keep_static_data_to_fork() noexcept {
  const mapped_pieces* const all = mapped.load(std::memory_order_acquire);
  if (all == nullptr) return;
  for (const static_image::piece& one : all->image->pieces) {
    const std::size_t offset = all->file_offset + offset_of(*all->image, one);
    mmap(one.begin, one.bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, all->descriptor,
         static_cast<off_t>(offset));
  }
}

}  // namespace far::fabric::shm
