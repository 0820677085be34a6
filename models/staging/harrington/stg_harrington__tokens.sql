{{ stage_native_tokens('harrington') }}
