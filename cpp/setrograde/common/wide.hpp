// Wide: whole numbers of 128 bits, for counts such as the 5.4e28 deals
#pragma once

namespace setrograde {

__extension__ using Wide = unsigned __int128;

}  // namespace setrograde
