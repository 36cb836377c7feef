import { Collection, Reference } from '@mikro-orm/core';
import { isEntity } from './entity.instance.js';

/** The entities that a value holds, however deep: JSON would write all that is loaded of them. */
export class HeldEntities {
  readonly #entities = new Set<object>();
  /** The objects, lists and collections on the way to them. */
  readonly #holders = new Set<unknown>();

  /** @throws TypeError for an object whose toJSON gives an entity */
  constructor(private readonly value: unknown) {
    this.#visit(value);
  }

  /** Each once. */
  get all(): readonly object[] {
    return [...this.#entities];
  }

  /** The JSON text of the value, with another text for each entity. */
  text(textOf: (entity: object) => string, json: (value: unknown) => string): string {
    const write = (given: unknown): string => {
      const value = unwrapped(given);
      if (!isObject(value)) return json(value);
      if (this.#entities.has(value)) return textOf(value);
      if (!this.#holders.has(given)) return json(value);
      if (Array.isArray(value)) return `[${value.map((item: unknown) => write(item ?? null)).join(',')}]`;
      const members = Object.entries(value).filter(([, member]) => isWritten(member));
      return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${write(member)}`).join(',')}}`;
    };
    return write(this.value);
  }

  /** True if there is an entity. What JSON cannot say, such as a cycle, is its complaint. */
  #visit(given: unknown): boolean {
    const value = unwrapped(given);
    if (!isObject(value) || value instanceof Date || ArrayBuffer.isView(value)) return false;
    // Not as a guard: all objects would be entities to the compiler.
    const isHeld: boolean = isEntity(value);
    if (isHeld) this.#entities.add(value);
    if (isHeld) return true;
    if (hasJson(value)) return this.#refuse(value.toJSON(''));
    let holds = false;
    for (const member of Array.isArray(value) ? (value as unknown[]) : Object.values(value))
      if (this.#visit(member)) holds = true;
    if (holds) this.#holders.add(given);
    return holds;
  }

  #refuse(said: unknown): false {
    if (this.#visit(said)) throw new TypeError('toJSON of an object gives an entity, which shows all of it');
    return false;
  }
}

/**
 * Gives back the value of an `outputMap`.
 *
 * @throws TypeError for one with an entity in it: JSON would write all that is loaded of it
 */
export function withoutEntities(value: unknown): unknown {
  const [entity] = new HeldEntities(value).all;
  if (entity === undefined) return value;
  const given = `outputMap gives a ${entity.constructor.name}`;
  throw new TypeError(`${given}, which would show all of it: give a plain object of what clients see`);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function hasJson(value: object): value is { toJSON(key: string): unknown } {
  return 'toJSON' in value && typeof value.toJSON === 'function';
}

/** True if JSON writes a member of an object. */
function isWritten(member: unknown): boolean {
  return member !== undefined && typeof member !== 'function' && typeof member !== 'symbol';
}

/** The entity of a reference, the items of a collection; any other value as it is. */
function unwrapped(value: unknown): unknown {
  if (value instanceof Collection) return value.getItems(false);
  return value instanceof Reference ? Reference.unwrapReference(value as never) : value;
}
