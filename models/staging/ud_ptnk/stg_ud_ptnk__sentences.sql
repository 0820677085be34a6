{{ stage_ud_sentences('ud_ptnk') }}
