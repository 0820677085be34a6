{{ stage_native_sentences('gorman') }}
