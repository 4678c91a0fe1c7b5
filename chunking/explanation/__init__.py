"""Why a boundary is there, for which settings it stays, and what change takes it away or keeps a span whole."""
