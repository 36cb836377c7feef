/** The part of a property that says where it is stored. */
interface StoredProperty {
  readonly fieldNames?: readonly string[];
  /** The columns of a relation that no other property is stored in. */
  readonly ownColumns?: readonly string[];
}

/**
 * The columns of its own table that a property is stored in; none for an inverse side, of which metadata may say nothing. A
 * relation to a record with a key of several columns shares all but the last of them with other properties.
 */
export function storedFields(property: StoredProperty): readonly string[] {
  const { fieldNames = [], ownColumns = [] } = property;
  return isShared(property) ? ownColumns : fieldNames;
}

/** The column of {@link storedFields} that stands first; the name of the property where it has none. */
export function storedField(property: StoredProperty & { readonly name: string }): string {
  return storedFields(property)[0] ?? property.name;
}

/** The type of the column that a property is stored in; of several columns that of the first. */
export function storedType(property: StoredProperty & { readonly columnTypes: readonly string[] }): string {
  return property.columnTypes.at(isShared(property) ? -1 : 0) ?? '';
}

/** True if other properties are stored in all columns of a relation but the last. */
export function isShared({ fieldNames = [], ownColumns = [] }: StoredProperty): boolean {
  return fieldNames.length > 1 && ownColumns.length === 1 && ownColumns[0] === fieldNames.at(-1);
}
