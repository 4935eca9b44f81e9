"""The command line: thin, it parses arguments, calls the library and prints."""
