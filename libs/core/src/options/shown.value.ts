import { types } from 'node:util';

const longest = 60;

/** A value as messages show it. What is inside of objects is left out: it may be a secret. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return `'${value.length > longest ? `${value.slice(0, longest)}…` : value}'`;
  if (typeof value === 'function')
    return isClass(value) ? `the class ${nameOf(value)}` : `a function${named(value)}`;
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value !== 'object' || value === null) return String(value);
  if (types.isPromise(value)) return 'a promise, which nobody awaited';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : `a list of ${value.length}`;
  const type = classNameOf(value);
  if (type !== undefined) return `an instance of ${type}`;
  const members = Object.keys(value);
  return members.length === 0 ? 'an empty object' : `an object with ${members.slice(0, 5).join(', ')}`;
}

/** True if a function is a class. Other functions can be called without `new`. */
export function isClass(value: unknown): value is abstract new (...parameters: never[]) => object {
  return typeof value === 'function' && /^class\b/.test(Function.prototype.toString.call(value));
}

/** The class that an object is an instance of; undefined for a plain object. */
function classNameOf(value: object): string | undefined {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === null || prototype === Object.prototype) return undefined;
  const { constructor } = Object(prototype) as { readonly constructor?: unknown };
  return typeof constructor === 'function' && constructor.name !== 'Object' ? nameOf(constructor) : undefined;
}

function nameOf({ name }: { readonly name: string }): string {
  return name === '' ? 'without a name' : name;
}

function named({ name }: { readonly name: string }): string {
  return name === '' ? '' : ` '${name}'`;
}
