// Strategy tree: the search itself, for sets of a fixed number of words
//
// Vectors have ones in every fact outside the worlds of a node, so that the vectors of two branches meet by
// AND. A fact is alive at a node if its world may be there, its number of tricks is not reached yet, and (with
// CUT_USEFUL) double dummy still reaches it.
#pragma once

#include <algorithm>
#include <cassert>
#include <compare>
#include <memory>
#include <optional>
#include <vector>

#include "setrograde/play/equal_cards.hpp"
#include "setrograde/play/fronts.hpp"
#include "setrograde/play/strategy_search.hpp"

namespace setrograde {

template <int WORDS>
class StrategyTree {
public:
    using Set = WorldSet<WORDS>;

    StrategyTree(const StrategyProblem& problem, Outcomes& outcomes, const StopCheck& should_stop)
        : problem_(problem),
          outcomes_(outcomes),
          budget_(should_stop),
          size_(static_cast<int>(problem.play.worlds.size())),
          steps_(static_cast<int>(problem.steps.size())),
          block_((size_ + 63) / 64),
          twins_(problem.play.worlds) {
        hidden_index_ = {-1, -1, -1, -1};
        for (int k = 0; k < 2; ++k) hidden_index_[problem.play.hidden_seats[k]] = k;
        make_scores();
        make_root();
    }

    StrategyAnswer search() {
        const std::uint64_t asked = outcomes_.asked();
        StrategyAnswer answer;
        if (problem_.play.roles[root_.turn()] == Role::CHOOSER)
            choose(answer);
        else
            await(answer);
        answer.nodes = nodes_;
        answer.asks = outcomes_.asked() - asked;
        answer.work = budget_.spent();
        return answer;
    }

private:
    // First what the plan promised, then the rest.
    struct Score {
        double planned = 0, all = 0;
        friend auto operator<=>(const Score&, const Score&) = default;
    };

    struct Candidate {
        Place card;
        Set double_dummy, vector;
        Score score;
        double tie = 0;
        bool is_searched = false;
        bool is_bound = false;  // searched, but no more than enough to see that it is not the best
    };

    // What is known at the nodes of the chooser above: a vector within one of these is of no use.
    struct Context {
        const Front<WORDS>* front;
        const Context* above;
    };

    struct Result {
        Front<WORDS> front;
        bool is_exact;         // else some vectors may be too good, though of no use
        bool is_whole = true;  // else some vectors were left out that are of no use
    };

    struct Branch {
        Label label;
        Set worlds;
        int size;
        bool has_choice;
    };

    bool has(Cut cut) const { return (problem_.cuts & cut) != 0; }

    // --- Facts ---

    int fact(int step, int world) const { return 64 * block_ * step + world; }

    void insert_world(Set& set, int world) const {
        for (int step = 0; step < steps_; ++step) set.insert(fact(step, world));
    }

    // Calls `use` with each world that has a fact in the set.
    template <class Use>
    void each_world(const Set& set, Use use) const {
        if constexpr (WORDS == 1) return set.each(use);  // one step, and one block of worlds
        for (int k = 0; k < block_; ++k) {
            std::uint64_t word = set.words[k];
            for (int step = 1; step < steps_; ++step) word |= set.words[step * block_ + k];
            for (; word; word &= word - 1) use(64 * k + std::countr_zero(word));
        }
    }

    int worlds_in(const Set& set) const {
        if (steps_ == 1) return set.size();
        int size = 0;
        each_world(set, [&](int) { ++size; });
        return size;
    }

    int first_world(const Set& set) const {
        int first = -1;
        for (int i = WORDS; i-- > 0;)
            if (set.words[i]) first = 64 * (i % block_) + std::countr_zero(set.words[i]);
        return first;
    }

    void drop_step(Set& set, int step) const {
        for (int k = 0; k < block_; ++k) set.words[step * block_ + k] = 0;
    }

