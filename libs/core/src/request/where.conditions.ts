import { BadRequest } from '../wire/refusals.js';
import { ConfigurationError } from '../wire/configuration.error.js';
import type { NameTable } from '../wire/name.table.js';
import type { ColumnPath } from '../model/model.js';
import { operatorsOf } from '../model/column.js';
import { comparisonOf, operators, type Comparison, type Operator } from '../model/operator.js';
import { conditionOf, operandOf, valueComplaint } from '../query/condition.js';
import { searchesIn } from '../query/like.pattern.js';
import type { NamedPath } from '../query/list.columns.js';
import type { Condition } from '../query/query.plan.js';
import { EntryShape, SearchEntry } from './search.entry.js';

/** Limits of one search. */
export interface SearchLimits {
  /** The most values an `in` may list. Default 1,000. */
  readonly maximumInValues?: number;
  /** The most conditions a search may have. Default 100. */
  readonly maximumConditions?: number;
  /** The most `%` that the patterns of a search may have together; several in a row are one. Default 200. */
  readonly maximumWildcards?: number;
}

/** The columns that conditions may be about, and how their values are read. */
interface ConditionSource {
  readonly owner: string;
  readonly names: NameTable;
  readonly columns: { readonly searchable: ReadonlyMap<string, NamedPath> };
  readonly forcesText: boolean;
}

/** The comparisons with a pattern, which cost the more the more wildcards it has. */
const patternComparisons: readonly Comparison[] = operators
  .filter((operator) => operandOf(operator) === 'pattern')
  .map((operator) => comparisonOf(operator, ''));

/** Reads the conditions of a body: entries with `column`, `operator` and `value`. Made once per endpoint. */
export class WhereConditions {
  /** The most values that one condition may list. */
  readonly mostValues: number;
  readonly mostConditions: number;
  readonly #shape: EntryShape;
  readonly #mostWildcards: number;

  /** @throws ConfigurationError for a limit that is none */
  constructor(
    private readonly source: ConditionSource,
    limits: SearchLimits,
  ) {
    const { owner, names } = source;
    this.#shape = new EntryShape(names, ['column', 'operator', 'value'], ['column', 'operator']);
    this.mostValues = limitOf(owner, 'maximumInValues', limits.maximumInValues ?? 1000);
    this.mostConditions = limitOf(owner, 'maximumConditions', limits.maximumConditions ?? 100);
    this.#mostWildcards = limitOf(owner, 'maximumWildcards', limits.maximumWildcards ?? 200);
  }

  /**
   * @param name the name of the list as the client wrote it
   * @throws BadRequest with a sentence that names the entry by its number
   */
  read(name: string, entries: readonly unknown[]): readonly Condition[] {
    if (entries.length > this.mostConditions)
      throw new BadRequest(`'${name}' must not have more than ${this.mostConditions} conditions`);
    const conditions = entries.map((sent, index) => {
      const entry = new SearchEntry(`${name} ${index + 1}`, sent, this.#shape);
      const path = entry.column(this.source.columns.searchable);
      const operator = entry.operator(operatorsOf(path.column));
      return conditionOf(path, operator, this.#value(entry, path, operator));
    });
    if (wildcardsIn(conditions) <= this.#mostWildcards) return conditions;
    throw new BadRequest(`'${name}' must not have more than ${this.#mostWildcards} wildcards`);
  }

  #value(entry: SearchEntry, path: ColumnPath, operator: Operator): unknown {
    const { value: sent } = entry;
    // The contract's entry has all three members, whatever the operator takes.
    if (operandOf(operator) === 'none') return null;
    if (sent === undefined) throw entry.missing('value');
    if (Array.isArray(sent) && sent.length > this.mostValues)
      throw entry.refusal(`${entry.nameOf('value')} must not have more than ${this.mostValues} entries`);
    const value = this.#read(path, operator, sent);
    const complaint = valueComplaint(path, operator, value);
    if (complaint !== undefined) throw entry.refusal(complaint);
    return value;
  }

  #read({ column: { type } }: ColumnPath, operator: Operator, sent: unknown): unknown {
    if (!this.source.forcesText || !type.forcesText || operandOf(operator) === 'pattern') return sent;
    const read = (one: unknown): unknown => (typeof one === 'string' ? type.fromText(one) : one);
    return Array.isArray(sent) ? sent.map(read) : read(sent);
  }
}

function wildcardsIn(conditions: readonly Condition[]): number {
  let wildcards = 0;
  for (const { comparison, value } of conditions)
    if (patternComparisons.includes(comparison)) wildcards += searchesIn(String(value));
  return wildcards;
}

function limitOf(owner: string, option: string, value: number): number {
  if (Number.isSafeInteger(value) && value >= 1) return value;
  throw new ConfigurationError(owner, option, `${value} is not a whole number from 1`);
}
