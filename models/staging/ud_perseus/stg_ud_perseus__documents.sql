{{ stage_ud_documents('ud_perseus') }}
