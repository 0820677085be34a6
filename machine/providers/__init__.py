"""Who can parse: a given parse, the cross-fitted parser, a model of the Hub, nobody."""
