import type { Selection } from './query.plan.js';

/** A set of columns of a selection: a bit for each. */
export type Units = bigint;

/** The empty set. */
export const noUnits: Units = 0n;

/** A name that stands for columns of a selection: one column, or a relation for those that it shows. */
export interface NamedUnits {
  /** The path from the record, internal: `country`, `country.name`. */
  readonly name: string;
  readonly units: Units;
}

type Member = Selection[number];

/** The columns of a selection, each of which may be shown or not. A selection of some of them is a set: it has no order. */
export class SelectionUnits {
  /** All of them. */
  readonly all: Units;
  readonly #bits = new Map<string, Units>();

  /** @param whole the selection of all of them */
  constructor(private readonly whole: Selection) {
    let bit = 1n;
    for (const name of columnsIn(whole)) {
      if (this.#bits.has(name)) continue;
      this.#bits.set(name, bit);
      bit <<= 1n;
    }
    this.all = bit - 1n;
  }

  /** The columns that a part of the whole selection shows. */
  of(part: Selection): Units {
    let units = noUnits;
    for (const name of columnsIn(part)) units |= this.#bits.get(name) ?? noUnits;
    return units;
  }

  /** The names for columns that a part of the whole selection shows, each relation before its columns. */
  named(part: Selection): readonly NamedUnits[] {
    return namesIn(part).map(([name, columns]) => ({
      name,
      units: columns.reduce((units, column) => units | (this.#bits.get(column) ?? noUnits), noUnits),
    }));
  }

  /** The part of the whole selection that shows these columns, in its order. */
  cut(units: Units): Selection {
    return this.#cut(this.whole, '', units);
  }

  #cut(members: Selection, prefix: string, units: Units): Selection {
    return members.flatMap((member): Selection => {
      const name = `${prefix}${member.name}`;
      const inner = membersOf(member);
      if (inner === undefined) return ((this.#bits.get(name) ?? noUnits) & units) === noUnits ? [] : [member];
      const shown = this.#cut(inner, `${name}.`, units);
      return shown.length === 0 ? [] : [{ ...member, members: shown } as Member];
    });
  }
}

/** The members of a nested object or of the objects of a list; undefined for a value, and for a list of bare values. */
function membersOf(member: Member): Selection | undefined {
  if (member.kind === 'parent') return member.members;
  if (member.kind !== 'list' || 'kind' in member.members) return undefined;
  return member.members;
}

/** The paths of the columns that a selection shows, in its order. */
function columnsIn(members: Selection, prefix = ''): string[] {
  return members.flatMap((member) => {
    const inner = membersOf(member);
    const name = `${prefix}${member.name}`;
    return inner === undefined ? [name] : columnsIn(inner, `${name}.`);
  });
}

/** The paths of a selection, those of nested objects included, with those of the columns that each stands for. */
function namesIn(members: Selection, prefix = ''): (readonly [name: string, columns: readonly string[]])[] {
  return members.flatMap((member) => {
    const name = `${prefix}${member.name}`;
    const inner = membersOf(member);
    if (inner === undefined) return [[name, [name]] as const];
    return [[name, columnsIn(inner, `${name}.`)] as const, ...namesIn(inner, `${name}.`)];
  });
}
