import type { ColumnPath, Model } from '../model/model.js';
import type { ReadPath, SelectedColumn, SelectedList, Selection } from './query.plan.js';

/**
 * Lists the columns that a selection reads of each record, each once: those it shows, the keys that tell if a parent is
 * there, and the keys that related records belong to.
 */
export function columnsOf(selection: Selection | SelectedColumn): ReadPath[] {
  const columns = new Map<string, ReadPath>();
  const collect = (members: Selection): void => {
    for (const member of members) {
      const path = pathOf(member);
      if (path !== undefined) columns.set(path.text, path);
      if (member.kind === 'parent') collect(member.members);
    }
  };
  collect(membersOf(selection));
  return [...columns.values()];
}

/** The models that the relations of paths lead to. */
export function parentsOf(paths: readonly ColumnPath[]): Model[] {
  return paths.flatMap(({ relations }) => relations.map(({ target }) => target()));
}

/** The lists of related records that a selection shows, those of nested parents included, of nested lists not. */
export function listsOf(selection: Selection | SelectedColumn): SelectedList[] {
  return membersOf(selection).flatMap((member) => {
    if (member.kind === 'list') return [member];
    return member.kind === 'parent' ? listsOf(member.members) : [];
  });
}

function membersOf(selection: Selection | SelectedColumn): Selection {
  return 'kind' in selection ? [selection] : selection;
}

function pathOf(member: Selection[number]): ReadPath | undefined {
  switch (member.kind) {
    case 'column':
    case 'value':
      return member.path;
    case 'parent':
      return member.presence;
    case 'list':
      return member.ownerKey;
  }
}
