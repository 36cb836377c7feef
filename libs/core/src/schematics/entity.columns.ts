/** The columns of an entity file, read from its text. */
export interface EntityColumns {
  readonly primaryKey: string;
  readonly others: readonly string[];
}

const decorated =
  /@(PrimaryKey|Property|Enum)\(((?:[^()]|\([^()]*\))*)\)\s*(?:readonly\s+)?(\w+)\s*[?!]?\s*[:=;]/g;
const defined = /^\s+(\w+):\s*p\.(?!manyTo|oneTo)\w+\(.*$/gm;

/** Hidden columns cannot be read, and are left out; so are relations. */
export function columnsOfEntity(text: string): EntityColumns {
  const fromDecorators = [...text.matchAll(decorated)].map(([, decorator = '', options = '', name = '']) => ({
    name,
    isPrimary: decorator === 'PrimaryKey',
    isHidden: /\bhidden:\s*true/.test(options),
  }));
  const fromDefinition = [...text.matchAll(defined)].map(([line, name = '']) => ({
    name,
    isPrimary: line.includes('.primary('),
    isHidden: line.includes('.hidden('),
  }));
  const columns = [...fromDecorators, ...fromDefinition].filter(({ isHidden }) => !isHidden);
  return {
    primaryKey: columns.find(({ isPrimary }) => isPrimary)?.name ?? 'id',
    others: columns.filter(({ isPrimary }) => !isPrimary).map(({ name }) => name),
  };
}
