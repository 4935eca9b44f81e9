#include "setrograde/boards/forest.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>

#include "setrograde/boards/transducer.hpp"

namespace setrograde {

namespace {

enum Operation : std::uint32_t { MEET = 1, DIFFER = 2, IMAGE = 3 };

constexpr std::uint32_t tag_of(std::size_t layer, Operation operation) {
    return static_cast<std::uint32_t>(layer << 2 | operation);
}

constexpr std::uint32_t MOVED = 1u << 31;  // set in a tag while entries are renamed
static_assert(tag_of(MAX_LAYERS, IMAGE) < MOVED);

constexpr int LEAST_CACHE_BITS = 12;
constexpr int MOST_CACHE_BITS = 30;
constexpr std::size_t POLL_NODES = std::size_t{1} << 14;    // between two looks at the watch
constexpr std::size_t POLL_ENTRIES = std::size_t{1} << 16;  // of the cache
constexpr std::size_t LEAST_SWEEP_BYTES = std::size_t{64} << 20;

// Calls `work` with the number of symbols as a constant, if it is a usual one.
template <typename Work>
auto with_symbols(std::size_t uniform, const Work& work) {
    switch (uniform) {
        case 2: return work(std::integral_constant<int, 2>());
        case 3: return work(std::integral_constant<int, 3>());
        case 4: return work(std::integral_constant<int, 4>());
        case 5: return work(std::integral_constant<int, 5>());
        case 8: return work(std::integral_constant<int, 8>());
        case 9: return work(std::integral_constant<int, 9>());
        default: return work(std::integral_constant<int, 0>());
    }
}

template <int SYMBOLS>
std::uint64_t hash_of(const Branch* children, std::size_t symbols) {
    const std::size_t count = SYMBOLS ? SYMBOLS : symbols;
    std::uint64_t hash = 0;
    const auto add = [&hash](std::uint64_t word) { hash = (std::rotl(hash, 23) ^ word) * 0x9E3779B97F4A7C15u; };
    for (std::size_t i = 0; i + 1 < count; i += 2) add(children[i] | std::uint64_t{children[i + 1]} << 32);
    if (count % 2) add(children[count - 1]);
    return (hash ^ hash >> 32) * 0xD6E8FEB86659FD93u;
}

}  // namespace

// --- layers ---

ForestLayer::ForestLayer(std::size_t symbols) : symbols_(symbols) {
    nodes_.resize(4 * symbols);
    std::fill_n(nodes_.data(), symbols, NOTHING);
    table_.resize(8);
    std::fill_n(table_.data(), 8, 0u);
    table_bits_ = 3;
}

template <int SYMBOLS>
std::size_t ForestLayer::slot_of(const Branch* children, std::uint64_t hash) const {
    const std::size_t count = SYMBOLS ? SYMBOLS : symbols_;
    const std::size_t mask = table_.capacity() - 1;
    const Branch wanted = entry_of(0, hash);
    std::size_t slot = hash >> (64 - table_bits_);
    for (; table_[slot]; slot = (slot + 1) & mask) {
        const Branch node = node_in(slot);
        if ((table_[slot] ^ node) == wanted && std::equal(children, children + count, nodes_.data() + node * count))
            break;
    }
    return slot;
}

template <int SYMBOLS>
std::uint64_t ForestLayer::hash_of_row(const Branch* children) const {
    const std::size_t count = SYMBOLS ? SYMBOLS : symbols_;
    const Branch flip = children[0] & 1;
    if (!flip) return hash_of<SYMBOLS>(children, count);
    if constexpr (SYMBOLS != 0) {
        Branch flipped[SYMBOLS];
        for (std::size_t i = 0; i < count; ++i) flipped[i] = children[i] ^ 1;
        return hash_of<SYMBOLS>(flipped, count);
    }
    return 0;  // only means that nothing useful is fetched
}

template <int SYMBOLS>
Branch ForestLayer::find_or_add(Branch* children, std::size_t room, const StopCheck& should_stop) {
    assert(unfilled_ == 0);
    const std::size_t count = SYMBOLS ? SYMBOLS : symbols_;
    const Branch flip = children[0] & 1;
    Branch all = 0;
    for (std::size_t i = 0; i < count; ++i) all |= children[i] ^= flip;
    if (all == NOTHING) return NOTHING ^ flip;
    const std::uint64_t hash = hash_of<SYMBOLS>(children, count);
    std::size_t slot = slot_of<SYMBOLS>(children, hash);
    if (table_[slot]) return node_in(slot) << 1 | flip;
    if ((size_ + 1) * count > nodes_.capacity()) grow_nodes(room);
    if (3 * (size_ + 1) > 2 * table_.capacity()) {
        grow_table(room, should_stop);
        slot = slot_of<SYMBOLS>(children, hash);
    }
    std::copy_n(children, count, nodes_.data() + size_ * count);
    table_[slot] = entry_of(size_, hash);
    return static_cast<Branch>(size_++) << 1 | flip;
}

void ForestLayer::grow_nodes(std::size_t room) {
    if (size_ >= MAX_NODES_OF_LAYER) throw ForestFull();
    const std::size_t capacity = std::min(size_ + size_ / 4 + 4, MAX_NODES_OF_LAYER) * symbols_;
    if ((capacity - nodes_.capacity()) * sizeof(Branch) > room) throw ForestFull();
    nodes_.resize(capacity);
}

void ForestLayer::grow_table(std::size_t room, const StopCheck& should_stop) {
    if (table_.bytes() > room) throw ForestFull();
    clear_table(2 * table_.capacity());
    fill_table(should_stop);
}

void ForestLayer::clear_table(std::size_t slots) {
    assert(std::has_single_bit(slots));
    table_.resize(slots);
    table_bits_ = std::countr_zero(slots);
    std::fill_n(table_.data(), slots, 0u);
    unfilled_ = 1;
}

void ForestLayer::fill_table(const StopCheck& should_stop) {
    if (unfilled_ == 0) return;
    const std::size_t mask = table_.capacity() - 1;
    for (; unfilled_ < size_; ++unfilled_) {
        if (unfilled_ % POLL_NODES == 0) poll(should_stop);
        const std::uint64_t hash = hash_of<0>(nodes_.data() + unfilled_ * symbols_, symbols_);
        std::size_t slot = hash >> (64 - table_bits_);
        while (table_[slot]) slot = (slot + 1) & mask;
        table_[slot] = entry_of(unfilled_, hash);
    }
    unfilled_ = 0;
}

void ForestLayer::sweep(const std::vector<bool>& marked, const GrowingArray<Branch>* below, GrowingArray<Branch>& names,
                        Swept& swept, const StopCheck& should_stop) {
    names[0] = 0;
    auto& [from, to] = swept;
    for (; from < size_; ++from) {
        if (from % POLL_NODES == 0) poll(should_stop);
        names[from] = 0;
        if (!marked[from]) continue;
        for (std::size_t i = 0; i < symbols_; ++i) {
            const Branch branch = nodes_[from * symbols_ + i];
            nodes_[to * symbols_ + i] = below ? (*below)[branch >> 1] << 1 | (branch & 1) : branch;
        }
        names[from] = static_cast<Branch>(to++);
    }
    size_ = to;
    nodes_.resize((size_ + size_ / 4 + 4) * symbols_);
    std::size_t slots = 8;
    while (3 * (size_ + 1) > 2 * slots) slots *= 2;
    clear_table(slots);
}

template Branch ForestLayer::find_or_add<0>(Branch*, std::size_t, const StopCheck&);

// --- the forest ---

Forest::Forest(Places places, std::size_t limit_bytes) : places_(std::move(places)), limit_bytes_(limit_bytes) {
    if (places_.size() < 1 || places_.size() > MAX_LAYERS) throw std::invalid_argument("not a number of places");
    uniform_ = places_.symbols_of_layer(0);
    for (std::size_t l = 0; l < places_.layers(); ++l) {
        const std::size_t count = places_.symbols_of_layer(l);
        if (count < 1 || count > MAX_SYMBOLS * MAX_SYMBOLS) throw std::invalid_argument("not a size of an alphabet");
        if (count != uniform_) uniform_ = 0;
        layers_.emplace_back(count);
        rows_.emplace_back(count);
        used_bytes_ += layers_.back().bytes();
    }
    sweep_at_bytes_ = std::max(LEAST_SWEEP_BYTES, limit_bytes / 4);
    set_cache(LEAST_CACHE_BITS);
}

std::size_t Forest::nodes() const {
    std::size_t nodes = 0;
    for (const ForestLayer& layer : layers_) nodes += layer.size() - 1;
    return nodes;
}

std::size_t Forest::nodes_from(Branch root) const {
    std::size_t nodes = 0;
    std::vector<Branch> here{root >> 1}, below;
    for (std::size_t l = 0; l < layers(); ++l) {
        below.clear();
        std::vector<bool> is_met(l + 1 < layers() ? nodes_of(l + 1) : 1);
        is_met[0] = true;
        for (const Branch node : here) {
            if (node == 0) continue;
            if (++nodes % POLL_NODES == 0) poll();
            const Branch* row = children(l, node << 1);
            for (std::size_t i = 0; i < symbols(l); ++i) {
                if (is_met[row[i] >> 1]) continue;
                is_met[row[i] >> 1] = true;
                below.push_back(row[i] >> 1);
            }
        }
        here.swap(below);
    }
    return nodes;
}

std::size_t Forest::bytes() const { return used_bytes_ + cache_.bytes(); }

// Entries that do not collide stay. The first bits of a hash are the number of its slot, so an entry
// of slot i goes to slot 2i or after it: from the last one down, the cache grows in its place. A stop
// in between does no harm: what is not in its slot is not found.
void Forest::set_cache(int bits) {
    const std::size_t old_size = cache_.capacity(), size = std::size_t{1} << bits;
    cache_.resize(size);
    try {
        for (std::size_t i = old_size; i < size; i += POLL_ENTRIES) {
            std::fill_n(cache_.data() + i, std::min(POLL_ENTRIES, size - i), Entry{0, 0, 0, 0});
            poll();
        }
    } catch (const Stopped&) {
        cache_.resize(old_size);
        throw;
    }
    cache_bits_ = bits;
    cache_shift_ = 64 - bits;
    for (std::size_t i = old_size; i-- > 0;) {
        if (i % POLL_ENTRIES == 0) poll();
        const Entry moved = cache_[i];
        cache_[i] = {0, 0, 0, 0};
        if (moved.tag) entry(moved.a, moved.b, moved.tag) = moved;
    }
}

void Forest::remember(Branch a, Branch b, std::uint32_t tag, Branch result) {
    entry(a, b, tag) = {a, b, tag, result};
    note_work();
}

template <int SYMBOLS>
Branch Forest::add_node(std::size_t layer, Branch* children) {
    ForestLayer& nodes = layers_[layer];
    const std::size_t size = nodes.size(), old_bytes = nodes.bytes();
    const std::size_t used = bytes();
    const Branch branch =
        nodes.find_or_add<SYMBOLS>(children, used < limit_bytes_ ? limit_bytes_ - used : 0, should_stop_);
    if (nodes.size() == size) return branch;
    ++added_;
    used_bytes_ += nodes.bytes() - old_bytes;
    if (2 * added_ > cache_.capacity() && cache_bits_ < MOST_CACHE_BITS && bytes() + cache_.bytes() < limit_bytes_ &&
        4 * cache_.bytes() <= limit_bytes_)
        set_cache(cache_bits_ + 1);
    peak_bytes_ = std::max(peak_bytes_, bytes());
    return branch;
}

Branch Forest::add(std::size_t layer, Branch* children) {
    note_work();
    return add_node<0>(layer, children);
}

void Forest::add_rows(std::size_t layer, Branch* rows, std::size_t count, Branch* branches) {
    constexpr std::size_t SLOT_AHEAD = 32, NODE_AHEAD = 16;
    with_symbols(uniform_, [&](auto symbols) {
        const ForestLayer& nodes = layers_[layer];
        const std::size_t width = nodes.symbols();
        std::uint64_t hashes[SLOT_AHEAD];
        for (std::size_t i = 0; i < count + SLOT_AHEAD; ++i) {
            if (i >= SLOT_AHEAD) {
                const std::size_t row = i - SLOT_AHEAD;
                branches[row] = add_node<symbols()>(layer, rows + row * width);
                note_work();
            }
            if (i >= SLOT_AHEAD - NODE_AHEAD && i < count + SLOT_AHEAD - NODE_AHEAD)
                nodes.prefetch_node(hashes[(i + NODE_AHEAD) % SLOT_AHEAD]);
            if (i < count) {
                std::uint64_t& hash = hashes[i % SLOT_AHEAD];
                hash = nodes.hash_of_row<symbols()>(rows + i * width);
                nodes.prefetch_slot(hash);
            }
        }
    });
}

void Forest::check_room(std::size_t more) {
    peak_bytes_ = std::max(peak_bytes_, bytes() + more);
    if (bytes() + more > limit_bytes_) throw ForestFull();
}

template <int SYMBOLS>
Branch Forest::meet_nodes(std::size_t layer, Branch a, Branch b) {
    if (a > b) std::swap(a, b);
    if (a == NOTHING || a == (b ^ 1)) return NOTHING;
    if (a == EVERYTHING || a == b) return b;
    const std::uint32_t tag = tag_of(layer, MEET);
    const Entry& known = entry(a, b, tag);
    if (known.a == a && known.b == b && known.tag == tag) return known.result;

    const ForestLayer& nodes = layers_[layer];
    const std::size_t count = SYMBOLS ? SYMBOLS : nodes.symbols();
    const Branch *left = nodes.children(a), *right = nodes.children(b);
    Branch own[SYMBOLS ? SYMBOLS : 1];
    Branch* row = SYMBOLS ? own : rows_[layer].data();
    // What is looked at for all symbols is fetched at once, before the first of it is needed.
    Branch not_a = 0, not_b = 0;
    if constexpr (SYMBOLS != 0) {
        Branch lefts[SYMBOLS], rights[SYMBOLS];
        std::uint8_t open[SYMBOLS];
        std::size_t opened = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const Branch x = left[i] ^ (a & 1), y = right[i] ^ (b & 1);
            const Branch low = std::min(x, y), high = std::max(x, y);
            lefts[i] = x;
            rights[i] = y;
            if (low <= EVERYTHING || (low ^ high) <= 1) {
                row[i] = low == NOTHING || (low ^ high) == 1 ? NOTHING : high;
                continue;
            }
            open[opened++] = static_cast<std::uint8_t>(i);
            __builtin_prefetch(&entry(low, high, tag_of(layer + 1, MEET)));
            __builtin_prefetch(layers_[layer + 1].children(low));
            __builtin_prefetch(layers_[layer + 1].children(high));
        }
        for (std::size_t i = 0; i < opened; ++i)
            row[open[i]] = meet_nodes<SYMBOLS>(layer + 1, lefts[open[i]], rights[open[i]]);
        for (std::size_t i = 0; i < count; ++i) {
            not_a |= row[i] ^ lefts[i];
            not_b |= row[i] ^ rights[i];
        }
    } else {
        for (std::size_t i = 0; i < count; ++i) {
            const Branch x = left[i] ^ (a & 1), y = right[i] ^ (b & 1);
            row[i] = meet_nodes<SYMBOLS>(layer + 1, x, y);
            not_a |= row[i] ^ x;
            not_b |= row[i] ^ y;
        }
    }
    // One often holds the other; then there is no need to look the node up.
    const Branch result = !not_a ? a : !not_b ? b : add_node<SYMBOLS>(layer, row);
    remember(a, b, tag, result);
    return result;
}

