#include "setrograde/endings/levels/level_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <utility>

#include "setrograde/common/checksum.hpp"

namespace setrograde {

namespace {

static_assert(std::endian::native == std::endian::little, "files are little-endian");

constexpr char MAGIC[8] = {'S', 'E', 'T', 'R', 'O', 'E', 'N', 'D'};
constexpr std::uint64_t MAX_TRICKS = 13;

// The header as it lies in the file.
struct RawHeader {
    char magic[8];
    std::uint32_t version, tricks, method, sections;
    std::uint64_t shapes, states, body_end, sums_checksum;
    char creator[64];
    Section section[MAX_SECTIONS];
    std::uint64_t checksum;  // of everything before
};
static_assert(sizeof(Section) == 24 && sizeof(RawHeader) == 8 + 16 + 32 + 64 + 8 * 24 + 8);
constexpr std::size_t CHECKED_BYTES = sizeof(RawHeader) - sizeof(std::uint64_t);

constexpr std::uint64_t round_up(std::uint64_t bytes, std::uint64_t to) { return (bytes + to - 1) / to * to; }

constexpr std::uint64_t blocks_of(std::uint64_t body_end) {
    return (body_end - LEVEL_FILE_HEADER + LEVEL_FILE_BLOCK - 1) / LEVEL_FILE_BLOCK;
}

}  // namespace

void LevelFile::refuse(const std::string& why) const { throw LevelFileError(path_ + ": " + why); }

LevelFile::LevelFile(const std::string& path) : path_(path) {
    // Without O_NONBLOCK, to open a pipe would wait for a writer.
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) refuse(std::strerror(errno));
    struct stat status{};
    if (::fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) {
        ::close(file);
        refuse("not a file");
    }
    size_ = static_cast<std::uint64_t>(status.st_size);
    device_ = static_cast<std::uint64_t>(status.st_dev);
    inode_ = static_cast<std::uint64_t>(status.st_ino);
    if (size_ < LEVEL_FILE_HEADER) {
        ::close(file);
        refuse("not a setrograde level file (too short)");
    }
    void* mapped = ::mmap(nullptr, size_, PROT_READ, MAP_SHARED, file, 0);
    ::close(file);
    if (mapped == MAP_FAILED) refuse(std::strerror(errno));
    data_ = static_cast<const unsigned char*>(mapped);
    try {
        read_header();
    } catch (...) {
        ::munmap(mapped, size_);
        throw;
    }
}

LevelFile::~LevelFile() { ::munmap(const_cast<unsigned char*>(data_), size_); }

void LevelFile::read_header() {
    RawHeader raw;
    std::memcpy(&raw, data_, sizeof raw);
    if (std::memcmp(raw.magic, MAGIC, sizeof MAGIC) != 0) refuse("not a setrograde level file");
    if (raw.version != LEVEL_FILE_VERSION)
        refuse("version " + std::to_string(raw.version) + " of the format; this program reads version " +
               std::to_string(LEVEL_FILE_VERSION));
    if (raw.checksum != checksum(&raw, CHECKED_BYTES)) refuse("damaged (checksum of the header)");
    if (raw.tricks > MAX_TRICKS || raw.sections > MAX_SECTIONS || raw.method < 1 || raw.method > LAST_METHOD)
        refuse("damaged (impossible header)");
    body_end_ = raw.body_end;
    if (body_end_ < LEVEL_FILE_HEADER || body_end_ > size_) refuse("cut short");
    blocks_ = blocks_of(body_end_);
    if (body_end_ + blocks_ * sizeof(std::uint64_t) != size_)
        refuse(body_end_ + blocks_ * sizeof(std::uint64_t) > size_ ? "cut short" : "longer than it says");
    std::uint64_t from = LEVEL_FILE_HEADER;
    for (std::size_t i = 0; i < raw.sections; ++i) {
        const Section& section = raw.section[i];
        if (!section.record_bytes || section.offset < from || section.offset > body_end_ ||
            section.count > (body_end_ - section.offset) / section.record_bytes)
            refuse("damaged (impossible section)");
        from = section.offset + section.bytes();
        header_.sections.push_back(section);
    }
    if (checksum(data_ + body_end_, blocks_ * sizeof(std::uint64_t)) != raw.sums_checksum)
        refuse("damaged (checksum of the checksums)");
    header_.tricks = raw.tricks;
    header_.method = static_cast<Method>(raw.method);
    header_.shapes = raw.shapes;
    header_.states = raw.states;
    header_.creator.assign(raw.creator, ::strnlen(raw.creator, sizeof raw.creator));
    good_ = std::make_unique<std::atomic<std::uint64_t>[]>(blocks_ / 64 + 1);
}

