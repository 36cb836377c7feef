/** The columns of an entity file, read from its text. */
export interface EntityColumns {
  readonly primaryKey: string;
  readonly others: readonly string[];
}

const decorated =
  /@(PrimaryKey|Property|Enum)\(((?:[^()]|\([^()]*\))*)\)\s*(?:readonly\s+)?(\w+)\s*[?!]?\s*[:=;]/g;
/** A property and all that is said of it: up to the next one, on the same line or another. */
const defined = /\b(\w+):\s*(?:\(\)\s*=>\s*)?p\.(\w+)\([\s\S]*?(?=\b\w+:\s*(?:\(\)\s*=>\s*)?p\.|$)/g;

/** Hidden columns cannot be read, and are left out; so are relations. */
export function columnsOfEntity(text: string): EntityColumns {
  const fromDecorators = [...text.matchAll(decorated)].map(([, decorator = '', options = '', name = '']) => ({
    name,
    isPrimary: decorator === 'PrimaryKey',
    isHidden: /\bhidden:\s*true/.test(options),
  }));
  const fromDefinition = [...text.matchAll(defined)].map(([said, name = '', type = '']) => ({
    name,
    isPrimary: said.includes('.primary('),
    isHidden: said.includes('.hidden(') || /^(?:manyTo|oneTo)/.test(type),
  }));
  const columns = [...fromDecorators, ...fromDefinition].filter(({ isHidden }) => !isHidden);
  return {
    primaryKey: columns.find(({ isPrimary }) => isPrimary)?.name ?? 'id',
    others: columns.filter(({ isPrimary }) => !isPrimary).map(({ name }) => name),
  };
}
