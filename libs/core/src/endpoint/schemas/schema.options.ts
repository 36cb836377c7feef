import type { IdentityFunction } from '../../model/registered.identity.js';
import { check, callable, either, listOf } from '../../options/checks.js';
import type { ChecksOf } from '../../options/option.check.js';
import type { AllowedSchemas } from '../../records/schemas/known.schemas.js';
import { isSchemaPattern } from '../../records/schemas/schema.name.js';

type Name = string | null | undefined;

/** The way in which each tenant has a schema of PostgreSQL for itself. */
export interface SchemaOptions {
  /**
   * Gives the schema of a sender, whose tables every statement of the request is about; entities with a schema of their own
   * stay in theirs. A name that cannot be one, is not allowed or is not there is a 403. Requests without an identity are not
   * asked about: they are about MikroORM's own schema. PostgreSQL and PGlite only. Default: none.
   *
   * @example schemaOf: (identity) => `t_${identity.tenant}`
   */
  readonly schemaOf?: IdentityFunction<Name | Promise<Name>>;
  /**
   * The schemas that {@link schemaOf} may give: names, names with `*` for any characters, or a function that says true for
   * them. Default `['*']`: all schemas that are there but `public`, MikroORM's own, and those that entities name.
   */
  readonly schemas?: AllowedSchemas;
}

const allowed = 'a list of names of schemas, in which * stands for any characters, or a function';

export const schemaChecks = {
  schemaOf: callable,
  schemas: either(
    allowed,
    callable,
    listOf('names of schemas', check('small letters, digits, _ and *', isSchemaPattern), 1),
  ),
} as const satisfies ChecksOf<SchemaOptions>;
