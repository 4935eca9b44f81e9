"""Questions of speed, each answered with a peer in the same run. `make bench` asks them all."""
