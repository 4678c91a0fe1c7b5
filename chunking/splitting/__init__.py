"""What strategies share: where a block may be cut, what is too large, overlap and breadcrumbs."""
