"""What components in the browser are sent: headers, payloads and English labels, for the app and for notebooks."""
