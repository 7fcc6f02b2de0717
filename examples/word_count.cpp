// Counts words in a hash table that is distributed over all ranks. Each rank adds its own lines,
// then prints the words that it owns: together every word once, for any number of ranks.
//
//   far run -n 4 example_word_count

#include <cstddef>
#include <cstdio>
#include <sstream>
#include <string>
#include <vector>

#include <far/far.hpp>

int main() {
  const std::vector<std::string> lines = {"the sea the sky", "the sky above the sea", "and the sky",
                                          "and the sea below"};
  far::run([&](far::world& world) {
    far::hash_map<std::string, int> counts(world);

    std::vector<std::string> words;
    const auto rank = static_cast<std::size_t>(world.rank());
    const auto size = static_cast<std::size_t>(world.size());
    for (std::size_t i = rank; i < lines.size(); i += size) {
      std::istringstream line(lines[i]);
      for (std::string word; line >> word;) words.push_back(word);
    }
    counts.add_or_insert_all(words, 1);  // one message to each owner instead of one per word

    far::barrier(world);  // all ranks' words have been added
    std::string text;
    for (auto [word, count] : counts.local()) text += std::to_string(count) + " " + word + "\n";
    std::fputs(text.c_str(), stdout);

    const std::size_t distinct = counts.size();  // collective
    if (world.rank() == 0) std::printf("%zu words\n", distinct);
  });
}
