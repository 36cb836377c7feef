import type { StableId } from '@supabase/pg-delta';

/** Names an object for messages: `table public.city`, `column public.city.name`. */
export function objectName(id: StableId): string {
  const words: Partial<Record<StableId['kind'], string>> = {
    typeAttribute: 'attribute',
    materializedView: 'materialized view',
  };
  return `${words[id.kind] ?? id.kind} ${pathOf(id)}`;
}

function pathOf(id: StableId): string {
  switch (id.kind) {
    case 'column':
    case 'default':
    case 'constraint':
    case 'trigger':
    case 'rule':
    case 'policy':
      return `${id.schema}.${id.table}.${id.name}`;
    case 'typeAttribute':
      return `${id.schema}.${id.type}.${id.name}`;
    default:
      return ['schema' in id ? id.schema : undefined, 'name' in id ? id.name : undefined]
        .filter((part) => part !== undefined && part !== null)
        .join('.');
  }
}
