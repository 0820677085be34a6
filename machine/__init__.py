"""The machine layer: parses of the published sentences, from one of several providers behind one interface."""
