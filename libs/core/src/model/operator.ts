/** The search operators of the contract (AdvancedSearch). What each one becomes in SQL is said in `records/`. */
export const operators = [
  '<=>',
  '!=',
  '<=',
  '>=',
  '>',
  '<',
  '=',
  'in',
  'is not null',
  'is null',
  'is not',
  'is',
  'like',
] as const;

/** A search operator of the contract. */
export type Operator = (typeof operators)[number];

/** Operators of types whose values have no order worth searching by: Boolean, Uuid, BelongsToId. */
export const equalityOperators: readonly Operator[] = [
  '=',
  '!=',
  '<=>',
  'in',
  'is',
  'is not',
  'is null',
  'is not null',
];

/** Operators of numbers, dates and times. */
export const orderOperators: readonly Operator[] = operators.filter((operator) => operator !== 'like');
