#include "setrograde/boards/automaton.hpp"

#include <algorithm>
#include <bit>

namespace setrograde {

// Node 0 keeps its name.
class Automaton::Names {
public:
    explicit Names(std::size_t nodes) : names_(nodes, 0) {}

    Branch operator()(Branch branch) {
        const std::size_t node = branch >> 1;
        if (node == 0) return branch;
        if (!names_[node]) {
            order_.push_back(static_cast<Branch>(node));
            names_[node] = static_cast<Branch>(order_.size());
        }
        return names_[node] << 1 | (branch & 1);
    }
    const std::vector<Branch>& order() const { return order_; }

private:
    std::vector<Branch> names_;
    std::vector<Branch> order_;
};

namespace {

constexpr std::size_t NO_LIMIT = ~std::size_t{0} >> 1;
constexpr std::size_t POLL_NODES = std::size_t{1} << 12;

// --- arithmetic of equally long numbers ---

void add_to(std::uint64_t* sum, const std::uint64_t* more, std::size_t words) {
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i < words; ++i) {
        const std::uint64_t part = sum[i] + carry;
        carry = part < carry;
        sum[i] = part + more[i];
        carry += sum[i] < part;
    }
}

void take_from(std::uint64_t* sum, const std::uint64_t* less, std::size_t words) {
    std::uint64_t borrow = 0;
    for (std::size_t i = 0; i < words; ++i) {
        const std::uint64_t part = sum[i] - borrow;
        borrow = sum[i] < borrow;
        sum[i] = part - less[i];
        borrow += part < less[i];
    }
}

bool is_less(const Words& a, const Words& b) {
    return std::lexicographical_compare(a.rbegin(), a.rend(), b.rbegin(), b.rend());
}

std::size_t words_for(const Automaton& automaton) {
    std::size_t bits = 1;
    for (std::size_t l = 0; l < automaton.layers(); ++l)
        bits += static_cast<std::size_t>(std::bit_width(automaton.symbols(l)));
    return bits / 64 + 1;
}

}  // namespace

Automaton::Automaton(const Forest& forest, std::span<const Branch> roots) {
    Names names(forest.nodes_of(0));
    for (const Branch root : roots) roots_.push_back(names(root));
    for (std::size_t l = 0; l < forest.layers(); ++l) lay_out_layer(forest, l, names);
}

// A node of a layer with several places is a tree of nodes, a level for each: its children, in their order, are cut
// into rows, one for each symbol of the first place, and those again. Equal rows, up to complement, are one node.
void Automaton::lay_out_layer(const Forest& forest, std::size_t layer, Names& names) {
    const Places& places = forest.places();
    Names below(layer + 1 < forest.layers() ? forest.nodes_of(layer + 1) : 1);
    std::size_t count = names.order().size();
    const auto row_of_node = [&](std::size_t i) { return forest.children(layer, names.order()[i] << 1); };
    ForestLayer rows(1), next_rows(1);
    for (std::size_t place = places.first_of(layer); place < places.end_of(layer); ++place) {
        const bool is_first = place == places.first_of(layer), is_last = place + 1 == places.end_of(layer);
        const std::size_t symbols = places.symbols(place), width = places.stride(place);
        symbols_.push_back(symbols);
        std::vector<Branch>& children = children_.emplace_back(symbols, NOTHING);
        children.reserve((count + 1) * symbols);
        next_rows = ForestLayer(width);
        std::vector<Branch> part(width);
        for (std::size_t i = 0; i < count; ++i) {
            if (i % POLL_NODES == 0) forest.poll();
            const Branch* row = is_first ? row_of_node(i) : rows.children(static_cast<Branch>((i + 1) << 1));
            for (std::size_t symbol = 0; symbol < symbols; ++symbol, row += width) {
                if (is_last) {
                    children.push_back(below(*row));
                } else {
                    std::copy_n(row, width, part.begin());
                    children.push_back(next_rows.find_or_add<0>(part.data(), NO_LIMIT, {}));
                }
            }
        }
        std::swap(rows, next_rows);
        count = rows.size() - 1;
    }
    names = std::move(below);
}

