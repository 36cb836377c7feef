/** Each place where a request could come into the schema of another tenant. See defects.mjs. */
const known = 'libs/core/src/records/schemas/known.schemas.ts';

export const defects = [
  {
    name: 'schemas: a relation with a where leads into the chosen schema',
    file: 'libs/core/src/sql/table.sql.ts',
    find: 'const { sql, params } = query.select(meta.primaryKeys as never).toQuery();',
    replace:
      "const { sql, params } = query.withSchema(this.chosen ?? '').select(meta.primaryKeys as never).toQuery();",
    tests: ['contract/schemas.where'],
  },
  {
    name: 'schemas: statements of ours are about the schema of nobody',
    file: 'libs/core/src/database/own.em.ts',
    find: 'this.viewer.schema ?? (this.#origin ??= database.origin).schema',
    replace: '(this.#origin ??= database.origin).schema',
    tests: ['contract/schemas'],
  },
  {
    name: 'schemas: entity managers of requests are about the schema of nobody',
    file: 'libs/core/src/database/database.ts',
    find: 'const chosen = schema === undefined ? {} : { schema };',
    replace: 'const chosen = {};',
    tests: ['contract/schemas'],
  },
  {
    name: 'schemas: a statement that was written for one tenant is sent for another',
    file: 'libs/core/src/sql/table.sql.ts',
    find: 'this.key = `in ${JSON.stringify(chosen)}`;',
    replace: "this.key = 'in';",
    tests: ['contract/schemas'],
  },
  {
    name: 'schemas: sessions of endpoints without rules have none',
    file: 'libs/core/src/nest/features/session.opening.ts',
    find: 'rowLevelSecurity === undefined && schemas === undefined && !readsOneMoment',
    replace: 'rowLevelSecurity === undefined && !readsOneMoment',
    tests: ['contract/schemas'],
  },
  {
    name: 'schemas: whatever schemaOf gives is taken',
    file: 'libs/core/src/endpoint/schemas/tenant.schemas.ts',
    find: 'if (isSchemaName(name) && (isKnown === true || (await isKnown))) return name;',
    replace: 'if ((await isKnown) !== undefined) return String(name);',
    tests: ['contract/schemas'],
  },
  {
    name: 'schemas: the option schemas allows all',
    file: known,
    find: 'if (!(await this.#isAllowed(name))) return false;',
    replace: '',
    tests: ['contract/schemas.many'],
  },
  {
    name: 'schemas: nobody asks if a schema is there',
    file: known,
    find: 'return rows.length > 0;',
    replace: 'return true;',
    tests: ['contract/schemas'],
  },
  {
    name: 'schemas: those of PostgreSQL itself are a tenant’s',
    file: 'libs/core/src/records/schemas/schema.name.ts',
    find: 'possible.test(name) && !reserved.test(name)',
    replace: 'possible.test(name)',
    tests: ['contract/schemas'],
  },
  {
    name: 'schemas: a request names schemas that are no tenant’s',
    file: 'libs/migrations/src/schemas/tenant.names.ts',
    find: '(await this.#all()).filter(this.#isTenants)',
    replace: 'await this.#all()',
    tests: ['contract/migrations.schemas'],
  },
];
