{{ stage_native_tokens('pedalion') }}
