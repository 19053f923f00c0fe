// SPDX-License-Identifier: Apache-2.0
// Looks a kernel's host function up in the symbol table of the running ELF file.
#include "kernel_symbol.hpp"

#include <elf.h>
#include <link.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <vector>

namespace tilepipe_test {
namespace {

// Where the executable, the first object listed, was loaded: its addresses count from there.
std::uintptr_t load_address() {
  std::uintptr_t address = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* data) {
        *static_cast<std::uintptr_t*>(data) = info->dlpi_addr;
        return 1;
      },
      &address);
  return address;
}

template <class T>
T at(const std::vector<char>& file, std::size_t offset) {
  T value{};
  if (offset + sizeof(T) <= file.size()) std::memcpy(&value, file.data() + offset, sizeof(T));
  return value;
}

std::map<std::uintptr_t, std::string> functions() {
  std::ifstream in("/proc/self/exe", std::ios::binary);
  const std::vector<char> file{std::istreambuf_iterator<char>(in), {}};
  std::map<std::uintptr_t, std::string> found;
  const auto header = at<Elf64_Ehdr>(file, 0);
  for (int i = 0; i < header.e_shnum; ++i) {
    const auto table = at<Elf64_Shdr>(file, header.e_shoff + i * sizeof(Elf64_Shdr));
    if (table.sh_type != SHT_SYMTAB) continue;
    const auto names = at<Elf64_Shdr>(file, header.e_shoff + table.sh_link * sizeof(Elf64_Shdr));
    for (std::size_t o = 0; o < table.sh_size; o += sizeof(Elf64_Sym)) {
      const auto symbol = at<Elf64_Sym>(file, table.sh_offset + o);
      const std::size_t name = names.sh_offset + symbol.st_name;
      if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && name < file.size())
        found[symbol.st_value] = file.data() + name;
    }
  }
  return found;
}

}  // namespace

std::string kernel_symbol(const void* kernel) {
  static const std::map<std::uintptr_t, std::string> all = functions();
  const auto found = all.find(reinterpret_cast<std::uintptr_t>(kernel) - load_address());
  if (found == all.end()) return "";
  // The host's function is static, which its mangled name shows by an L behind the namespaces'
  // names and the kernel's does not.
  std::string name = found->second;
  std::size_t at = name.compare(0, 3, "_ZN") == 0 ? 3 : name.size();
  while (at < name.size() && name[at] >= '0' && name[at] <= '9') {
    std::size_t digits = 0;
    const auto length = static_cast<std::size_t>(std::stoul(name.substr(at), &digits));
    at += digits + length;
  }
  if (at < name.size() && name[at] == 'L') name.erase(at, 1);
  return name;
}

}  // namespace tilepipe_test
