/**
 * Gives the reason for refusing an object of the right class that comes from another copy of the package; undefined where
 * it does not. An application with two copies cannot tell otherwise why one is not the other.
 */
export function otherCopy(
  value: unknown,
  { name }: abstract new (...parameters: never[]) => object,
): string | undefined {
  return otherCopyOf(value, [name]);
}

/** {@link otherCopy}, by the names of classes. */
export function otherCopyOf(value: unknown, names: readonly string[]): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  for (const name of classesOf(value))
    if (names.includes(name))
      return `this ${name} is of another copy of its package: \`npm ls @nest-endpoints/core\` shows where they are`;
  return undefined;
}

/** The names of the classes that an object is an instance of, its own first. */
function* classesOf(value: object): Generator<string> {
  let prototype: unknown = Object.getPrototypeOf(value);
  while (typeof prototype === 'object' && prototype !== null) {
    const { constructor } = prototype;
    if (typeof constructor === 'function') yield constructor.name;
    prototype = Object.getPrototypeOf(prototype);
  }
}
