"""What an edition says of itself: card, licence page, Croissant description, manifests and reports.

`read` reads the models once into one record (`record.About`); every writer is a pure function of it. The prose of the
card is `card.md.jinja`, that of the licence page `licences.md.jinja`: edit them there.
"""
