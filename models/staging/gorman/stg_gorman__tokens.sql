{{ stage_native_tokens('gorman') }}
