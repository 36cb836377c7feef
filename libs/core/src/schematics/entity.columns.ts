import { memberTexts, type MemberText } from './member.texts.js';

/** The columns of an entity file, read from its text. */
export interface EntityColumns {
  readonly primaryKey: string;
  readonly others: readonly string[];
  /** The others that clients may set. */
  readonly writeable: readonly string[];
}

/** Gives the name of the primary key of an entity, by its name. */
export type PrimaryKeyOf = (entity: string) => string;

const parentName = /ToOne\(\s*(?:\{[^}]*?\bentity:\s*)?(?:\(\)\s*=>\s*)?['"]?(\w+)/;

/**
 * Reads the columns: hidden ones and lists of related records are left out, and a parent is the column of its key.
 *
 * @param keyOf the primary key of a parent
 */
export function columnsOfEntity(text: string, keyOf: PrimaryKeyOf = () => 'id'): EntityColumns {
  const columns = memberTexts(text)
    .filter(isShown)
    .map((member) => ({ ...member, column: columnOf(member, keyOf) }));
  const primary = columns.find(isPrimary);
  const others = columns.filter((one) => one !== primary);
  return {
    primaryKey: primary?.column ?? 'id',
    others: others.map(({ column }) => column),
    writeable: others.filter(isWriteable).map(({ column }) => column),
  };
}

function isShown({ kind, said }: MemberText): boolean {
  if (/\bhidden:\s*true|\.hidden\(/.test(said) || kind === 'manyToMany' || kind === 'oneToMany') return false;
  // The other side has the key.
  return kind !== 'oneToOne' || !/\bmappedBy\b/.test(said);
}

function isPrimary({ kind, said }: MemberText): boolean {
  return kind === 'primaryKey' || /\.primary\(|\bprimary:\s*true/.test(said);
}

/** The service sets instants of a creation or a change; the database sets versions and what it computes. */
function isWriteable({ kind, said }: MemberText): boolean {
  if (kind === 'formula' || kind === 'datetime')
    return kind === 'datetime' && !/\bon(?:Create|Update)\b/.test(said);
  if (/\bversion:\s*true|\.version\(|\bgenerated\b|\bformula\b/.test(said)) return false;
  const isInstant = /\bDate\b|['"](?:datetime|timestamp)/.test(said);
  return !(isInstant && /\bon(?:Create|Update)\b/.test(said));
}

/** The column of a parent's key is named after both: `countryCode`, `home_town_id`. */
function columnOf({ name, kind, said }: MemberText, keyOf: PrimaryKeyOf): string {
  if (kind !== 'manyToOne' && kind !== 'oneToOne') return name;
  const [, parent = ''] = parentName.exec(said) ?? [];
  const key = keyOf(parent);
  return name.includes('_') ? `${name}_${key}` : `${name}${key.charAt(0).toUpperCase()}${key.slice(1)}`;
}
