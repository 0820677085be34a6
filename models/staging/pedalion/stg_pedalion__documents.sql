{{ stage_native_documents('pedalion') }}
