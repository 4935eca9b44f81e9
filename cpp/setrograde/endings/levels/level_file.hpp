// Level files: one level of an endgame database on disk
//
// A header, sections of fixed-size records, and a checksum for each block of them; the layout is
// specified in docs/formats/endings.md. Files are mapped, so opening one reads the header and the
// checksums only, and any number of processes share the memory. A block's checksum is compared
// when the block is first touched.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "setrograde/common/stop.hpp"

namespace setrograde {

inline constexpr std::size_t LEVEL_FILE_HEADER = 4096;
inline constexpr std::size_t LEVEL_FILE_BLOCK = 1 << 16;
inline constexpr std::uint32_t LEVEL_FILE_VERSION = 1;
inline constexpr std::size_t MAX_SECTIONS = 8;

// A file that cannot be read, is damaged, or is none of ours.
struct LevelFileError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

enum class Method : std::uint32_t {
    DIAGRAMS = 1,
    SETS = 2,
    STATES = 3,
    THRESHOLDS = 4,
    SHARDED = 5,  // the list of a level's shards
    SHARD = 6,    // diagrams of some shapes
    ORDERED = 7,  // what the next level is built on
};
inline constexpr std::uint32_t LAST_METHOD = 7;

struct Section {
    std::uint32_t kind = 0;  // a number of the method's own
    std::uint32_t record_bytes = 0;
    std::uint64_t count = 0;   // records
    std::uint64_t offset = 0;  // in the file; sections begin with a block

    std::uint64_t bytes() const { return record_bytes * count; }
};

struct LevelHeader {
    std::uint32_t tricks = 0;
    Method method = Method::DIAGRAMS;
    std::uint64_t shapes = 0;
    std::uint64_t states = 0;       // canonical endings
    std::string creator;            // program and version, at most 63 bytes
    std::vector<Section> sections;  // in the order of the file
};

class LevelFile {
public:
    // Maps a file; throws LevelFileError.
    explicit LevelFile(const std::string& path);
    ~LevelFile();
    LevelFile(const LevelFile&) = delete;
    LevelFile& operator=(const LevelFile&) = delete;

    const LevelHeader& header() const { return header_; }
    const std::string& path() const { return path_; }
    std::uint64_t file_bytes() const { return size_; }
    // Its tricks, 1 to `most`; throws if it was made by another method, called `name` in messages.
    int tricks_of(Method method, const std::string& name, int most) const;
    // Throws if the file has no such section or its records have another size.
    const Section& section(std::uint32_t kind, std::uint32_t record_bytes) const;

    // Bytes from `offset` on, without a look at their checksums.
    const unsigned char* data(std::uint64_t offset) const { return data_ + offset; }

    // Compares the checksum of the block with these bytes unless that was done before.
    void touch(std::uint64_t offset) const {
        const std::uint64_t block = (offset - LEVEL_FILE_HEADER) / LEVEL_FILE_BLOCK;
        const std::uint64_t bits = good_[block / 64].load(std::memory_order_relaxed);
        if (!(bits >> (block % 64) & 1)) [[unlikely]]
            check_block(block);
    }
    // All blocks of a range.
    void touch(std::uint64_t offset, std::uint64_t bytes) const;
    // All blocks of the file. Throws Stopped.
    void touch_all(const StopCheck& should_stop = {}) const;
    // Throws if the mapped file was shortened in place: to read what was cut off would end the program.
    void check_size() const;

private:
    void read_header();
    void check_block(std::uint64_t block) const;
    [[noreturn]] void refuse(const std::string& why) const;

    std::string path_;
    const unsigned char* data_ = nullptr;
    std::uint64_t size_ = 0;
    std::uint64_t device_ = 0, inode_ = 0;  // tell the file from another with its name
    std::uint64_t body_end_ = 0;            // where the checksums begin
    std::uint64_t blocks_ = 0;
    LevelHeader header_;
    std::unique_ptr<std::atomic<std::uint64_t>[]> good_;  // a bit a block
};

// Writes a level file under a temporary name and gives it its own name at the end. Nothing is left
// behind if it does not come to the end. Throws LevelFileError.
class LevelFileWriter {
public:
    // The sections' kinds, record sizes and counts must be known; offsets are filled in. Writing throws
    // Stopped if the check, which must outlive the writer, says so.
    LevelFileWriter(const std::string& path, const LevelHeader& header, const StopCheck& should_stop);
    ~LevelFileWriter();
    LevelFileWriter(const LevelFileWriter&) = delete;
    LevelFileWriter& operator=(const LevelFileWriter&) = delete;

    // The next bytes of the sections, in order.
    void write(const void* data, std::size_t bytes);
    // All sections are written: checksums, header, and the file's name.
    void finish();

private:
    void put(const void* data, std::size_t bytes, std::uint64_t offset);
    void flush_block();
    [[noreturn]] void refuse(const std::string& what) const;
    [[noreturn]] void give_up() const;  // removes the temporary file; errno says why

    std::string path_, temporary_;
    const StopCheck& should_stop_;
    int file_ = -1;
    LevelHeader header_;
    std::size_t section_ = 0;         // the one being written
    std::uint64_t section_done_ = 0;  // bytes of it
    std::vector<unsigned char> block_;
    std::vector<std::uint64_t> sums_;
    std::uint64_t offset_ = LEVEL_FILE_HEADER;
};

}  // namespace setrograde
