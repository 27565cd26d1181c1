SET lock_timeout = '2s'
