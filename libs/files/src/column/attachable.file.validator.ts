import { RecordValidator } from '@nest-endpoints/core';

/** The message for every key that cannot be attached: it does not tell which of them are there. */
export const noSuchFile = 'the given file does not exist';

/** The files of one database for one column. */
export interface ColumnFiles {
  /** True if the current request reads and writes the database. */
  isOfThisRequest(): boolean;
  /** True if the sender of the current request may give the file to a record. */
  isAttachable(key: string): Promise<boolean>;
}

/** The rule that a key must be of a file that the sender has uploaded for this column, and that no other record has. */
export class AttachableFile extends RecordValidator {
  readonly name = 'AttachableFile';

  /** @param databases those that the column is used with */
  constructor(private readonly databases: ReadonlySet<ColumnFiles>) {
    super();
  }

  async complaint(value: unknown): Promise<string | undefined> {
    const files = [...this.databases].find((one) => one.isOfThisRequest());
    if (files === undefined)
      throw new Error('A file can be written where fileEndpoints of its column is in the application');
    return (await files.isAttachable(String(value))) ? undefined : noSuchFile;
  }
}