// Complements cancel: only nodes are compared.
template <int SYMBOLS>
Branch Forest::differ_nodes(std::size_t layer, Branch a, Branch b) {
    const Branch flip = (a ^ b) & 1;
    a &= ~Branch{1};
    b &= ~Branch{1};
    if (a > b) std::swap(a, b);
    if (a == b) return NOTHING ^ flip;
    if (a == NOTHING) return b ^ flip;
    const std::uint32_t tag = tag_of(layer, DIFFER);
    const Entry& known = entry(a, b, tag);
    if (known.a == a && known.b == b && known.tag == tag) return known.result ^ flip;

    const ForestLayer& nodes = layers_[layer];
    const std::size_t count = SYMBOLS ? SYMBOLS : nodes.symbols();
    const Branch *left = nodes.children(a), *right = nodes.children(b);
    Branch own[SYMBOLS ? SYMBOLS : 1];
    Branch* row = SYMBOLS ? own : rows_[layer].data();
    for (std::size_t i = 0; i < count; ++i) row[i] = differ_nodes<SYMBOLS>(layer + 1, left[i], right[i]);
    const Branch result = add_node<SYMBOLS>(layer, row);
    remember(a, b, tag, result);
    return result ^ flip;
}

template <int SYMBOLS>
Branch Forest::image_nodes(const Transducer& moves, std::size_t layer, Branch state, Branch branch) {
    if (branch == NOTHING || state == Transducer::IDENTITY) return branch;
    if (state == Transducer::ANY) return EVERYTHING;
    const std::uint32_t tag = tag_of(layer, IMAGE);
    const Entry& known = entry(branch, state, tag);
    if (known.a == branch && known.b == state && known.tag == tag) return known.result;

    const ForestLayer& nodes = layers_[layer];
    const std::size_t count = SYMBOLS ? SYMBOLS : nodes.symbols();
    const Branch* children = nodes.children(branch);
    Branch own[SYMBOLS ? SYMBOLS : 1];
    Branch* row = SYMBOLS ? own : rows_[layer].data();
    std::fill_n(row, count, NOTHING);
    for (const Transducer::Step& step : moves.steps_from(state)) {
        const Branch to = children[step.in] ^ (branch & 1);
        if (to != NOTHING && step.next > Transducer::ANY)
            __builtin_prefetch(&entry(to, step.next, tag_of(layer + 1, IMAGE)));
    }
    for (const Transducer::Step& step : moves.steps_from(state)) {
        Branch& to = row[step.out];
        if (to == EVERYTHING) continue;
        const Branch part = image_nodes<SYMBOLS>(moves, layer + 1, step.next, children[step.in] ^ (branch & 1));
        to = to == NOTHING ? part : meet_nodes<SYMBOLS>(layer + 1, to ^ 1, part ^ 1) ^ 1;
    }
    const Branch result = add_node<SYMBOLS>(layer, row);
    remember(branch, state, tag, result);
    return result;
}

