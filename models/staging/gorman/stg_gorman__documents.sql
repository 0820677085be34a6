{{ stage_native_documents('gorman') }}
