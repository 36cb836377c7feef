import type { Type } from '@nestjs/common';
import type { StandardSchemaV1 } from '@standard-schema/spec';
import { check } from '../../options/checks.js';
import { ConfigurationError } from '../../wire/configuration.error.js';
import { DtoSchema } from './dto.schema.js';
import type { InputSchema } from './schema.reading.js';
import { StandardSchema } from './standard.schema.js';

/**
 * The form of input: a class with decorators of class-validator, of which class-transformer makes an instance, or any
 * Standard Schema (https://standardschema.dev), e.g. of zod, valibot or arktype.
 */
export type InputSchemaSource<Value = unknown> = Type<Value> | StandardSchemaV1<unknown, Value>;

/** The check of an option that is such a source. */
export const inputSchema = check(
  'a class with decorators of class-validator, or a Standard Schema',
  (value) => typeof value === 'function' || isStandardSchema(value as InputSchemaSource),
);

/**
 * @param forcesText whether text for numbers and booleans is read as such; a Standard Schema says so itself
 * @throws ConfigurationError for what is neither, and for a class without the packages that judge it
 */
export function inputSchemaOf(
  owner: string,
  option: string,
  source: InputSchemaSource,
  forcesText: boolean,
): InputSchema {
  if (isStandardSchema(source)) return new StandardSchema(source);
  if (typeof source === 'function') return new DtoSchema(owner, option, source, forcesText);
  throw new ConfigurationError(
    owner,
    option,
    `${typeof source} is no schema; allowed: a class with decorators of class-validator, or a Standard Schema`,
  );
}

/** A Standard Schema may be a function, as those of arktype are. */
function isStandardSchema(source: InputSchemaSource): source is StandardSchemaV1 {
  const isObject = typeof source === 'function' || (typeof source === 'object' && Boolean(source));
  return isObject && '~standard' in source;
}
