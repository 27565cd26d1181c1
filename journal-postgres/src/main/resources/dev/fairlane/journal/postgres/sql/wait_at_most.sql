SET LOCAL lock_timeout = '{millis}ms'