Automaton::Automaton(std::vector<std::size_t> symbols, std::vector<std::vector<Branch>> layers,
                     std::vector<Branch> roots, const StopCheck& should_stop)
    : symbols_(std::move(symbols)), children_(std::move(layers)), roots_(std::move(roots)) {
    if (symbols_.empty() || symbols_.size() > MAX_LAYERS || children_.size() != symbols_.size())
        throw std::invalid_argument("not a number of places");
    for (std::size_t l = 0; l < symbols_.size(); ++l) {
        if (symbols_[l] < 1 || symbols_[l] > MAX_SYMBOLS || children_[l].size() % symbols_[l])
            throw std::invalid_argument("not a layer of nodes");
        children_[l].insert(children_[l].begin(), symbols_[l], NOTHING);
    }
    check(should_stop);
}

// Every node is met in order, is in its one stored form and differs from the others.
void Automaton::check(const StopCheck& should_stop) const {
    std::size_t met = 0;
    const auto meet = [&met](Branch branch, std::size_t nodes) {
        if (branch >> 1 > std::min(met + 1, nodes)) throw std::invalid_argument("nodes out of order");
        met = std::max<std::size_t>(met, branch >> 1);
    };
    for (const Branch root : roots_) meet(root, nodes(0));
    for (std::size_t l = 0; l < layers(); ++l) {
        if (met != nodes(l)) throw std::invalid_argument("a node that nothing leads to");
        const std::size_t below = l + 1 < layers() ? nodes(l + 1) : 0;
        met = 0;
        ForestLayer stored(symbols_[l]);
        std::vector<Branch> row(symbols_[l]);
        for (std::size_t node = 1; node <= nodes(l); ++node) {
            if (node % POLL_NODES == 0) poll(should_stop);
            for (std::size_t i = 0; i < symbols_[l]; ++i) {
                row[i] = children_[l][node * symbols_[l] + i];
                meet(row[i], below);
            }
            if (stored.find_or_add<0>(row.data(), NO_LIMIT, should_stop) != node << 1)
                throw std::invalid_argument("a node that is not in its one form, or stands twice");
        }
    }
}

std::size_t Automaton::nodes() const {
    std::size_t sum = 0;
    for (std::size_t l = 0; l < layers(); ++l) sum += nodes(l);
    return sum;
}

bool Automaton::contains(Branch root, const std::uint8_t* string) const {
    for (std::size_t l = 0; l < layers() && root > EVERYTHING; ++l) root = child(l, root, string[l]);
    return root & 1;
}

std::vector<std::uint8_t> Automaton::find_strings(Branch root, const std::uint8_t* strings, std::size_t count) const {
    Places(symbols_).check_strings(strings, count);
    std::vector<std::uint8_t> answers(count);
    for (std::size_t i = 0; i < count; ++i) answers[i] = contains(root, strings + i * layers());
    return answers;
}

std::vector<std::size_t> Automaton::support() const {
    const auto looks = [this](std::size_t l) {
        for (std::size_t node = 1; node <= nodes(l); ++node) {
            const Branch* row = children_[l].data() + node * symbols_[l];
            if (!std::all_of(row, row + symbols_[l], [row](Branch branch) { return branch == *row; })) return true;
        }
        return false;
    };
    std::vector<std::size_t> places;
    for (std::size_t l = 0; l < layers(); ++l)
        if (looks(l)) places.push_back(l);
    return places;
}

