{{ stage_native_sentences('harrington') }}
