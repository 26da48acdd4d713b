"""Every answer of stores and tables in a browser, live: filtered, compared, tagged."""