int LevelFile::tricks_of(Method method, const std::string& name, int most) const {
    if (header_.method != method) refuse("holds another kind of level than " + name);
    if (header_.tricks < 1 || header_.tricks > static_cast<std::uint32_t>(most))
        refuse("has " + std::to_string(header_.tricks) + " tricks, which no " + name + " have");
    return static_cast<int>(header_.tricks);
}

const Section& LevelFile::section(std::uint32_t kind, std::uint32_t record_bytes) const {
    for (const Section& section : header_.sections)
        if (section.kind == kind && section.record_bytes == record_bytes) return section;
    refuse("has no section " + std::to_string(kind));
}

void LevelFile::check_size() const {
    struct stat status{};
    if (::stat(path_.c_str(), &status) != 0) return;  // removed: what is mapped stays
    const bool is_same =
        static_cast<std::uint64_t>(status.st_dev) == device_ && static_cast<std::uint64_t>(status.st_ino) == inode_;
    if (is_same && static_cast<std::uint64_t>(status.st_size) < size_) refuse("was cut short while in use");
}

void LevelFile::check_block(std::uint64_t block) const {
    check_size();
    const std::uint64_t begin = LEVEL_FILE_HEADER + block * LEVEL_FILE_BLOCK;
    const std::uint64_t bytes = std::min<std::uint64_t>(LEVEL_FILE_BLOCK, body_end_ - begin);
    std::uint64_t expected;
    std::memcpy(&expected, data_ + body_end_ + block * sizeof expected, sizeof expected);
    if (checksum(data_ + begin, bytes) != expected)
        refuse("damaged (checksum of block " + std::to_string(block) + ", bytes " + std::to_string(begin) + " to " +
               std::to_string(begin + bytes) + ")");
    good_[block / 64].fetch_or(std::uint64_t{1} << (block % 64), std::memory_order_relaxed);
}

void LevelFile::touch(std::uint64_t offset, std::uint64_t bytes) const {
    if (!bytes) return;
    for (std::uint64_t at = offset - (offset - LEVEL_FILE_HEADER) % LEVEL_FILE_BLOCK; at < offset + bytes;
         at += LEVEL_FILE_BLOCK)
        touch(at);
}

void LevelFile::touch_all(const StopCheck& should_stop) const {
    check_size();
    for (std::uint64_t at = LEVEL_FILE_HEADER; at < body_end_; at += LEVEL_FILE_BLOCK) {
        if (should_stop && should_stop()) throw Stopped{};
        touch(at);
    }
}

LevelFileWriter::LevelFileWriter(const std::string& path, const LevelHeader& header, const StopCheck& should_stop)
    : path_(path), temporary_(path + ".part"), should_stop_(should_stop), header_(header) {
    if (header_.sections.size() > MAX_SECTIONS) refuse("too many sections");
    std::uint64_t offset = LEVEL_FILE_HEADER;
    for (Section& section : header_.sections) {
        section.offset = offset;
        offset = LEVEL_FILE_HEADER + round_up(offset + section.bytes() - LEVEL_FILE_HEADER, LEVEL_FILE_BLOCK);
    }
    ::unlink(temporary_.c_str());  // a pipe of that name would wait for a reader
    file_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK, 0666);
    if (file_ < 0) refuse(std::strerror(errno));
    block_.reserve(LEVEL_FILE_BLOCK);
}