    void make_scores() {
        weights_.assign(static_cast<std::size_t>(64 * WORDS), 0);
        for (int step = 0; step < steps_; ++step)
            for (int world = 0; world < size_; ++world) {
                const auto i = static_cast<std::size_t>(world);
                weights_[static_cast<std::size_t>(fact(step, world))] =
                    problem_.steps[static_cast<std::size_t>(step)].worth *
                    (problem_.weights.empty() ? 1.0 : problem_.weights[i]);
                all_.insert(fact(step, world));
            }
        if (!problem_.plan.empty())
            for (int step = 0; step < steps_; ++step)
                for (int world = 0; world < size_; ++world)
                    if (problem_.plan[static_cast<std::size_t>(step * size_ + world)]) plan_.insert(fact(step, world));
        has_plan_ = !plan_.is_empty();
        is_plain_ = steps_ == 1 && problem_.weights.empty();
        if (is_plain_) return;
        sums_.resize(WORDS);
        for (int word = 0; word < WORDS; ++word)
            for (int nibble = 0; nibble < 16; ++nibble)
                for (int bits = 1; bits < 16; ++bits) {
                    double sum = 0;
                    for (int bit = 0; bit < 4; ++bit)
                        if (bits >> bit & 1) sum += weights_[static_cast<std::size_t>(64 * word + 4 * nibble + bit)];
                    sums_[static_cast<std::size_t>(word)].of[nibble][bits] = sum;
                }
    }

    double worth(const Set& set) const {
        if (is_plain_) return problem_.steps[0].worth * set.size();
        double sum = 0;
        for (int word = 0; word < WORDS; ++word) {
            std::uint64_t bits = set.words[word];
            for (int nibble = 0; bits; ++nibble, bits >>= 4)
                sum += sums_[static_cast<std::size_t>(word)].of[nibble][bits & 15];
        }
        return sum;
    }

    Score score(const Set& set) const { return {has_plan_ ? worth(set & plan_) : 0, worth(set)}; }

    std::vector<std::uint8_t> bytes_of(const Set& set) const {
        std::vector<std::uint8_t> bytes(static_cast<std::size_t>(steps_ * size_));
        for (int step = 0; step < steps_; ++step)
            for (int world = 0; world < size_; ++world)
                bytes[static_cast<std::size_t>(step * size_ + world)] = set.has(fact(step, world)) ? 1 : 0;
        return bytes;
    }

    // --- Positions ---

    void make_root() {
        const PlayProblem& play = problem_.play;
        root_.seen = play.seen;
        root_.leader = play.leader;
        root_.trick_size = static_cast<int>(play.trick.size());
        if (!play.trick.empty()) root_.led = suit_of(play.trick[0]);
        int cards = root_.trick_size + count(play.hidden);
        for (const CardSet hand : play.seen) cards += count(hand);
        root_.left = cards / 4;
        World* worlds = worlds_at(0);
        for (int i = 0; i < size_; ++i) {
            const CardSet first = play.worlds[static_cast<std::size_t>(i)];
            worlds[i] = World{.hands = {{first, play.hidden & ~first}}, .on_table = {}};
            for (int k = 0; k < root_.trick_size; ++k) {
                const auto card = static_cast<std::int8_t>(play.trick[static_cast<std::size_t>(k)]);
                const int seat = (play.leader + k) & 3;
                if (hidden_index_[seat] >= 0) worlds[i].on_table[hidden_index_[seat]] = card;
                root_.table[k] = card;
            }
        }
        root_.worlds = worlds;
    }

    Place card_on_table(const PlayNode& node, const World& world, int k) const {
        const int hidden = hidden_index_[(node.leader + k) & 3];
        return hidden < 0 ? node.table[k] : world.on_table[hidden];
    }

    Position position(const PlayNode& node, int i) const {
        const World& world = node.worlds[i];
        Position position{.hands = node.seen, .strain = problem_.play.strain, .leader = node.leader};
        for (int k = 0; k < 2; ++k) position.hands[problem_.play.hidden_seats[k]] = world.hands[k];
        for (int k = 0; k < node.trick_size; ++k) position.trick[k] = card_on_table(node, world, k);
        position.trick_size = node.trick_size;
        return position;
    }

    // The card that wins the trick so far.
    Place best_on_table(const PlayNode& node, const World& world, int size, int* by = nullptr) const {
        Place best = card_on_table(node, world, 0);
        int k_best = 0;
        for (int k = 1; k < size; ++k) {
            const Place card = card_on_table(node, world, k);
            if (beats(card, best, problem_.play.strain)) best = card, k_best = k;
        }
        if (by) *by = (node.leader + k_best) & 3;
        return best;
    }

