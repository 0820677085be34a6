{{ stage_ud_tokens('ud_ptnk') }}
