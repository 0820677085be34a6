{{ stage_native_documents('agdt') }}
