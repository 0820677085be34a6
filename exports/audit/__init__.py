"""Manual audits: what the machine layer is compared with, and the sentences that are drawn for annotation."""
