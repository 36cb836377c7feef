import { operatorsOf } from '../../model/column.js';
import { conditionOf, operandOf, valueComplaint } from '../../query/condition.js';
import type { Measure, MeasureCondition } from '../../query/groups/group.plan.js';
import type { NameTable } from '../../wire/name.table.js';
import { BadRequest } from '../../wire/refusals.js';
import { spellings } from '../search.entry.js';

const members = ['measure', 'operator', 'value'] as const;

type Member = (typeof members)[number];

/** Reads entries of `having`, each a condition on a measure. Made once per endpoint. */
export class HavingEntry {
  readonly #words: ReadonlyMap<string, Member>;
  readonly #allowed: string;

  constructor(
    names: NameTable,
    private readonly measures: ReadonlyMap<string, Measure>,
    private readonly mostValues: number,
  ) {
    this.#words = spellings(names, members);
    this.#allowed = members.map((word) => names.control(word)).join(', ');
  }

  /** @param label names the entry in sentences, e.g. `having 1` @throws BadRequest */
  read(label: string, sent: unknown): MeasureCondition {
    const refusal = (problem: string): BadRequest => new BadRequest(`${label}: ${problem}`);
    if (typeof sent !== 'object' || sent === null || Array.isArray(sent))
      throw new BadRequest(`${label} must be an object with ${this.#allowed}`);
    const given = new Map<Member, unknown>();
    for (const [name, value] of Object.entries(sent)) {
      const word = this.#words.get(name);
      if (word === undefined) throw refusal(`'${name}' is unknown; allowed: ${this.#allowed}`);
      if (given.has(word)) throw refusal(`${name} is given more than once`);
      given.set(word, value);
    }
    const measure = this.#measure(given, refusal);
    const path = { text: measure.text, relations: [], column: measure.result };
    const operators = operatorsOf(measure.result);
    const wanted = given.get('operator');
    const word = typeof wanted === 'string' ? wanted.toLowerCase() : undefined;
    const operator = operators.find((one) => one === word);
    if (operator === undefined) throw refusal(`operator must be one of: ${operators.join(', ')}`);
    if (operandOf(operator) === 'none') return { measure, ...conditionOf(path, operator, null) };
    if (!given.has('value')) throw refusal('value is missing');
    const value = given.get('value');
    if (Array.isArray(value) && value.length > this.mostValues)
      throw refusal(`value must not have more than ${this.mostValues} entries`);
    const complaint = valueComplaint(path, operator, value);
    if (complaint !== undefined) throw refusal(complaint);
    return { measure, ...conditionOf(path, operator, value) };
  }

  #measure(given: ReadonlyMap<Member, unknown>, refusal: (problem: string) => BadRequest): Measure {
    const name = given.get('measure');
    const measure = typeof name === 'string' ? this.measures.get(name) : undefined;
    if (measure !== undefined) return measure;
    throw refusal(`measure must be one of: ${[...this.measures.keys()].join(', ')}`);
  }
}
