"""Random keys and resizes on a pseudo-terminal under ThreadSanitizer: tests/storm.py with seeds that are
always the same. `make storm` draws others."""

import harness
import storm
from harness import Skip, test


@test(each=range(1, 13), builds=["thread"])
def nothing_goes_wrong_under_the_keys_of_seed(seed):
    if "FATAL" in harness.run("--version").err:
        raise Skip("ThreadSanitizer cannot run on this kernel")
    storm.Storm(seed, storm.files()).run()