LevelFileWriter::~LevelFileWriter() {
    if (file_ < 0) return;
    ::close(file_);
    ::unlink(temporary_.c_str());
}

void LevelFileWriter::refuse(const std::string& what) const { throw LevelFileError(path_ + ": cannot write: " + what); }

void LevelFileWriter::put(const void* data, std::size_t bytes, std::uint64_t offset) {
    const auto* from = static_cast<const char*>(data);
    while (bytes) {
        const ssize_t done = ::pwrite(file_, from, bytes, static_cast<off_t>(offset));
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) refuse(std::strerror(done < 0 ? errno : ENOSPC));
        from += done;
        bytes -= static_cast<std::size_t>(done);
        offset += static_cast<std::uint64_t>(done);
    }
}

void LevelFileWriter::flush_block() {
    if (should_stop_ && should_stop_()) throw Stopped{};
    sums_.push_back(checksum(block_.data(), block_.size()));
    put(block_.data(), block_.size(), offset_);
    offset_ += block_.size();
    block_.clear();
}

void LevelFileWriter::write(const void* data, std::size_t bytes) {
    const auto* from = static_cast<const unsigned char*>(data);
    while (bytes) {
        while (section_ < header_.sections.size() && section_done_ == header_.sections[section_].bytes()) {
            ++section_;
            section_done_ = 0;
            // The next section begins a block.
            if (!block_.empty() && section_ < header_.sections.size()) {
                block_.resize(LEVEL_FILE_BLOCK, 0);
                flush_block();
            }
        }
        if (section_ == header_.sections.size()) refuse("more data than was announced");
        const std::uint64_t most = std::min<std::uint64_t>(header_.sections[section_].bytes() - section_done_,
                                                           LEVEL_FILE_BLOCK - block_.size());
        const std::size_t now = std::min<std::size_t>(bytes, static_cast<std::size_t>(most));
        block_.insert(block_.end(), from, from + now);
        from += now;
        bytes -= now;
        section_done_ += now;
        if (block_.size() == LEVEL_FILE_BLOCK) flush_block();
    }
}

void LevelFileWriter::finish() {
    if (!block_.empty()) flush_block();
    while (section_ < header_.sections.size() && section_done_ == header_.sections[section_].bytes()) {
        ++section_;
        section_done_ = 0;
    }
    if (section_ != header_.sections.size()) refuse("less data than was announced");
    RawHeader raw{};
    std::memcpy(raw.magic, MAGIC, sizeof MAGIC);
    raw.version = LEVEL_FILE_VERSION;
    raw.tricks = header_.tricks;
    raw.method = static_cast<std::uint32_t>(header_.method);
    raw.sections = static_cast<std::uint32_t>(header_.sections.size());
    raw.shapes = header_.shapes;
    raw.states = header_.states;
    raw.body_end = offset_;
    raw.sums_checksum = checksum(sums_.data(), sums_.size() * sizeof(std::uint64_t));
    header_.creator.resize(std::min(header_.creator.size(), sizeof raw.creator - 1));
    std::memcpy(raw.creator, header_.creator.data(), header_.creator.size());
    std::copy(header_.sections.begin(), header_.sections.end(), raw.section);
    raw.checksum = checksum(&raw, CHECKED_BYTES);
    std::vector<char> page(LEVEL_FILE_HEADER, 0);
    std::memcpy(page.data(), &raw, sizeof raw);
    put(sums_.data(), sums_.size() * sizeof(std::uint64_t), offset_);
    put(page.data(), page.size(), 0);
    if (::fsync(file_) != 0 || ::close(std::exchange(file_, -1)) != 0) give_up();
    if (::rename(temporary_.c_str(), path_.c_str()) != 0) give_up();
}

void LevelFileWriter::give_up() const {
    const int why = errno;
    ::unlink(temporary_.c_str());
    refuse(std::strerror(why));
}

}  // namespace setrograde
