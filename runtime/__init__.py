"""What every command needs: settings, messages, the guard around a run, the warehouse file, dbt."""
