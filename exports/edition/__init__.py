"""One edition: made beside the last one, put in place in one step, published on the Hub."""
