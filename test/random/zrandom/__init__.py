"""Random legal ZPL programs: model, legality, generator, comparison, shrinker."""
