/**
 * The kind of a condition's value. `truth` is null, or true and false where the column has those; `range` is a list of two
 * values; `text` is a part of a text, which means nothing but itself; `json` is any JSON value.
 */
export type Operand =
  'value' | 'nullable' | 'truth' | 'list' | 'range' | 'pattern' | 'text' | 'json' | 'none';

interface OperatorRow {
  readonly operand: Operand;
  /** The comparison with the column, which `sql/comparison.ts` says in SQL. */
  readonly comparison: string;
  /** The comparison when the value is null, where the operator takes one. */
  readonly ofNull?: string;
  /**
   * The values it makes sense on: all, those that can be equal, those that also have an order, quantities, texts, JSON; those of
   * columns whose types have a search of their own.
   */
  readonly suits: 'all' | 'equality' | 'order' | 'quantity' | 'text' | 'json' | 'search';
}

/**
 * The search operators of the contract (AdvancedSearch), in the order that messages and documents list them. Restrictions
 * have words of their own (`PlainComparison` of `sql/restriction.ts`) and need no row here.
 */
export const operatorTable = {
  '<=>': { operand: 'nullable', comparison: '=', ofNull: 'is null', suits: 'equality' },
  '!=': { operand: 'value', comparison: '!=', suits: 'equality' },
  '<=': { operand: 'value', comparison: '<=', suits: 'order' },
  '>=': { operand: 'value', comparison: '>=', suits: 'order' },
  '>': { operand: 'value', comparison: '>', suits: 'order' },
  '<': { operand: 'value', comparison: '<', suits: 'order' },
  '=': { operand: 'value', comparison: '=', suits: 'equality' },
  in: { operand: 'list', comparison: 'in', suits: 'equality' },
  'is not null': { operand: 'none', comparison: 'is not null', suits: 'all' },
  'is null': { operand: 'none', comparison: 'is null', suits: 'all' },
  'is not': { operand: 'truth', comparison: 'is distinct from', ofNull: 'is not null', suits: 'equality' },
  is: { operand: 'truth', comparison: '=', ofNull: 'is null', suits: 'equality' },
  like: { operand: 'pattern', comparison: 'like', suits: 'text' },
  matches: { operand: 'value', comparison: 'matches', suits: 'search' },
  similar: { operand: 'value', comparison: 'similar', suits: 'search' },
  within: { operand: 'value', comparison: 'within', suits: 'search' },
  'not in': { operand: 'list', comparison: 'not in', suits: 'equality' },
  between: { operand: 'range', comparison: 'between', suits: 'quantity' },
  contains: { operand: 'text', comparison: 'contains', suits: 'text' },
  'starts with': { operand: 'text', comparison: 'starts with', suits: 'text' },
  'ends with': { operand: 'text', comparison: 'ends with', suits: 'text' },
  has: { operand: 'json', comparison: 'has', suits: 'json' },
} as const satisfies Record<string, OperatorRow>;

/** A search operator of the contract. */
export type Operator = keyof typeof operatorTable;

/** A comparison with a column: the contract's operators, without those that say the same as another. */
export type Comparison = (typeof operatorTable)[Operator]['comparison'];

const all = Object.keys(operatorTable) as readonly Operator[];

/** The operators of values: all but those of searches, which few types have. */
export const operators = all.filter((operator) => operatorTable[operator].suits !== 'search');

/** Operators of texts, and of types that do not say theirs. */
export const textOperators: readonly Operator[] = suiting('all', 'equality', 'order', 'text');

/** Operators that come first in lists, for values without an order; those that are not here come behind. */
const unorderedFirst: readonly Operator[] = [
  ...(['=', '!=', '<=>', 'in', 'is', 'is not', 'is null', 'is not null', 'not in'] as const),
];

/** Operators of types whose values have no order worth searching by: Boolean, Uuid, BelongsToId. */
export const equalityOperators: readonly Operator[] = unordered('all', 'equality');

/** Operators of values that the database cannot compare: Json, List. */
export const nullOperators: readonly Operator[] = unordered('all');

/** Operators of JSON values that the database can look into. */
export const jsonOperators: readonly Operator[] = unordered('all', 'json');

/** Operators of numbers, dates and times. */
export const orderOperators: readonly Operator[] = suiting('all', 'equality', 'order', 'quantity');

/** Finds the comparison of a condition with this operator and this value. */
export function comparisonOf(operator: Operator, value: unknown): Comparison {
  const row = operatorTable[operator];
  return value === null && 'ofNull' in row ? row.ofNull : row.comparison;
}

/** The operator that asks for a comparison, for messages: its own name where it has one. */
export function operatorOf(comparison: Comparison): Operator {
  const named = all.find((operator) => operator === comparison);
  const asking = all.find((operator) => operatorTable[operator].comparison === comparison);
  return named ?? asking ?? '=';
}

function suiting(...suits: readonly OperatorRow['suits'][]): Operator[] {
  return operators.filter((operator) => suits.includes(operatorTable[operator].suits));
}

function unordered(...suits: readonly OperatorRow['suits'][]): Operator[] {
  const found = suiting(...suits);
  const first = unorderedFirst.filter((operator) => found.includes(operator));
  return [...first, ...found.filter((operator) => !first.includes(operator))];
}