Branch Forest::meet(Branch a, Branch b, std::size_t layer) {
    return with_symbols(uniform_, [&](auto symbols) { return meet_nodes<symbols()>(layer, a, b); });
}

Branch Forest::differ(Branch a, Branch b, std::size_t layer) {
    return with_symbols(uniform_, [&](auto symbols) { return differ_nodes<symbols()>(layer, a, b); });
}

// In pairs, so that small sets meet small ones.
Branch Forest::join_all(std::vector<Branch> branches) {
    if (branches.empty()) return NOTHING;
    for (; branches.size() > 1; branches.resize((branches.size() + 1) / 2))
        for (std::size_t i = 0; i < branches.size(); i += 2)
            branches[i / 2] = i + 1 < branches.size() ? join(branches[i], branches[i + 1]) : branches[i];
    return branches[0];
}

Branch Forest::image(const Transducer& moves, Branch branch) {
    if (moves.is_empty()) return NOTHING;
    return with_symbols(uniform_,
                        [&](auto symbols) { return image_nodes<symbols()>(moves, 0, moves.start(), branch); });
}

Branch Forest::reserve_states(std::size_t count) {
    if (count > ~Branch{0} - next_state_) throw ForestFull();
    const Branch first = next_state_;
    next_state_ += static_cast<Branch>(count);
    return first;
}