    // A card was put on the table: goes on with the trick, or with the next one.
    void advance(PlayNode& node, Place card, const Set& alive) const {
        if (node.trick_size == 0) node.led = suit_of(card);
        if (++node.trick_size < 4) return;
        int winner = node.leader;
        best_on_table(node, node.worlds[first_world(alive)], 4, &winner);
#ifndef NDEBUG
        each_world(alive, [&](int i) {
            int other = node.leader;
            best_on_table(node, node.worlds[i], 4, &other);
            assert(other == winner && "worlds of a node disagree on the winner of the trick");
        });
#endif
        node.leader = winner;
        node.trick_size = 0;
        node.led = -1;
        --node.left;
        if (is_north_south(winner)) ++node.won;
    }

    PlayNode after_seen(const PlayNode& node, Place card, const Set& alive) const {
        PlayNode child = node;
        child.seen[node.turn()] &= ~bit_of(card);
        child.table[node.trick_size] = static_cast<std::int8_t>(card);
        advance(child, card, alive);
        return child;
    }

    static CardSet follow(CardSet hand, int led) {
        const CardSet suit = led < 0 ? 0 : cards_of(hand, led);
        return suit ? suit : hand;
    }

    CardSet present_in(const PlayNode& node, const World& world) const {
        CardSet cards = world.hands[0] | world.hands[1];
        for (const CardSet hand : node.seen) cards |= hand;
        for (int k = 0; k < node.trick_size; ++k) cards |= bit_of(card_on_table(node, world, k));
        return cards;
    }

    // One card of each group that is equal in every world.
    CardSet seen_choices(const PlayNode& node, const Set& alive) const {
        CardSet present = 0;
        each_world(alive, [&](int i) { present |= present_in(node, node.worlds[i]); });
        return lowest_of_equals(follow(node.seen[node.turn()], node.led), present);
    }

    // The facts of `alive` that hold double dummy.
    Set vector_of(const PlayNode& node, const Set& alive) {
        Set vector;
        for (int step = 0; step < steps_; ++step) {
            const int need = problem_.steps[static_cast<std::size_t>(step)].need - node.won;
            if (need > node.left) break;
            asked_worlds_.clear();
            positions_.clear();
            for (int k = 0; k < block_; ++k)
                for (std::uint64_t word = alive.words[step * block_ + k]; word; word &= word - 1) {
                    const int i = 64 * k + std::countr_zero(word);
                    if (need <= 0) {
                        vector.insert(fact(step, i));
                    } else if (step == 0 || !alive.has(fact(step - 1, i)) || vector.has(fact(step - 1, i))) {
                        asked_worlds_.push_back(i);
                        positions_.push_back(position(node, i));
                    }
                }
            if (asked_worlds_.empty()) continue;
            budget_.spend(asked_worlds_.size());
            answers_.resize(asked_worlds_.size());
            outcomes_.ask_all(positions_, need, answers_);
            for (std::size_t k = 0; k < answers_.size(); ++k)
                if (answers_[k]) vector.insert(fact(step, asked_worlds_[k]));
        }
        return vector;
    }

    // --- The root ---

