SELECT set_config('backend_flush_after', '1MB', false) WHERE current_setting('backend_flush_after') = '0'
