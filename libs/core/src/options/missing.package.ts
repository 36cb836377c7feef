/**
 * True for the error of `require` that says that a package is not installed.
 *
 * Jest throws one of another realm, which is no `Error` here.
 */
function saysMissing(error: unknown): boolean {
  return typeof error === 'object' && error !== null && Reflect.get(error, 'code') === 'MODULE_NOT_FOUND';
}

/** Gives what is read from a package; undefined where it is not installed. */
export function optional<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (saysMissing(error)) return undefined;
    throw error;
  }
}

/** True if a package is installed. @param require that of the module which needs it */
export function isInstalled(require: NodeJS.Require, name: string): boolean {
  return optional(() => require.resolve(name)) !== undefined;
}
