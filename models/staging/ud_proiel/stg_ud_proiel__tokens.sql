{{ stage_ud_tokens('ud_proiel') }}
