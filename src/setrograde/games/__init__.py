"""Rules of small games, without any thought of how to play them well."""