// --- roots ---

std::size_t Forest::keep(Branch branch) {
    const std::lock_guard lock(roots_mutex_);
    if (free_roots_.empty()) {
        free_roots_.reserve(roots_.size() + 1);  // so that `release` never fails
        roots_.push_back(branch);
        return roots_.size() - 1;
    }
    const std::size_t slot = free_roots_.back();
    free_roots_.pop_back();
    roots_[slot] = branch;
    return slot;
}

Branch Forest::kept(std::size_t slot) const {
    const std::lock_guard lock(roots_mutex_);
    return roots_[slot];
}

void Forest::release(std::size_t slot) {
    const std::lock_guard lock(roots_mutex_);
    roots_[slot] = NOTHING;
    free_roots_.push_back(slot);
}

void Forest::sweep_if_due() {
    if (used_bytes_ > sweep_at_bytes_) sweep();
}

void Forest::sweep() {
    auto marked = mark();
    sweep_ = std::make_unique<Sweep>(
        Sweep{.marked = std::move(marked), .names = {}, .layers_left = layers_.size(), .swept = {}});
    for (const ForestLayer& layer : layers_) sweep_->names.emplace_back().resize(layer.size());
    finish_sweep();
}

void Forest::finish_interrupted() {
    if (sweep_) finish_sweep();
    for (ForestLayer& layer : layers_) layer.fill_table(should_stop_);
    count_bytes();
}