std::vector<Branch> Automaton::plant(Forest& forest) const {
    std::vector<Branch> below, here;
    const auto renamed = [](const std::vector<Branch>& names, Branch branch) {
        return branch <= EVERYTHING ? branch : names[branch >> 1] ^ (branch & 1);
    };
    const Places& places = forest.places();
    std::vector<Branch> row;
    for (std::size_t l = forest.layers(); l-- > 0;) {
        const std::size_t first = places.first_of(l);
        here.assign(nodes(first) + 1, NOTHING);
        row.resize(forest.symbols(l));
        for (std::size_t node = 1; node <= nodes(first); ++node) {
            for (std::size_t symbol = 0; symbol < row.size(); ++symbol) {
                Branch branch = static_cast<Branch>(node << 1);
                for (std::size_t place = first; place < places.end_of(l); ++place)
                    branch = child(place, branch, places.at(place, symbol));
                row[symbol] = renamed(below, branch);
            }
            here[node] = forest.add(l, row.data());
        }
        below.swap(here);
    }
    std::vector<Branch> planted;
    for (const Branch root : roots_) planted.push_back(renamed(below, root));
    return planted;
}

Automaton lay_out(std::span<const ForestSet* const> sets, const StopCheck& should_stop) {
    if (sets.empty()) throw std::invalid_argument("no sets");
    const std::shared_ptr<Forest>& forest = sets[0]->forest();
    for (const ForestSet* set : sets) check_forest(*set, forest);
    return take_turn(*forest, should_stop, [&] {
        std::vector<Branch> roots;
        for (const ForestSet* set : sets) roots.push_back(set->branch());
        return Automaton(*forest, roots);
    });
}

std::vector<ForestSet> plant(const Automaton& automaton, const std::shared_ptr<Forest>& forest,
                             const StopCheck& should_stop) {
    const Places& places = forest->places();
    bool fits = automaton.layers() == places.size();
    for (std::size_t place = 0; fits && place < places.size(); ++place)
        fits = automaton.symbols(place) == places.symbols(place);
    if (!fits) throw std::invalid_argument("not a forest with these alphabets");
    return grow_forest(*forest, should_stop, [&] {
        std::vector<ForestSet> sets;
        for (const Branch branch : automaton.plant(*forest)) sets.emplace_back(forest, branch);
        return sets;
    });
}

StringCounts::StringCounts(const Automaton& automaton, const StopCheck& should_stop)
    : automaton_(automaton),
      words_(words_for(automaton)),
      all_(automaton.layers() + 1, Words(words_)),
      counts_(automaton.layers() + 1) {
    all_.back()[0] = 1;
    for (std::size_t l = automaton.layers(); l-- > 0;) {
        for (std::size_t i = 0; i < automaton.symbols(l); ++i) add_to(all_[l].data(), all_[l + 1].data(), words_);
        counts_[l].assign((automaton.nodes(l) + 1) * words_, 0);
        for (std::size_t node = 1; node <= automaton.nodes(l); ++node) {
            if (node % POLL_NODES == 0) poll(should_stop);
            for (std::size_t i = 0; i < automaton.symbols(l); ++i) {
                const Words part = count(l + 1, automaton.child(l, static_cast<Branch>(node << 1), i));
                add_to(counts_[l].data() + node * words_, part.data(), words_);
            }
        }
    }
}

Words StringCounts::count(Branch root) const { return count(0, root); }

Words StringCounts::count(std::size_t layer, Branch branch) const {
    if (branch == EVERYTHING) return all_[layer];
    Words sum(words_);
    if (branch == NOTHING) return sum;
    const std::uint64_t* own = counts_[layer].data() + (branch >> 1) * words_;
    if (branch & 1) {
        sum = all_[layer];
        take_from(sum.data(), own, words_);
    } else {
        std::copy_n(own, words_, sum.data());
    }
    return sum;
}

std::vector<std::uint8_t> StringCounts::string_at(Branch root, Words index) const {
    index.resize(words_);
    std::vector<std::uint8_t> string;
    for (std::size_t l = 0; l < automaton_.layers(); ++l) {
        std::size_t symbol = 0;
        for (;; ++symbol) {
            const Branch next = automaton_.child(l, root, symbol);
            const Words here = count(l + 1, next);
            if (is_less(index, here)) {
                root = next;
                break;
            }
            take_from(index.data(), here.data(), words_);
        }
        string.push_back(static_cast<std::uint8_t>(symbol));
    }
    return string;
}

}  // namespace setrograde
