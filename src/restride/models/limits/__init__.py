"""What runtimes' documents say of their limits: tables, one a file, and their use."""
