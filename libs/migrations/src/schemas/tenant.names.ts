import { isSchemaName, isSchemaPattern, schemasNamed } from '@nest-endpoints/core/internal';
import type { TargetDatabase } from '../database/target.database.js';
import { MigrationFailure } from '../migration.failure.js';

/** The schemas that no pattern means: those that are no tenant's. */
const own: ReadonlySet<string> = new Set(['public']);

/** Gives the judge of which schemas are tenants', by the option that describes them; undefined for none. */
export function isOfTenant(described?: readonly string[]): (schema: string) => boolean {
  return described === undefined ? () => false : schemasNamed(described, own);
}

/** The schemas of tenants, by the option that describes them. */
export class TenantNames {
  readonly #isTenants: (name: string) => boolean;

  /** @param described names, and patterns with `*` */
  constructor(
    private readonly database: TargetDatabase,
    described: readonly string[],
  ) {
    this.#isTenants = isOfTenant(described);
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
    const isWanted = schemasNamed(wanted, own);
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

  async #all(): Promise<readonly string[]> {
    const rows = await this.database.transaction(
      (session) => session.query('select nspname::text as name from pg_namespace order by 1'),
      { readOnly: true },
    );
    return rows.map(({ name }) => String(name));
  }
}

const notAName = 'cannot be the name of a schema: small letters, digits and _, at most 63';
