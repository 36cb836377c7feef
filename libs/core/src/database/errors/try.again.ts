/** A reason of ours to undo a transaction and try it again, as the database has its own. */
export class TryAgain extends Error {
  readonly code = '40001';
}
