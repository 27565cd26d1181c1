SELECT current_setting('server_version_num')::int, current_setting('server_version'), pg_is_in_recovery(),
       current_setting('fsync')::boolean, current_setting('full_page_writes')::boolean,
       current_setting('synchronous_standby_names'), current_setting('transaction_read_only')::boolean
