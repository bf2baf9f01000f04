#include "samples.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    fuzz_samples("gamebench", bytes, size);
    return 0;
}
