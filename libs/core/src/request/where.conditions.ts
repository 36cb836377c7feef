import { BadRequest } from '../wire/refusals.js';
import { ConfigurationError } from '../wire/configuration.error.js';
import type { NameTable } from '../wire/name.table.js';
import type { ColumnPath } from '../model/model.js';
import { operatorsOf } from '../model/column.js';
import type { Operand, Operator } from '../model/operator.js';
import { conditionOf, operandOf, valueComplaint } from '../query/condition.js';
import type { NamedPath } from '../query/list.columns.js';
import { leavesOf } from '../query/criterion.js';
import type { Condition, Criterion } from '../query/query.plan.js';
import { usualLimits, wildcardsIn } from '../query/condition.cost.js';
import { GroupEntry } from './group.entry.js';
import { SearchedRecords } from './searched.records.js';
import { EntryShape, SearchEntry } from './search.entry.js';

/** Limits of one search. */
export interface SearchLimits {
  /** The most values an `in` may list. Default 1,000. */
  readonly maximumInValues?: number;
  /** The most conditions a search may have, those in groups among them. Default 100. */
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

/** The operands that are text about values, and no values of the type. */
const textOperands: ReadonlySet<Operand> = new Set<Operand>(['pattern', 'text']);

/** The most groups that a condition may stand in. */
const mostNested = 5;

/** The place of an entry, and what it may be about. */
interface EntryPlace {
  /** The words that name the entry in sentences: `where 1`, or `where.0.any.1` within a group. */
  readonly label: string;
  /** The path of the entry in the body. */
  readonly path: string;
  readonly records: SearchedRecords;
  /** The number of groups around it. */
  readonly depth: number;
  /** Counts one more condition of the list. @throws BadRequest */
  readonly count: () => void;
}

/** Reads the conditions of a body: entries with `column`, `operator` and `value`, and groups of them. Made once per endpoint. */
export class WhereConditions {
  /** The most values that one condition may list. */
  readonly mostValues: number;
  readonly mostConditions: number;
  /** The records that conditions are about. */
  readonly records: SearchedRecords;
  readonly #shape: EntryShape;
  readonly #groups: GroupEntry;
  readonly #mostWildcards: number;

  /** @throws ConfigurationError for a limit that is none */
  constructor(
    private readonly source: ConditionSource,
    limits: SearchLimits,
  ) {
    const { owner, names } = source;
    this.#shape = new EntryShape(names, ['column', 'operator', 'value'], ['column', 'operator']);
    this.records = new SearchedRecords(source.columns.searchable);
    this.#groups = new GroupEntry(names, this.records.relations.size > 0);
    this.mostValues = limitOf(owner, 'maximumInValues', limits.maximumInValues ?? 1000);
    this.mostConditions = limitOf(
      owner,
      'maximumConditions',
      limits.maximumConditions ?? usualLimits.conditions,
    );
    this.#mostWildcards = limitOf(
      owner,
      'maximumWildcards',
      limits.maximumWildcards ?? usualLimits.wildcards,
    );
  }

  /**
   * @param name the name of the list as the client wrote it
   * @throws BadRequest with a sentence that names the entry by its number, within a group by its place in the body
   */
  read(name: string, entries: readonly unknown[]): readonly Criterion[] {
    const { mostConditions: most, records } = this;
    let conditions = 0;
    const count = (): void => {
      conditions += 1;
      if (conditions > most) throw new BadRequest(`'${name}' must not have more than ${most} conditions`);
    };
    const criteria = entries.map((sent, index) => {
      const [label, path] = [`${name} ${index + 1}`, `${name}.${index}`];
      return this.#criterion({ label, path, records, depth: 0, count }, sent);
    });
    if (wildcardsIn(leavesOf(criteria)) <= this.#mostWildcards) return criteria;
    throw new BadRequest(`'${name}' must not have more than ${this.#mostWildcards} wildcards`);
  }

  #criterion(place: EntryPlace, sent: unknown): Criterion {
    const { label, path, records, depth } = place;
    const group = this.#groups.read(label, sent);
    if (group === undefined) return this.#condition(place, sent);
    if (depth === mostNested)
      throw new BadRequest(`${label}: groups must not be nested more than ${mostNested} deep`);
    const { word, name, relation, members } = group;
    const related = typeof relation === 'string' ? records.relations.get(relation) : undefined;
    if (related === undefined && (word === 'some' || word === 'none'))
      throw new BadRequest(`${label}: ${name} ${allowedIn(records)}`);
    const { relations = [], records: searched = records } = related ?? {};
    // A group that asks for related records alone is as much work as a condition.
    if (members.length === 0) place.count();
    const within = members.map(({ place: member, sent: one }) => {
      const at = `${path}.${member}`;
      const inside = { label: at, path: at, records: searched, depth: depth + 1, count: place.count };
      return this.#criterion(inside, one);
    });
    return { word, relations, members: within };
  }

  #condition({ label, records, count }: EntryPlace, sent: unknown): Condition {
    count();
    const entry = new SearchEntry(label, sent, this.#shape);
    const path = entry.column(records.columns);
    const operator = entry.operator(operatorsOf(path.column));
    return conditionOf(path, operator, this.#value(entry, path, operator));
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
    if (!this.source.forcesText || !type.forcesText || textOperands.has(operandOf(operator))) return sent;
    const read = (one: unknown): unknown => (typeof one === 'string' ? type.fromText(one) : one);
    return Array.isArray(sent) ? sent.map(read) : read(sent);
  }
}

function allowedIn({ relations }: SearchedRecords): string {
  return relations.size === 0 ? 'cannot be used here' : `must be one of: ${[...relations.keys()].join(', ')}`;
}

function limitOf(owner: string, option: string, value: number): number {
  if (Number.isSafeInteger(value) && value >= 1) return value;
  throw new ConfigurationError(owner, option, `${value} is not a whole number from 1`);
}
