import { isSchemaName, isSchemaPattern, schemasNamed } from '@nest-endpoints/core/internal';
import type { TargetDatabase } from '../database/target.database.js';
import { MigrationFailure } from '../migration.failure.js';
import { schemaNames } from './schema.names.js';

/**
 * Gives the judge of which schemas are tenants'.
 *
 * @param described the option that describes them; undefined for none
 * @param own schemas that no pattern means: the application's own
 */
export function isOfTenant(
  described: readonly string[] | undefined,
  own: ReadonlySet<string>,
): (schema: string) => boolean {
  return described === undefined ? () => false : schemasNamed(described, own);
}

/** The schemas of tenants, by the option that describes them. */
export class TenantNames {
  readonly #isTenants: (name: string) => boolean;

  /** @param described names, and patterns with `*` @param own schemas that no pattern means: the application's own */
  constructor(
    private readonly database: TargetDatabase,
    described: readonly string[],
    private readonly own: ReadonlySet<string>,
  ) {
    this.#isTenants = isOfTenant(described, own);
  }

  /**
   * The schemas that are there, in the order of their names.
   *
   * @param wanted names and patterns; by default all
   * @throws MigrationFailure for what is no name, and for one that is not there
   */
  async there(wanted: readonly string[] = ['*']): Promise<readonly string[]> {
    const wrong = wanted.find((one) => !isSchemaPattern(one));
    if (wrong !== undefined) throw new MigrationFailure(`'${wrong.slice(0, 100)}' ${notAName}`);
    const isWanted = schemasNamed(wanted, this.own);
    const names = (await this.#all()).filter(this.#isTenants);
    const missing = wanted.filter((one) => !one.includes('*') && !names.includes(one));
    if (missing.length > 0)
      throw new MigrationFailure(missing.map((name) => `there is no schema ${name} of a tenant`));
    return names.filter(isWanted);
  }

  /** The names of schemas that can be made. @throws MigrationFailure */
  async free(wanted: readonly string[]): Promise<readonly string[]> {
    const known = new Set(await this.#all());
    const problems = wanted.flatMap((name) => {
      const isName: boolean = isSchemaName(name);
      if (!isName) return `'${name.slice(0, 100)}' ${notAName}`;
      if (!this.#isTenants(name)) return `${name} is none of the schemas that the option schemas describes`;
      return known.has(name) ? `there is a schema ${name} already` : [];
    });
    if (wanted.length === 0) problems.push('say which schemas to add');
    if (problems.length > 0) throw new MigrationFailure(problems);
    return [...new Set(wanted)];
  }

  #all(): Promise<readonly string[]> {
    return this.database.transaction(schemaNames, { readOnly: true });
  }
}

const notAName = 'cannot be the name of a schema: small letters, digits and _, at most 63';
