/** The name of a tool: the id of an operation in snake_case, `list_cities`. */
export function toolNameOf(operationId: string): string {
  return operationId
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, '_')
    .replaceAll(/^_+|_+$/g, '');
}
