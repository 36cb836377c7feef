import { jsonAsRead, type PartRequest } from '@nest-endpoints/core/internal';
import { isLimit } from './tool.input.js';
import type { Slot, Tool } from './tool.js';

type Arguments = Readonly<Record<string, unknown>>;

/** The reason why there is no request: an argument that is missing, or one that the tool has not. */
export class WrongArgument extends Error {}

/** Makes the request of a call. Whether its values are right, the endpoint says. */
export class ToolRequest implements PartRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string | undefined;

  /** @throws WrongArgument where the path lacks a part, for an argument that nobody would look at, and for a number that is not exact */
  constructor(
    private readonly tool: Tool,
    given: Arguments,
    maximumLimit: number,
  ) {
    const taken = tool.isPaged ? limited(tool, given, maximumLimit) : given;
    const query: [string, string][] = [];
    const headers = new Map([['accept', 'application/json']]);
    const members: [string, unknown][] = [];
    let whole: unknown;
    const path = new Map<string, string>();
    for (const [name, value] of Object.entries(taken)) {
      if (value === undefined) continue;
      const slot = this.#slotOf(name);
      if (slot.in === 'member') members.push([slot.name, value]);
      else if (slot.in === 'body') whole = value;
      else if (value !== null) {
        if (!takesRounded(slot) && isRounded(value)) throw new WrongArgument(roundedText(name));
        addTo({ path, query, headers }, slot, value);
      }
    }
    this.method = tool.route.method;
    this.path = `${pathOf(tool, path)}${searchOf(query)}`;
    this.headers = headers;
    this.body = bodyOf(tool, members, whole);
  }

  /** The place of an argument. One that the tool has not goes into the body, where there is one: its endpoint says what is wrong. */
  #slotOf(name: string): Slot {
    const { slots, hasMembers } = this.tool;
    const known = slots.get(name);
    if (known !== undefined) return known;
    if (hasMembers) return { in: 'member', name };
    // Few endpoints look at parameters that they do not know, and a precondition with a wrong name would be none.
    const allowed = slots.size === 0 ? 'none' : [...slots.keys()].join(', ');
    throw new WrongArgument(`'${name}' is unknown; allowed: ${allowed}`);
  }
}

/** True where a number need not be exact. What stands in bodies their endpoints judge themselves. */
function takesRounded(slot: Slot): boolean {
  return (slot.in === 'query' || slot.in === 'parameters') && slot.isNumber;
}

/** True if there is a whole number beyond 2^53: it may be another one that was rounded when it was read. */
function isRounded(value: unknown): boolean {
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(isRounded);
}

const roundedText = (name: string): string =>
  `'${name}' is beyond 2^53, where numbers are not exact: give it as text`;

interface Parts {
  readonly path: Map<string, string>;
  readonly query: [string, string][];
  readonly headers: Map<string, string>;
}

function addTo(
  { path, query, headers }: Parts,
  slot: Exclude<Slot, { in: 'member' | 'body' }>,
  value: unknown,
): void {
  if (slot.in === 'path') path.set(slot.name, textOf(value));
  else if (slot.in === 'header') headers.set(slot.name, headerText(value));
  else if (slot.in === 'parameters')
    for (const [name, one] of Object.entries(Object(value) as Arguments)) query.push([name, textOf(one)]);
  else query.push(...queryOf(slot, value));
}

function queryOf(
  { name, isOneText }: Extract<Slot, { in: 'query' }>,
  value: unknown,
): [name: string, text: string][] {
  if (!Array.isArray(value)) return [[name, textOf(value)]];
  const texts = value.map(textOf);
  return (isOneText ? [texts.join(',')] : texts).map((text) => [name, text]);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : jsonAsRead(value);
}

/** A line of a header: what no header can have becomes a character that is in no key and no entity tag. */
function headerText(value: unknown): string {
  return textOf(value).replaceAll(/[^\x20-\x7e]/g, '\xff');
}

function pathOf({ route }: Tool, parameters: ReadonlyMap<string, string>): string {
  return route.path.replaceAll(/\{([^}]+)\}/g, (_whole, name: string) => {
    const value = parameters.get(name);
    // An empty segment is another path.
    if (value === undefined || value === '') throw new WrongArgument(`'${name}' is required.`);
    return encodeURIComponent(value.toWellFormed());
  });
}

function searchOf(query: [string, string][]): string {
  return query.length === 0 ? '' : `?${String(new URLSearchParams(query))}`;
}

function bodyOf(
  { hasMembers, needsBody, slots }: Tool,
  members: [string, unknown][],
  whole: unknown,
): string | undefined {
  if (!hasMembers) return whole === undefined ? undefined : jsonAsRead(whole);
  const takesBody = [...slots.values()].some((slot) => slot.in === 'member' || slot.in === 'body');
  const isEmpty = members.length === 0 && whole === undefined;
  if (!takesBody || (isEmpty && !needsBody)) return undefined;
  return jsonAsRead(Object.fromEntries([...members, ...Object.entries(Object(whole) as Arguments)]));
}

/** The arguments with a limit that is not above what agents may have. */
function limited({ slots, limit }: Tool, given: Arguments, most: number): Arguments {
  const asked = Object.keys(given).filter(isLimit);
  const body: unknown = given['body'];
  const inBody = isObject(body) && slots.get('body')?.in === 'body';
  const free = [...slots].filter(([name, slot]) => slot.in === 'parameters' && isObject(given[name]));
  return {
    ...given,
    ...Object.fromEntries(free.map(([name]) => [name, cappedIn(given[name] as Arguments, most)])),
    ...(limit !== undefined && asked.length === 0 ? { [limit.name]: limit.usual } : {}),
    ...Object.fromEntries(asked.map((one) => [one, cappedAt(most, given[one])])),
    ...(inBody ? { body: cappedIn(body, most) } : {}),
  };
}

function isObject(value: unknown): value is Arguments {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function cappedIn(body: Arguments, most: number): Arguments {
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, isLimit(name) ? cappedAt(most, value) : value]),
  );
}

/** A limit in any form that an endpoint might read as a number. */
function cappedAt(most: number, value: unknown): unknown {
  // A list becomes parameters of one name.
  if (Array.isArray(value)) return value.map((one) => cappedAt(most, one));
  const number = typeof value === 'string' ? Number(value) : value;
  return typeof number === 'number' && number > most ? most : value;
}