void Forest::count_bytes() {
    used_bytes_ = 0;
    for (const ForestLayer& layer : layers_) used_bytes_ += layer.bytes();
}

// The nodes that roots lead to, by layer. No lock is held meanwhile: whoever keeps a new root holds the
// mutex of the forest, as we do, or keeps nothing.
std::vector<std::vector<bool>> Forest::mark() const {
    std::vector<std::vector<bool>> marked(layers_.size());
    for (std::size_t l = 0; l < layers_.size(); ++l) marked[l].resize(layers_[l].size());
    {
        const std::lock_guard lock(roots_mutex_);
        for (const Branch root : roots_) marked[0][root >> 1] = true;
    }
    for (std::size_t l = 0; l + 1 < layers_.size(); ++l)
        for (std::size_t node = 1; node < marked[l].size(); ++node) {
            if (node % POLL_NODES == 0) poll();
            if (marked[l][node])
                for (std::size_t i = 0; i < layers_[l].symbols(); ++i)
                    marked[l + 1][layers_[l].children(static_cast<Branch>(node << 1))[i] >> 1] = true;
        }
    return marked;
}

void Forest::finish_sweep() {
    Sweep& sweep = *sweep_;
    // Step 1. Layers from the last one up, as branches are renamed by the layer below.
    for (; sweep.layers_left > 0; --sweep.layers_left, sweep.swept = {}) {
        const std::size_t l = sweep.layers_left - 1;
        layers_[l].sweep(sweep.marked[l], l + 1 < layers_.size() ? &sweep.names[l + 1] : nullptr, sweep.names[l],
                         sweep.swept, should_stop_);
    }
    for (ForestLayer& layer : layers_) layer.fill_table(should_stop_);

    // Step 2. Roots, all at once.
    if (!sweep.are_roots_renamed) {
        const std::lock_guard lock(roots_mutex_);
        for (Branch& root : roots_) root = sweep.names[0][root >> 1] << 1 | (root & 1);
        sweep.are_roots_renamed = true;
    }

    // Step 3. What the cache knows.
    rename_cache(sweep);
    sweep_.reset();
    count_bytes();
    added_ = nodes();
    sweep_at_bytes_ = std::max({LEAST_SWEEP_BYTES, limit_bytes_ / 4, 2 * used_bytes_});
    ++sweeps_;
}

