/** A command that cannot be meant as it was typed: its message goes to standard error, and the exit code is 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
