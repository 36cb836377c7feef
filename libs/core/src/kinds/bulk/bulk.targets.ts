import type { KindContext } from '../../endpoint/kind.context.js';
import { typeComplaint } from '../../model/column.js';
import type { ColumnPath, Model } from '../../model/model.js';
import { requiredMessage } from '../../model/validators/required.validator.js';
import type { PlacedTarget } from '../../records/writes/bulk/bulk.writes.js';
import { namedTwice } from '../../records/writes/bulk/named.twice.js';
import { ConfigurationError } from '../../wire/configuration.error.js';
import { lookupPath } from '../record/record.lookup.js';
import type { WritePrecondition } from '../write/write.precondition.js';
import type { SentBulk, SentEntry } from './bulk.body.js';

/** A record that a client names, and what else its entry says. */
export interface NamedTarget extends PlacedTarget {
  readonly members: ReadonlyMap<string, unknown>;
  /** The complaint about how it is named; undefined when there is none. */
  readonly complaint: readonly [place: string, message: string] | undefined;
}

/** The options that say by what records are named. */
interface TargetSource {
  readonly recordLookupColumnName?: string | undefined;
  readonly transformInputTypes?: boolean | undefined;
  readonly writeableColumnNames?: readonly string[] | undefined;
}

/** Tells which records a client names: by the column that the endpoint looks records up by. Made once per endpoint. */
export class BulkTargets {
  readonly path: ColumnPath;
  /** The name of the column on the wire. */
  readonly keyName: string;
  /** The name of the version in an entry. */
  readonly versionName: string;
  readonly #versionNames: readonly string[];
  readonly #forcesText: boolean;

  /** @throws ConfigurationError when the column is not unique, and for columns with names that entries have already */
  constructor(
    context: KindContext,
    model: Model,
    source: TargetSource,
    private readonly precondition: WritePrecondition,
  ) {
    const { names, owner } = context;
    this.path = lookupPath(context, model, source.recordLookupColumnName ?? model.idColumn.name);
    this.keyName = names.outward(this.path.text);
    this.versionName = names.control('if_match');
    this.#versionNames = ['if_match', this.versionName];
    this.#forcesText = source.transformInputTypes ?? false;
    const columns = (source.writeableColumnNames ?? []).filter((name) => name !== this.path.text);
    for (const name of [this.path.text, ...columns]) {
      const outward = names.outward(name);
      if (this.#versionNames.includes(outward))
        throw this.#taken(owner, name, `'${outward}', which is the version that an entry is to have`);
      if (name !== this.path.text && outward === this.keyName)
        throw this.#taken(owner, name, `'${outward}', by which an entry names its record`);
    }
  }

  #taken(owner: string, name: string, what: string): ConfigurationError {
    const option = name === this.path.text ? 'recordLookupColumnName' : 'writeableColumnNames';
    return new ConfigurationError(owner, option, `'${name}' is called ${what}`);
  }

  /** Reads the records that entries name, each with the version that it may be in. @throws PreconditionRequired */
  *ofEntries(entries: readonly SentEntry[]): Generator<NamedTarget> {
    for (const { place, members } of entries)
      if (!this.#versionNames.some((name) => Object.hasOwn(members, name)))
        this.precondition.refuseUnnamed(place);
    const named = new Map<string, string>();
    for (const { place, members } of entries) {
      const rest = new Map(Object.entries(members));
      const value = this.#read(rest.get(this.keyName));
      rest.delete(this.keyName);
      const [version, others] = this.#version(rest);
      const key = `${place}.${this.keyName}`;
      const complaint = this.#complaint(value, place, named);
      const isText = others === 1 && typeof version === 'string';
      const expected = isText ? this.precondition.readEntry(version, place) : undefined;
      const wrong: NamedTarget['complaint'] =
        others === 0 || isText ? undefined : [`${place}.${this.versionName}`, 'value should be a string'];
      const said = complaint === undefined ? wrong : ([key, complaint] as const);
      yield { place, key, value, expected, members: rest, complaint: said };
    }
  }

  /** Reads the records that a list of keys names. @throws PreconditionRequired where versions must be named */
  *ofKeys({ list, name }: SentBulk): Generator<NamedTarget> {
    this.precondition.refuseUnnamed();
    const named = new Map<string, string>();
    const members = new Map<string, unknown>();
    for (const [index, sent] of list.entries()) {
      const place = `${name}.${index}`;
      const value = this.#read(sent);
      const problem = this.#complaint(value, place, named);
      const complaint = problem === undefined ? undefined : ([place, problem] as const);
      yield { place, key: place, value, expected: undefined, members, complaint };
    }
  }

  /** Takes the version out of an entry, and tells how many were there. */
  #version(members: Map<string, unknown>): readonly [unknown, number] {
    let version: unknown;
    let found = 0;
    for (const name of new Set(this.#versionNames))
      if (members.has(name)) {
        version = members.get(name);
        members.delete(name);
        found += 1;
      }
    return [version, found];
  }

  #read(sent: unknown): unknown {
    const { type } = this.path.column;
    return this.#forcesText && typeof sent === 'string' && type.forcesText ? type.fromText(sent) : sent;
  }

  /** @param named the places of the records that were named before, by what they are called */
  #complaint(value: unknown, place: string, named: Map<string, string>): string | undefined {
    const { column } = this.path;
    if (value === undefined || value === null) return requiredMessage(this.keyName);
    const complaint = typeComplaint(column, value);
    if (complaint !== undefined) return complaint;
    const text = column.type.keyText(column.type.toDatabase(value));
    const before = named.get(text);
    if (before !== undefined) return namedTwice(before);
    named.set(text, place);
    return undefined;
  }
}
