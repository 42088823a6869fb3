"""The process: command line, settings, threads, and the wiring of core to ui."""
