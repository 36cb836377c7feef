/** Reads an object's own property. A name that every object inherits (`toString`, `constructor`) is not in a token. */
export function own(object: object, name: string): unknown {
  return Object.hasOwn(object, name) ? (Reflect.get(object, name) as unknown) : undefined;
}
