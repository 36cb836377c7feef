/** A failed command, with lines that a client may see. Where something of the database was changed, they say what. */
export class MigrationFailure extends Error {
  override readonly name = 'MigrationFailure';
  readonly lines: readonly string[];

  constructor(lines: string | readonly string[], options?: ErrorOptions) {
    const all = typeof lines === 'string' ? [lines] : lines;
    super(all.join('\n'), options);
    this.lines = all;
  }
}
