/** SQL of the target schema, and where it came from. */
export interface SourceText {
  /** The name in messages: the path of a file, or `sql[0]` for text that stood in the list. */
  readonly name: string;
  readonly text: string;
  /** The absolute path of the file, when it is one. */
  readonly path?: string;
}
