{{ stage_native_documents('harrington') }}
