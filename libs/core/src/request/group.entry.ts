import type { ConditionGroup } from '../query/query.plan.js';
import type { NameTable } from '../wire/name.table.js';
import { BadRequest } from '../wire/refusals.js';
import { spellings } from './search.entry.js';

/** A word of a group, which is a member of its entry. */
type GroupWord = ConditionGroup['word'];

const words = ['any', 'all', 'not', 'some', 'none'] as const satisfies readonly GroupWord[];

interface Member {
  /** The name as the client wrote it. */
  readonly name: string;
  readonly value: unknown;
}

/** An entry that is a group of others, as it came. */
interface SentGroup {
  readonly word: GroupWord;
  /** The word as the client wrote it. */
  readonly name: string;
  /** The name of related records, as it came; undefined where the group is about none. */
  readonly relation: unknown;
  /** The entries, each with its place in the entry. */
  readonly members: readonly { readonly place: string; readonly sent: unknown }[];
}

/** Reads entries of `where` that are groups. Made once per endpoint. */
export class GroupEntry {
  readonly #words: ReadonlyMap<string, GroupWord>;

  /** @param hasRelated whether there are related records that a group can be about */
  constructor(
    private readonly names: NameTable,
    hasRelated: boolean,
  ) {
    this.#words = spellings(names, hasRelated ? words : words.slice(0, 3));
  }

  /** Undefined for an entry that is none. @param label names the entry in sentences @throws BadRequest */
  read(label: string, sent: unknown): SentGroup | undefined {
    if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return undefined;
    const members = new Map<GroupWord, Member>();
    const others: string[] = [];
    for (const [name, value] of Object.entries(sent)) {
      const word = this.#words.get(name);
      if (word === undefined) others.push(name);
      else if (members.has(word)) throw new BadRequest(`${label}: ${name} is given more than once`);
      else members.set(word, { name, value });
    }
    if (members.size === 0) return undefined;
    const related = members.has('some') ? 'some' : 'none';
    const word = members.has(related) ? related : ([...members.keys()][0] ?? 'all');
    const { name = word, value } = members.get(word) ?? {};
    const isRelated = word === related;
    for (const [beside, member] of members)
      if (beside !== word && !(isRelated && beside === 'all')) others.push(member.name);
    if (others[0] !== undefined) throw new BadRequest(`${label}: '${others[0]}' cannot stand beside ${name}`);
    if (!isRelated) return { word, name, relation: undefined, members: listed(label, word, { name, value }) };
    const all = members.get('all');
    if (all === undefined) throw new BadRequest(`${label}: ${this.names.control('all')} is missing`);
    return { word, name, relation: value, members: listed(label, word, all) };
  }
}

/** The entries of a group. One about related records may ask nothing of them but that they are there. */
function listed(label: string, word: GroupWord, { name, value }: Member): SentGroup['members'] {
  if (word === 'not') return [{ place: name, sent: value }];
  if (!Array.isArray(value)) throw new BadRequest(`${label}: ${name} must be a list`);
  if (value.length === 0 && (word === 'any' || word === 'all'))
    throw new BadRequest(`${label}: ${name} must have at least one entry`);
  return value.map((sent: unknown, index) => ({ place: `${name}.${index}`, sent }));
}
