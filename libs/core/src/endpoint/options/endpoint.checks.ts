import { types } from 'node:util';
import {
  boolean,
  callable,
  check,
  either,
  filledText,
  has,
  isRecord,
  listOf,
  mapOf,
  name,
  names,
  oneOfTexts,
  text,
} from '../../options/checks.js';
import type { ChecksOf, OptionCheck } from '../../options/option.check.js';
import { bodiless, isStatusCode } from '../../wire/status.code.js';
import { listColumnChecks } from '../../request/list.checks.js';
import type { ListColumnOptions } from '../../query/list.columns.js';
import { columnOverrides } from '../../model/definition.checks.js';
import { entity } from '../../model/entity.check.js';
import type {
  EndpointOptions,
  FilterOptions,
  IdempotencyOptions,
  LookupOptions,
  ModelOptions,
  PreconditionOptions,
  ReadableOptions,
  WriteableOptions,
} from './endpoint.options.js';
import { httpMethods } from '../http.method.js';
import { inheritedChecks } from './inherited.checks.js';
import { tool } from './tool.options.js';
import { externalNames } from '../versions/external.names.js';
import type { RemovalOptions, SaveOptions } from './life.cycle.options.js';

/** A table of the options that an interface adds to another. */
type Added<Options, Known> = ChecksOf<Omit<Options, keyof Known>>;

/** The check of a list of HTTP methods. */
export const requestMethods = listOf('HTTP methods', oneOfTexts(...httpMethods), 1);

const versions = listOf('versions', filledText, 1);

const version: OptionCheck = {
  allowed: `${filledText.allowed}, or ${versions.allowed}`,
  complaint: (value) => (Array.isArray(value) ? versions : filledText).complaint(value),
};

/** A class of Nest's, or what one makes, that has a method. */
function enhancer(what: string, method: string): OptionCheck {
  const isEnhancer = (value: unknown): boolean =>
    typeof value === 'function' ? Object.hasOwn(value, 'prototype') : has(value, [method]);
  return check(`${what}, or their instances, with a method ${method}`, isEnhancer);
}

const schema = check(
  'a JSON Schema, a class with decorators, or a Standard Schema',
  (value) =>
    typeof value === 'function' || (has(value, []) && !Array.isArray(value) && !types.isPromise(value)),
);

/** The checks of the options of every kind. */
export const endpointChecks = {
  url: text,
  version,
  requestMethods,
  summary: filledText,
  description: text,
  outputSchema: schema,
  tool,
  guards: listOf('guards', enhancer('classes of guards', 'canActivate')),
  interceptors: listOf('interceptors', enhancer('classes of interceptors', 'intercept')),
  decorators: listOf('method decorators, called: [Throttle(…)]', callable),
  ...inheritedChecks,
} as const satisfies ChecksOf<EndpointOptions>;

/**
 * The checks of options about the columns of a model. Endpoints over one model share an object of these, so a kind takes
 * one for which it has no use, too.
 */
const columnChecks = {
  readableColumnNames: names,
  writeableColumnNames: names,
  ...listColumnChecks,
} as const satisfies ChecksOf<
  Pick<ReadableOptions<object>, 'readableColumnNames'> &
    Pick<WriteableOptions<object>, 'writeableColumnNames'> &
    ListColumnOptions
>;

const relationPath = check(
  "relations from the record to its parents, e.g. 'ticket' or 'comment.ticket'",
  (value) => typeof value === 'string' && /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$/.test(value),
);

/** The checks of kinds that work on a model. */
export const modelChecks = {
  ...columnChecks,
  modelClass: entity,
  columnOverrides,
  parent: relationPath,
  transformInputTypes: boolean,
  externalNames,
} as const satisfies Added<ModelOptions<object>, EndpointOptions>;

/** The checks of kinds that answer with records. */
export const readableChecks = {
  ...modelChecks,
  outputMap: callable,
} as const satisfies Added<ReadableOptions<object>, EndpointOptions>;

/** The checks of kinds that write records. */
export const writeableChecks = {
  ...readableChecks,
  inputValidationCallable: callable,
} as const satisfies Added<WriteableOptions<object>, EndpointOptions>;

const condition = either(
  "'column operator value', a filter object, or a function",
  text,
  check('', isRecord),
  callable,
);

/** The checks of kinds that look records up. */
export const filterChecks = {
  where: listOf('strings, filter objects and functions', condition),
  joins: listOf('strings and functions', either('a string, or a function', text, callable)),
} as const satisfies ChecksOf<FilterOptions<object>>;

export const lookupChecks = { recordLookupColumnName: name } as const satisfies ChecksOf<
  LookupOptions<object>
>;

export const idempotencyChecks = {
  idempotency: either("true, false, 'required'", boolean, oneOfTexts('required')),
  idempotencySender: callable,
} as const satisfies ChecksOf<IdempotencyOptions>;

export const preconditionChecks = {
  preconditionRequired: boolean,
} as const satisfies ChecksOf<PreconditionOptions>;

/** The check of the HTTP status code of an answer, which has a body. @param without others that it may not be */
export function statusCode(least: number, most: number, without: readonly number[] = []): OptionCheck {
  const refused = [...bodiless, ...without].filter((code) => code >= least && code <= most);
  const allowed = `a status code from ${least} to ${most}, but not ${refused.join(', ')}`;
  return check(allowed, (value) => isStatusCode(value, least, most) && !refused.includes(value as number));
}

/** A token of a provider. */
export const token = check(
  'the token of a provider: a class, a text or a symbol',
  (value) => ['function', 'symbol'].includes(typeof value) || (typeof value === 'string' && value !== ''),
);

/** The check of an `inject` option. */
export const inject = mapOf('an object with tokens by names, e.g. { users: UsersService }', token);

/** The checks of what runs around a save. */
export const saveChecks = {
  inject,
  beforeSave: callable,
  afterSave: callable,
  afterCommit: callable,
} as const satisfies ChecksOf<SaveOptions<object>>;

/** The checks of what runs around a removal. */
export const removalChecks = {
  inject,
  beforeDelete: callable,
  afterDelete: callable,
  afterCommit: callable,
} as const satisfies ChecksOf<RemovalOptions<object>>;
