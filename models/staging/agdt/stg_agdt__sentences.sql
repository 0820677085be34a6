{{ stage_native_sentences('agdt') }}