// An entry survives with its operands and its result: the next operation of a solve asks much that
// was asked before. Entries move in their place: what lies where one goes is taken up in turn.
void Forest::rename_cache(Sweep& sweep) {
    const auto rename = [&sweep](Entry& entry) {
        const GrowingArray<Branch>& name = sweep.names[entry.tag >> 2];
        const auto rename_branch = [&name](Branch& branch) {
            const bool is_there = branch <= EVERYTHING || name[branch >> 1];
            branch = name[branch >> 1] << 1 | (branch & 1);
            return is_there;
        };
        if (!rename_branch(entry.a) || !rename_branch(entry.result)) return false;
        if ((entry.tag & 3) == IMAGE) return true;
        if (!rename_branch(entry.b)) return false;
        if (entry.a > entry.b) std::swap(entry.a, entry.b);
        return true;
    };
    for (std::size_t& i = sweep.renamed; i < cache_.capacity(); ++i) {
        if (i % POLL_ENTRIES == 0) poll();
        if (cache_[i].tag & MOVED) continue;
        Entry from = cache_[i];
        cache_[i] = {0, 0, 0, 0};
        while (from.tag && rename(from)) {
            Entry& to = entry(from.a, from.b, from.tag);
            std::swap(from, to);
            to.tag |= MOVED;
            if (from.tag & MOVED) break;
        }
    }
    for (std::size_t& i = sweep.unmarked; i < cache_.capacity(); ++i) {
        if (i % POLL_ENTRIES == 0) poll();
        cache_[i].tag &= ~MOVED;
    }
}

}  // namespace setrograde
