// Growing array: a vector of plain values that grows in place where the system can
//
// `realloc` moves large blocks by remapping pages, so growing a table of a gigabyte neither copies
// it nor needs room for two. `std::vector` must do both. Large blocks ask for huge pages: fetching
// ahead from tables of many small ones waits for the page tables instead.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>
#include <type_traits>
#include <utility>

#ifdef __linux__
#include <sys/mman.h>

#include <cstdint>
#endif

namespace setrograde {

template <typename T>
class GrowingArray {
    static_assert(std::is_trivially_copyable_v<T>);

public:
    GrowingArray() = default;
    GrowingArray(GrowingArray&& other) noexcept { swap(other); }
    GrowingArray& operator=(GrowingArray&& other) noexcept {
        swap(other);
        return *this;
    }
    GrowingArray(const GrowingArray&) = delete;
    GrowingArray& operator=(const GrowingArray&) = delete;
    ~GrowingArray() { std::free(data_); }

    T* data() { return data_; }
    const T* data() const { return data_; }
    std::size_t capacity() const { return capacity_; }
    std::size_t bytes() const { return capacity_ * sizeof(T); }
    T& operator[](std::size_t at) { return data_[at]; }
    const T& operator[](std::size_t at) const { return data_[at]; }

    // Keeps what fits; new places are not set. Throws std::bad_alloc.
    void resize(std::size_t capacity) {
        if (capacity == 0) {
            std::free(data_);
            data_ = nullptr;
            capacity_ = 0;
            return;
        }
        if (capacity > static_cast<std::size_t>(-1) / sizeof(T)) throw std::bad_alloc();
        void* moved = std::realloc(data_, capacity * sizeof(T));
        if (!moved) throw std::bad_alloc();
        data_ = static_cast<T*>(moved);
        capacity_ = capacity;
        if (bytes() >= LARGE) ask_for_huge_pages();
    }

    void swap(GrowingArray& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(capacity_, other.capacity_);
    }

private:
    static constexpr std::size_t LARGE = std::size_t{16} << 20;

    void ask_for_huge_pages() {
#ifdef __linux__
        constexpr std::uintptr_t PAGE = 4096;
        const auto begin = (reinterpret_cast<std::uintptr_t>(data_) + PAGE - 1) / PAGE * PAGE;
        const auto end = reinterpret_cast<std::uintptr_t>(data_ + capacity_) / PAGE * PAGE;
        madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);  // a refusal does no harm
#endif
    }

    T* data_ = nullptr;
    std::size_t capacity_ = 0;
};

}  // namespace setrograde
