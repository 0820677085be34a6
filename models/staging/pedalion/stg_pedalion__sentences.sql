{{ stage_native_sentences('pedalion') }}
