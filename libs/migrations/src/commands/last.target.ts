import type { Distribution } from '../distribution/distribution.js';
import { digestOf } from '../sources/source.digest.js';
import type { SourceText } from '../sources/source.text.js';

/** The schema that the SQL of the target makes in an empty database. */
export interface TargetSchema {
  /** The schema as the diff tool read it. */
  readonly snapshot: unknown;
  readonly managesPrivileges: boolean;
  /** The lines that say where the rows of tables are. Default none. */
  readonly distributions?: readonly Distribution[];
}

/** The target that was tried last. Plan and apply mostly follow each other, and to try a target takes longest. */
export class LastTarget {
  #digest = '';
  #schema: TargetSchema | undefined;

  async of(sources: readonly SourceText[], make: () => Promise<TargetSchema>): Promise<TargetSchema> {
    const digest = digestOf(sources);
    if (this.#schema !== undefined && this.#digest === digest) return this.#schema;
    const schema = await make();
    this.#schema = schema;
    this.#digest = digest;
    return schema;
  }
}
