"""Data for the browser's components, in the app and in notebooks: headers, binary payloads and English labels."""