    void choose(StrategyAnswer& answer) {
        std::vector<Candidate> candidates;
        for (CardSet cards = seen_choices(root_, all_); cards; cards &= cards - 1)
            candidates.push_back({.card = lowest(cards), .double_dummy = {}, .vector = {}, .score = {}});
        Score top;
        double most = 0;
        for (Candidate& candidate : candidates) {
            candidate.vector = candidate.double_dummy = vector_of(after_seen(root_, candidate.card, all_), all_);
            candidate.score = score(candidate.vector);
            top = std::max(top, candidate.score);
            most = std::max(most, worth(candidate.vector));
        }
        answer.double_dummy = most;
        if (problem_.breaks_ties && steps_ == 1) break_ties(candidates, top);
        std::stable_sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
            return a.score != b.score ? a.score > b.score : a.tie > b.tie;
        });
        answer.depth = 1;
        answer.is_complete = is_settled(candidates[0]);
        const bool is_forced = candidates.size() == 1 && !problem_.searches_forced_cards;
        std::vector<Candidate> finished = candidates;
        budget_.limit(problem_.work_limit, problem_.seconds);
        try {
            for (int depth = 2; depth <= problem_.depth && !is_forced && !answer.is_complete; ++depth) {
                deepen(candidates, depth);
                finished = candidates;
                answer.depth = depth;
                answer.is_complete = !is_horizon_seen_;
            }
        } catch (const BudgetSpent&) {
            answer.is_limited = true;
        }
        for (const Candidate& candidate : finished)
            answer.candidates.push_back({candidate.card, worth(candidate.vector), worth(candidate.double_dummy),
                                         answer.depth > 1 && (!candidate.is_searched || candidate.is_bound),
                                         bytes_of(candidate.vector)});
        answer.value = answer.candidates[0].value;
        answer.vector = answer.candidates[0].vector;
    }

    // Nothing is left to choose after this card, or nothing to win.
    bool is_settled(const Candidate& candidate) const { return root_.left <= 1 || candidate.vector.is_empty(); }

    void break_ties(std::vector<Candidate>& candidates, const Score& top) {
        const auto is_top = [&](const Candidate& candidate) { return candidate.score == top; };
        if (std::count_if(candidates.begin(), candidates.end(), is_top) < 2) return;
        for (Candidate& candidate : candidates) {
            if (!is_top(candidate)) continue;
            for (const int more : {-1, 1}) {
                PlayNode child = after_seen(root_, candidate.card, all_);
                child.won -= more;
                candidate.tie += worth(vector_of(child, all_));
            }
        }
    }

    // Calls `probe` with higher and then lower guesses until it finds more than the guess; the last guess is
    // nothing. A guess that is nearly right lets CUT_SCORE leave out almost everything.
    template <class Probe>
    void guess(const Score& most, Probe probe) {
        if (has(CUT_SCORE))
            for (const double share : {1.0, 0.95, 0.85, 0.6}) {
                is_horizon_seen_ = false;
                if (probe(Score{most.planned * (1 - 1e-9), most.all * (share - 1e-9)})) return;
            }
        is_horizon_seen_ = false;
        probe(Score{});
    }

    void deepen(std::vector<Candidate>& candidates, int depth) {
        const Score most = candidates[0].score;
        guess(most, [&](const Score& floor) { return deepen_above(floor, most, candidates, depth); });
        // Cards not searched are no better than the best and stand behind those that were.
        for (Candidate& candidate : candidates)
            if (!candidate.is_searched) candidate.score = std::min(candidate.score, best_);
        std::stable_sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
            if (a.score != b.score) return a.score > b.score;
            return a.is_searched && !a.is_bound && (!b.is_searched || b.is_bound);
        });
    }

    // True if a card is worth more than `floor`; `most`: no card is worth more than that.
    bool deepen_above(const Score& floor, const Score& most, std::vector<Candidate>& candidates, int depth) {
        best_ = floor;
        Front<WORDS> front;
        for (Candidate& candidate : candidates) candidate.is_searched = false;
        for (std::size_t i = 0; i < candidates.size(); ++i) {
            Candidate& candidate = candidates[i];
            if (has(CUT_ROOT) && i > 0 && candidate.score <= best_) continue;  // deeper is never more
            const Context context{&front, nullptr};
            const Set& dd = candidate.double_dummy;
            const Set alive = has(CUT_USEFUL) ? dd : all_;
            Result found{{}, true};
            if (!alive.is_empty())
                found = search(after_seen(root_, candidate.card, all_), depth - 1, alive, dd, &context);
            Score best;
            Set vector;
            for (const Set& one : found.front) {
                const Set reached = one & dd;
                if (const Score here = score(reached); here > best) best = here, vector = reached;
                add(front, Set(reached | ~all_));
            }
            candidate.is_searched = true;
            candidate.is_bound = best <= best_ && !(found.is_exact && found.is_whole);
            if (candidate.is_bound) best = std::max(best, best_);
            if (best == Score{}) candidate.is_bound = false;  // nothing is exact
            if (!candidate.is_bound) candidate.vector = vector;
            candidate.score = std::min(candidate.score, best);
            best_ = std::max(best_, candidate.score);
            if (has(CUT_ROOT) && best_ >= most) break;
        }
        return best_ > floor;
    }

    // The chooser is not on turn: only the value is asked for.
    void await(StrategyAnswer& answer) {
        const Set dd = vector_of(root_, all_);
        Set best = dd;
        Score most = score(dd);
        answer.double_dummy = worth(dd);
        answer.depth = 0;
        answer.is_complete = root_.left <= 1 || dd.is_empty();
        budget_.limit(problem_.work_limit, problem_.seconds);
        try {
            for (int depth = 1; depth <= problem_.depth && !answer.is_complete; ++depth) {
                const Front<WORDS> none;
                const Context context{&none, nullptr};
                guess(most, [&](const Score& floor) {
                    best_ = floor;
                    const Front<WORDS> found = search(root_, depth, has(CUT_USEFUL) ? dd : all_, dd, &context).front;
                    Score top = floor;
                    for (const Set& one : found)
                        if (const Score here = score(one & dd); here > top) top = here, best = one & dd;
                    if (top > floor)
                        most = top;
                    else if (floor == Score{})
                        best = {}, most = {};
                    return top > floor;
                });
                answer.depth = depth;
                answer.is_complete = !is_horizon_seen_;
            }
        } catch (const BudgetSpent&) {
            answer.is_limited = true;
        }
        answer.value = worth(best);
        answer.vector = bytes_of(best);
    }

    // --- The tree ---

    bool is_useless(const Set& vector, const Set& reach, const Context* context) const {
        const Set reached = vector & reach;
        if (has(CUT_SCORE) && score(reached) <= best_) return true;
        for (; context; context = has(CUT_DEEP) ? context->above : nullptr)
            for (const Set& known : *context->front)
                if (reached.is_within(known)) return true;
        return false;
    }

    bool are_useless(const Front<WORDS>& front, const Set& reach, const Context* context) const {
        return std::all_of(front.begin(), front.end(),
                           [&](const Set& vector) { return is_useless(vector, reach, context); });
    }

    // Facts still open: neither reached nor out of reach.
    Set open_facts(const PlayNode& node, Set alive) const {
        for (int step = 0; step < steps_; ++step) {
            const int need = problem_.steps[static_cast<std::size_t>(step)].need - node.won;
            if (need <= 0 || need > node.left) drop_step(alive, step);
        }
        return alive;
    }

    // The vectors of a node. `reach`: facts that can still be won when everything above is taken into account.
    Result search(const PlayNode& node, int depth, const Set& given, const Set& reach, const Context* context) {
        // Step 1. Where nothing is open or nothing can be chosen, double dummy has said all.
        const Set alive = open_facts(node, given);
        if (node.left <= 1 || alive.is_empty()) return {{Set::ones()}, true};
        if ((depth == 0 || has(CUT_SINGLE)) && worlds_in(alive) == 1) return {{Set::ones()}, true};
        if (depth == 0) {
            is_horizon_seen_ = true;
            return {{Set::ones()}, true};
        }
        // Step 2. The cards.
        ++nodes_;
        budget_.spend(8);
        const int seat = node.turn();
        if (problem_.play.roles[seat] == Role::CHOOSER) return search_ours(node, depth, alive, reach, context);
        if (hidden_index_[seat] < 0) return search_dummy(node, depth, alive, reach, context);
        return search_hidden(node, depth, alive, reach, context);
    }

    Result search_ours(const PlayNode& node, int depth, const Set& alive, const Set& reach, const Context* context) {
        struct Move {
            Place card;
            Set double_dummy;
            int promise;
        };
        Move moves[13];
        int size = 0;
        const CardSet choices = seen_choices(node, alive);
        const bool is_forced = has(CUT_USEFUL) && (choices & (choices - 1)) == 0;
        Front<WORDS> front;
        // Step 1. Double dummy after each card.
        for (CardSet cards = choices; cards; cards &= cards - 1) {
            Move& move = moves[size++];
            move.card = lowest(cards);
            const PlayNode child = after_seen(node, move.card, alive);
            move.double_dummy = is_forced ? alive : vector_of(child, alive);
            move.promise = has(CUT_ORDER) ? move.double_dummy.size() : 0;
            if (depth > 1) continue;
            const Set open = open_facts(child, move.double_dummy);
            if (child.left > 1 && worlds_in(open) > 1) is_horizon_seen_ = true;
            const Set vector = move.double_dummy | ~alive;
            if (has(CUT_WIN) && move.double_dummy == alive) return {{vector}, true};
            add(front, vector);
        }
        if (depth == 1) return {std::move(front), true};
        std::stable_sort(moves, moves + size, [](const Move& a, const Move& b) { return a.promise > b.promise; });
        // Step 2. The vectors after each card, unless they cannot be of use.
        bool is_exact = true, is_whole = true;
        const Context below{&front, context};
        for (int k = 0; k < size; ++k) {
            const Move& move = moves[k];
            const Set bound = move.double_dummy | ~alive;
            if (has(CUT_BOUND)) {
                if (is_covered(bound, front)) continue;
                if (is_useless(bound, reach, &below)) {
                    is_exact = false;
                    add(front, bound);
                    continue;
                }
            }
            const Set& next = has(CUT_USEFUL) ? move.double_dummy : alive;
            const Result result = search(after_seen(node, move.card, alive), depth - 1, next, reach & bound, &below);
            is_whole = is_whole && result.is_whole;
            for (const Set& vector : result.front) {
                const Set reached = vector & bound;
                if (is_covered(reached, front)) continue;
                if (!result.is_exact) is_exact = false;
                add(front, reached);
                if (has(CUT_WIN) && result.is_exact && alive.is_within(reached)) return {{reached}, true};
            }
        }
        return {std::move(front), is_exact, is_whole};
    }

    // What all branches of an opponent or a friend leave, one after another.
    struct Meeting {
        Front<WORDS> front{Set::ones()};
        Set possible = Set::ones();
        bool is_exact = true, is_whole = true;

        Result result() && { return {std::move(front), is_exact, is_whole}; }
    };

    // False if the rest cannot matter.
    bool join(Meeting& meeting, const Result& result, const Set& reach, const Context* context, bool is_last) {
        if (!result.is_exact) meeting.is_exact = false;
        if (!result.is_whole) meeting.is_whole = false;
        if (result.front.size() == 1 && result.front[0].is_full()) return true;
        const bool has_floor = has(CUT_SCORE);
        const auto is_wanted = [&](const Set& vector) { return !has_floor || score(vector & reach) > best_; };
        if (!meet(meeting.front, result.front, budget_, is_wanted)) meeting.is_whole = false;
        meeting.possible = {};
        for (const Set& vector : meeting.front) meeting.possible |= vector;
        if (is_last || !has(CUT_EARLY) || !are_useless(meeting.front, reach, context)) return true;
        meeting.is_exact = false;
        return false;
    }

    // An opponent whose hand is seen.
    Result search_dummy(const PlayNode& node, int depth, const Set& alive, const Set& reach, const Context* context) {
        Meeting meeting;
        for (CardSet cards = seen_choices(node, alive); cards; cards &= cards - 1) {
            const Set next = has(CUT_USEFUL) ? alive & meeting.possible : alive;
            if (next.is_empty()) break;
            const Result result =
                search(after_seen(node, lowest(cards), alive), depth, next, reach & meeting.possible, context);
            if (!join(meeting, result, reach, context, (cards & (cards - 1)) == 0)) break;
        }
        return std::move(meeting).result();
    }

    Result search_hidden(const PlayNode& node, int depth, const Set& alive, const Set& reach, const Context* context) {
        Level& level = level_at(depth_of_hidden_ + 1);
        sort_into_branches(node, alive, level);
        std::vector<Branch>& branches = level.branches;
        if (has(CUT_ORDER))
            std::stable_sort(level.order.begin(), level.order.end(), [&](int a, int b) {
                return branches[static_cast<std::size_t>(a)].size > branches[static_cast<std::size_t>(b)].size;
            });
        Meeting meeting;
        const int hidden = hidden_index_[node.turn()];
        // A friend prefers low cards of any suit, which renaming does not keep.
        const bool uses_equals = has(CUT_EQUALS) && !problem_.has_labels &&
                                 !is_north_south(problem_.play.hidden_seats[0]) &&
                                 !is_north_south(problem_.play.hidden_seats[1]);
        std::vector<Searched> searched;
        for (std::size_t k = 0; k < level.order.size(); ++k) {
            const auto number = static_cast<std::size_t>(level.order[k]);
            Set next = branches[number].worlds & alive;
            if (has(CUT_USEFUL)) next &= meeting.possible;
            if (next.is_empty() || (has(CUT_SINGLE) && worlds_in(next) == 1)) continue;
            const bool is_last = k + 1 == level.order.size();
            if (uses_equals) {
                const Place card = branches[number].label;
                if (const std::optional<Front<WORDS>> front = front_of_equal(node, hidden, card, next, searched)) {
                    if (!join(meeting, {*front, true}, reach, context, is_last)) break;
                    continue;
                }
            }
            PlayNode child = node;
            child.worlds = level.worlds.get();
            Place some = 0;
            const std::int8_t* cards = level.cards.data() + number * static_cast<std::size_t>(size_);
            each_world(next, [&](int i) {
                some = cards[i];
                World& world = level.worlds[static_cast<std::size_t>(i)] = node.worlds[i];
                world.hands[hidden] &= ~bit_of(some);
                world.on_table[hidden] = static_cast<std::int8_t>(some);
            });
            advance(child, some, next);
            ++depth_of_hidden_;
            Result result = search(child, depth, next, reach & meeting.possible, context);
            --depth_of_hidden_;
            const bool goes_on = join(meeting, result, reach, context, is_last);
            if (uses_equals && result.is_exact && result.is_whole)
                searched.push_back({some, next, std::move(result.front)});
            if (!goes_on) break;
        }
        return std::move(meeting).result();
    }

    // A hidden card that was searched, in which facts, and its vectors.
    struct Searched {
        Place card;
        Set alive;
        Front<WORDS> front;
    };

    // The vectors after a hidden card, if one that was searched is its equal: only hidden cards are between
    // them, and for every world there is one that looks the same once the cards are gone. If the other hidden
    // player is still to play to the trick, his cards must not be between them either, for they may beat one of
    // the two and not the other: then every world is its own twin.
    std::optional<Front<WORDS>> front_of_equal(const PlayNode& node, int hidden, Place card, const Set& alive,
                                               const std::vector<Searched>& searched) {
        if (searched.empty()) return {};
        const World& some = node.worlds[first_world(alive)];
        const CardSet held = some.hands[0] | some.hands[1], present = present_in(node, some);
        const int other_seat = problem_.play.hidden_seats[1 - hidden];
        const bool is_other_to_play = ((other_seat - node.leader + 4) & 3) >= node.trick_size;
        for (const Searched& other : searched) {
            const Place low = std::min(card, other.card), high = std::max(card, other.card);
            if (suit_of(low) != suit_of(high)) continue;
            const CardSet between = above(low) & ~above(high) & present;
            if (between & ~held) continue;
            const std::vector<std::int16_t>& twin = twins_.of(between | bit_of(low), hidden, card > other.card);
            bool is_known = true;
            for (int step = 0; step < steps_; ++step)
                for (int k = 0; k < block_; ++k)
                    for (std::uint64_t word = alive.words[step * block_ + k]; word; word &= word - 1) {
                        const int world = 64 * k + std::countr_zero(word);
                        const int same = twin[static_cast<std::size_t>(world)];
                        if (same < 0 || !other.alive.has(fact(step, same))) is_known = false;
                        if (is_other_to_play && same != world) is_known = false;
                    }
            if (!is_known) continue;
            Front<WORDS> front;
            for (const Set& vector : other.front) {
                Set renamed = ~alive;
                for (int step = 0; step < steps_; ++step)
                    for (int k = 0; k < block_; ++k)
                        for (std::uint64_t word = alive.words[step * block_ + k]; word; word &= word - 1) {
                            const int world = 64 * k + std::countr_zero(word);
                            if (vector.has(fact(step, twin[static_cast<std::size_t>(world)])))
                                renamed.insert(fact(step, world));
                        }
                add(front, renamed);
            }
            budget_.spend(front.size() + 1);
            return front;
        }
        return {};
    }

    // --- Hidden cards ---

    // Memory of one hidden card in the line that is being searched.
    struct Level {
        std::unique_ptr<World[]> worlds;
        std::vector<Branch> branches;
        std::vector<std::int8_t> cards;  // by branch and world
        std::vector<int> order;
    };

    Level& level_at(int number) {
        while (static_cast<int>(levels_.size()) <= number) {
            levels_.push_back(std::make_unique<Level>());
            levels_.back()->worlds = std::make_unique<World[]>(static_cast<std::size_t>(size_));
        }
        return *levels_[static_cast<std::size_t>(number)];
    }

    World* worlds_at(int number) { return level_at(number).worlds.get(); }

    std::size_t branch_of(Level& level, Label label) const {
        for (std::size_t k = 0; k < level.branches.size(); ++k)
            if (level.branches[k].label == label) return k;
        level.branches.push_back({label, {}, 0, false});
        const std::size_t wanted = level.branches.size() * static_cast<std::size_t>(size_);
        if (level.cards.size() < wanted) level.cards.resize(wanted);
        return level.branches.size() - 1;
    }

    void put(Level& level, Label label, int world, Place card) const {
        const std::size_t k = branch_of(level, label);
        insert_world(level.branches[k].worlds, world);
        ++level.branches[k].size;
        level.cards[k * static_cast<std::size_t>(size_) + static_cast<std::size_t>(world)] =
            static_cast<std::int8_t>(card);
    }

    static constexpr Label HIGHEST = 1 << 10;  // of a label: the highest of several cards

    // The cards of the hidden player on turn, and the worlds in which he may play them.
    void sort_into_branches(const PlayNode& node, const Set& alive, Level& level) {
        level.branches.clear();
        const int seat = node.turn(), hidden = hidden_index_[seat];
        const bool is_friend = problem_.play.roles[seat] == Role::FRIEND;
        CardSet seen = 0;
        for (const CardSet hand : node.seen) seen |= hand;
        each_world(alive, [&](int i) {
            const World& world = node.worlds[i];
            const CardSet legal = follow(world.hands[hidden], node.led), present = present_in(node, world);
            CardSet cards = legal;
            if (is_friend)
                cards = bit_of(best_of_friend(node, i, lowest_of_equals(legal, present)));
            else if (problem_.has_labels)
                cards = lowest_of_equals(legal, present);
            if (!problem_.has_labels) {
                for (; cards; cards &= cards - 1) put(level, lowest(cards), i, lowest(cards));
                return;
            }
            const Place best = node.trick_size ? best_on_table(node, world, node.trick_size) : -1;
            Label last = -1;
            for (; cards; cards &= cards - 1) {  // upwards within a suit
                const Place card = lowest(cards);
                const bool takes_lead = best < 0 || beats(card, best, problem_.play.strain);
                const Label label = label_of(card, seen, present, takes_lead, problem_.small);
                if (label != last) {
                    put(level, label, i, card);
                } else if (!is_small(label)) {
                    level.branches[branch_of(level, label)].has_choice = true;
                    const std::size_t k = branch_of(level, label | HIGHEST);
                    if (!level.branches[k].worlds.has(fact(0, i))) put(level, label | HIGHEST, i, card);
                    level.cards[k * static_cast<std::size_t>(size_) + static_cast<std::size_t>(i)] =
                        static_cast<std::int8_t>(card);
                }
                last = label;
            }
        });
        const std::size_t labels = level.branches.size();
        for (std::size_t k = 0; k < labels; ++k) {
            if (!level.branches[k].has_choice) continue;
            const std::size_t other = branch_of(level, level.branches[k].label | HIGHEST);
            const Set without_choice = level.branches[k].worlds & ~level.branches[other].worlds;
            each_world(without_choice, [&](int i) {
                put(level, level.branches[other].label, i,
                    level.cards[k * static_cast<std::size_t>(size_) + static_cast<std::size_t>(i)]);
            });
        }
        level.order.resize(level.branches.size());
        for (std::size_t k = 0; k < level.order.size(); ++k) level.order[k] = static_cast<int>(k);
    }

    // Of the cards that are best double dummy the lowest. It depends on the position alone, not on the facts that
    // are still alive, so that a friend plays the same card whatever was searched before.
    Place best_of_friend(const PlayNode& node, int i, CardSet cards) {
        if ((cards & (cards - 1)) == 0) return lowest(cards);
        const Position here = position(node, i);
        Place best = -1;
        int most = -1;
        for (; cards; cards &= cards - 1) {
            const Place card = lowest(cards);
            Position after = here;
            const int winner = play(after, card);
            const int won = node.won + (winner >= 0 && is_north_south(winner) ? 1 : 0);
            int reached = 0;
            for (int step = 0; step < steps_; ++step) {
                budget_.spend(1);
                if (!outcomes_.ask(after, problem_.steps[static_cast<std::size_t>(step)].need - won)) break;
                ++reached;
            }
            if (reached > most || (reached == most && (card & 15) < (best & 15))) most = reached, best = card;
        }
        return best;
    }

    struct NibbleSums {
        double of[16][16] = {};
    };

    const StrategyProblem& problem_;
    Outcomes& outcomes_;
    Budget budget_;
    const int size_, steps_, block_;  // worlds, steps, words of a step
    PerSeat<int> hidden_index_{};
    PlayNode root_;
    Set all_, plan_;
    bool has_plan_ = false, is_plain_ = true;
    std::vector<double> weights_;  // by fact
    std::vector<NibbleSums> sums_;
    std::vector<std::unique_ptr<Level>> levels_;
    Twins twins_;
    std::vector<int> asked_worlds_;  // of the vector that is being asked for
    std::vector<Position> positions_;
    std::vector<std::uint8_t> answers_;
    int depth_of_hidden_ = 0;
    Score best_;
    bool is_horizon_seen_ = false;
    std::uint64_t nodes_ = 0;
};

}  // namespace setrograde
