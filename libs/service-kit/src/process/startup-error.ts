/**
 * Thrown when a process cannot start until its operator acts. The message says what to do; a stack trace
 * would not help.
 */
export class StartupError extends Error {}
