"""``python -m fewest``."""

from fewest.cli import main

if __name__ == "__main__":
    main()
