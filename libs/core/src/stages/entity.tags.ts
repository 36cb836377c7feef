import { createHash } from 'node:crypto';
import type { Compilation } from '../endpoint/compilation.js';
import type { Model } from '../model/model.js';
import type { SelectedColumn, Selection } from '../query/query.plan.js';
import { selectionOf } from '../query/selection.js';
import type { HeaderLines } from '../wire/answer.js';
import { RecordVersion } from './record.version.js';

/** The options that say what an answer shows of a record. */
interface ShownSource {
  readonly readableColumnNames: readonly string[];
  readonly outputMap?: unknown;
}

/** A record with its version, which is undefined where the database has none for it. */
interface Versioned<T> {
  readonly version: string | undefined;
  readonly data: T;
}

const none: HeaderLines = [];

/** How many characters of a hash stand in a tag: 128 bits and a few more. */
const hashLength = 22;

/** A version, and what may stand behind it. No version has a hyphen but the sign of a number. */
const versionOfTag = /^(-?[^-]+)(?:-[\w-]{22})?$/;

/** The version in an entity tag of ours; undefined in anybody else's. */
export function versionIn(tag: string): string | undefined {
  return versionOfTag.exec(tag)?.[1];
}

/**
 * The entity tags of an endpoint's answers: `"7"`, the version, where the answer shows nothing but columns of the
 * record, and `"7-hash"` where it shows what may change while the version does not. Made once per endpoint.
 */
export class EntityTags {
  /** What to read for an answer in text: the version, and then the record. */
  readonly framed: Selection;
  /** What to read for functions of the user's: the record, and its version under a name that no column has. */
  readonly flat: Selection;
  readonly #versionStart: number;
  readonly #gap: number;
  readonly #member: string;

  private constructor(
    { names }: Compilation,
    version: RecordVersion,
    selection: Selection,
    private readonly isWhole: boolean,
  ) {
    const { selected } = version;
    this.#member = selected.path.text;
    this.framed = [selected, { kind: 'parent', name: 'record', presence: undefined, members: selection }];
    this.flat = [...selection, { ...selected, name: this.#member }];
    this.#versionStart = `{"${names.outward(selected.name)}":`.length;
    this.#gap = `,"${names.outward('record')}":`.length;
  }

  /** Undefined for a model without versions, which has no entity tags. */
  static of(
    compilation: Compilation,
    model: Model,
    { readableColumnNames, outputMap }: ShownSource,
  ): EntityTags | undefined {
    const version = RecordVersion.of(compilation, model);
    if (version === undefined) return undefined;
    const selection = selectionOf(compilation.owner, model, readableColumnNames);
    const isWhole = outputMap === undefined && selection.every(isOwn);
    return new EntityTags(compilation, version, selection, isWhole);
  }

  /** Takes apart the text that {@link framed} is written as. A version has nothing in it that JSON would escape. */
  opened(text: string): Versioned<string> {
    const start = this.#versionStart;
    const end = text.indexOf(',', start);
    const version = text.startsWith('"', start) ? text.slice(start + 1, end - 1) : undefined;
    return { version, data: text.slice(end + this.#gap, -1) };
  }

  /** Takes the version out of a record that was read as {@link flat}. */
  parted(record: Readonly<Record<string, unknown>>): Versioned<Readonly<Record<string, unknown>>> {
    const { [this.#member]: version, ...data } = record;
    return { version: typeof version === 'string' ? version : undefined, data };
  }

  /** The header that tells the tag. @param data as it is answered */
  headers(version: string | undefined, data: string): HeaderLines {
    if (version === undefined) return none;
    const hash = this.isWhole ? '' : `-${hashOf(data)}`;
    return [['ETag', `"${version}${hash}"`]];
  }
}

/** Whether something shown is of the record itself, so that it cannot change without a new version. */
function isOwn(member: Selection[number]): boolean {
  if (member.kind === 'parent') return member.presence === undefined && member.members.every(isOwn);
  return member.kind === 'column' && isStored(member);
}

/** A formula may look at other records. */
function isStored({ path: { relations, column } }: SelectedColumn): boolean {
  return relations.length === 0 && column.property.formula === undefined;
}

function hashOf(data: string): string {
  return createHash('sha256').update(data).digest('base64url').slice(0, hashLength);
}
