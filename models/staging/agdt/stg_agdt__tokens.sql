{{ stage_native_tokens('agdt') }}
