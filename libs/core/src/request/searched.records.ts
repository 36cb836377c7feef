import type { Relation } from '../model/model.js';
import type { NamedPath } from '../query/list.columns.js';

/** The related records that a group of conditions may be about. */
interface SearchedRelation {
  /** The relations that lead to them: the last is to-many, those before it are to-one. */
  readonly relations: readonly Relation[];
  readonly records: SearchedRecords;
}

/** The records that conditions are about: their columns, and those of related records, by the names that clients use. */
export class SearchedRecords {
  readonly relations: ReadonlyMap<string, SearchedRelation>;

  /** @param columns of the records, with those of related ones behind the names of relations */
  constructor(readonly columns: ReadonlyMap<string, NamedPath>) {
    const leads = new Map<string, readonly Relation[]>();
    const behind = new Map<string, Map<string, NamedPath>>();
    for (const [name, named] of columns) {
      const { relations, column, text } = named.path;
      const length = relations.findIndex(({ isToMany }) => isToMany) + 1;
      if (length === 0) continue;
      const cut = (dotted: string): string => dotted.split('.').slice(length).join('.');
      const lead = name.split('.').slice(0, length).join('.');
      const far = behind.get(lead) ?? new Map<string, NamedPath>();
      const path = { text: cut(text), relations: relations.slice(length), column };
      far.set(cut(name), { name: cut(named.name), path });
      behind.set(lead, far);
      leads.set(lead, relations.slice(0, length));
    }
    const related = [...leads].map(([name, relations]): [string, SearchedRelation] => [
      name,
      { relations, records: new SearchedRecords(behind.get(name) ?? new Map<string, NamedPath>()) },
    ]);
    this.relations = new Map(related);
  }
}
