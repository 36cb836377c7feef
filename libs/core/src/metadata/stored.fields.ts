/** The columns of its own table that a property is stored in; none for an inverse side, of which metadata may say nothing. */
export function storedFields(property: { readonly fieldNames?: readonly string[] }): readonly string[] {
  return property.fieldNames ?? [];
}
