import type { JsonSchema } from '../model/json.schema.js';

/** One decorator of class-validator on a property, as its storage has it. */
export interface Constraint {
  readonly propertyName: string;
  /** `customValidation`, `nestedValidation`, `conditionalValidation`, `whitelistValidation`. */
  readonly type?: string;
  readonly name?: string;
  readonly constraints?: readonly unknown[] | undefined;
  /** True if it is about every item of a list. */
  readonly each?: boolean;
}

type Keywords = (...parameters: readonly unknown[]) => JsonSchema;

const number = (value: unknown): number => Number(value);

/**
 * The keywords of JSON Schema for the decorators of class-validator. A decorator that is not here is judged all the same,
 * but not documented.
 */
const keywords: Readonly<Record<string, Keywords>> = {
  isString: () => ({ type: 'string' }),
  isInt: () => ({ type: 'integer' }),
  isNumber: () => ({ type: 'number' }),
  isBoolean: () => ({ type: 'boolean' }),
  isObject: () => ({ type: 'object' }),
  isArray: () => ({ type: 'array' }),
  isDate: () => ({ type: 'string', format: 'date-time' }),
  isDateString: () => ({ type: 'string' }),
  isIso8601: () => ({ type: 'string' }),
  isNumberString: () => ({ type: 'string' }),
  isEmail: () => ({ type: 'string', format: 'email' }),
  isUuid: () => ({ type: 'string', format: 'uuid' }),
  isUrl: () => ({ type: 'string' }),
  isNotEmpty: () => ({ minLength: 1 }),
  equals: (value) => ({ const: value }),
  isIn: (values) => (Array.isArray(values) ? { enum: values } : {}),
  isEnum: (_entity, values) => (Array.isArray(values) ? { enum: values } : {}),
  min: (least) => ({ minimum: number(least) }),
  max: (greatest) => ({ maximum: number(greatest) }),
  isPositive: () => ({ exclusiveMinimum: 0 }),
  isNegative: () => ({ exclusiveMaximum: 0 }),
  isDivisibleBy: (divisor) => ({ multipleOf: number(divisor) }),
  minLength: (least) => ({ minLength: number(least) }),
  maxLength: (most) => ({ maxLength: number(most) }),
  isLength: (least, most) => ({
    minLength: number(least ?? 0),
    ...(most === undefined ? {} : { maxLength: number(most) }),
  }),
  matches: (expression) =>
    expression instanceof RegExp && expression.flags === '' ? { pattern: expression.source } : {},
  arrayMinSize: (least) => ({ minItems: number(least) }),
  arrayMaxSize: (most) => ({ maxItems: number(most) }),
  arrayNotEmpty: () => ({ minItems: 1 }),
  arrayUnique: (identity) => (identity === undefined ? { uniqueItems: true } : {}),
};

/** The keywords of one decorator; none where it has no word in JSON Schema. */
export function keywordsOf({ name = '', constraints = [] }: Constraint): JsonSchema {
  return Object.hasOwn(keywords, name) ? (keywords[name]?.(...constraints) ?? {}) : {};
}

/** True if the decorators of a property hold only sometimes. Such decorators promise nothing. */
export function isConditional(constraints: readonly Constraint[]): boolean {
  return constraints.some(({ type, name }) => type === 'conditionalValidation' && name !== 'isOptional');
}
