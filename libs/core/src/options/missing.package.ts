/**
 * True for the error of `require` that says that a package is not installed.
 *
 * Jest throws one of another realm, which is no `Error` here.
 */
export function saysMissing(error: unknown): boolean {
  return typeof error === 'object' && error !== null && Reflect.get(error, 'code') === 'MODULE_NOT_FOUND';
}
