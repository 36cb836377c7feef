import type { DocumentedOperation, OpenApiObject, ParameterObject } from '@nest-endpoints/core/internal';
import type { PlainSchemas } from './plain.schema.js';
import type { ObjectSchema, Slot, Tool } from './tool.js';

/** The headers that are arguments, by their names in lower case. */
const headers: ReadonlyMap<string, string> = new Map([
  ['if-match', 'if_match'],
  ['idempotency-key', 'idempotency_key'],
]);

/** The part of a tool that is known of its arguments. */
export interface ToolInput extends Pick<Tool, 'slots' | 'hasMembers' | 'needsBody' | 'limit'> {
  readonly schema: ObjectSchema;
}

/**
 * Puts path, query and body of an operation into one object. A name that something before it has goes into `body`, where it is of
 * the body, and gets a prefix elsewhere.
 *
 * @param maximumLimit caps `limit`; undefined where the answer has no pages
 */
export function toolInputOf(
  operation: DocumentedOperation,
  schemas: PlainSchemas,
  maximumLimit: number | undefined,
): ToolInput {
  const input = new InputParts(schemas, maximumLimit);
  for (const parameter of operation.parameters) input.addParameter(parameter);
  const { required, content } = Object(operation.requestBody) as RequestBody;
  const body = content?.['application/json']?.schema;
  const needsBody = required === true;
  const hasMembers = body !== undefined && input.addBody(body, needsBody);
  const { schema, slots, limit } = input;
  return { schema, slots, hasMembers, needsBody, limit };
}

interface RequestBody {
  readonly required?: boolean;
  readonly content?: Readonly<Record<string, { readonly schema?: unknown }>>;
}

class InputParts {
  readonly slots = new Map<string, Slot>();
  limit: Tool['limit'];
  readonly #properties = new Map<string, OpenApiObject>();
  readonly #required = new Set<string>();

  constructor(
    private readonly schemas: PlainSchemas,
    private readonly maximumLimit: number | undefined,
  ) {}

  get schema(): ObjectSchema {
    const required = [...this.#required];
    return {
      type: 'object',
      properties: Object.fromEntries(this.#properties),
      ...(required.length === 0 ? {} : { required }),
      additionalProperties: false,
    };
  }

  addParameter({ in: place, name, schema, description, required, explode }: ParameterObject): void {
    // Agents are answered in JSON alone.
    if (Object.hasOwn(Object(schema) as object, 'x-media-type')) return;
    const plain = this.schemas.plain(description === undefined ? schema : { description, ...schema });
    if (place === 'header') {
      const known = headers.get(name.toLowerCase());
      if (known !== undefined) this.#add(known, { in: 'header', name: name.toLowerCase() }, plain, required);
    } else if (place === 'path') this.#add(name, { in: 'path', name }, plain, true);
    else if (plain['type'] === 'object' && 'additionalProperties' in plain)
      this.#add(
        name,
        { in: 'parameters', isNumber: allowsNumber(plain['additionalProperties']) },
        plain,
        false,
      );
    else {
      const isNumber = allowsNumber(plain);
      this.#add(name, { in: 'query', name, isOneText: explode === false, isNumber }, plain, required);
    }
  }

  /** @returns true if its members are arguments */
  addBody(schema: unknown, isRequired: boolean): boolean {
    const plain = this.schemas.plain(schema);
    const members = membersOf(plain);
    if (members === undefined) {
      this.#add('body', { in: 'body' }, plain, isRequired);
      return false;
    }
    const required = new Set((plain['required'] ?? []) as readonly string[]);
    const isNeeded = (name: string): boolean => isRequired && required.has(name);
    const colliding: (readonly [string, OpenApiObject])[] = [];
    for (const [name, member] of members)
      if (this.slots.has(name) || name === 'body') colliding.push([name, member]);
      else this.#add(name, { in: 'member', name }, member, isNeeded(name));
    if (colliding.length === 0) return true;
    const needed = colliding.map(([name]) => name).filter(isNeeded);
    const body: OpenApiObject = {
      type: 'object',
      properties: Object.fromEntries(colliding),
      ...(needed.length === 0 ? {} : { required: needed }),
    };
    this.#add('body', { in: 'body' }, body, needed.length > 0);
    return true;
  }

  #add(name: string, slot: Slot, schema: OpenApiObject, isRequired: boolean): void {
    const free = this.slots.has(name) ? `${slot.in}_${name}` : name;
    this.slots.set(free, slot);
    this.#properties.set(free, this.#capped(free, schema));
    if (isRequired) this.#required.add(free);
  }

  #capped(name: string, schema: OpenApiObject): OpenApiObject {
    const { maximumLimit: most } = this;
    if (most === undefined || !isLimit(name) || schema['type'] !== 'integer') return schema;
    const { maximum: largest = most, default: given = most } = schema;
    const maximum = Math.min(Number(largest), most);
    const usual = Math.min(Number(given), maximum);
    this.limit = { name, usual };
    return { ...schema, maximum, default: usual };
  }
}

/** True if an argument says how many records a page has, in any casing. */
export function isLimit(name: string): boolean {
  return name.toLowerCase() === 'limit';
}

/** True for a number, or a list of such; whole numbers are none here. */
function allowsNumber(schema: unknown): boolean {
  const {
    type,
    items,
    anyOf = [],
    oneOf = [],
  } = Object(schema) as {
    readonly type?: unknown;
    readonly items?: unknown;
    readonly anyOf?: readonly unknown[];
    readonly oneOf?: readonly unknown[];
  };
  return (
    type === 'number' || (type === 'array' && allowsNumber(items)) || [...anyOf, ...oneOf].some(allowsNumber)
  );
}

/** The members of a body that is a plain object; undefined for any other. */
function membersOf(schema: OpenApiObject): readonly (readonly [string, OpenApiObject])[] | undefined {
  const { type, properties, additionalProperties } = schema;
  const isOpen = additionalProperties !== undefined && additionalProperties !== false;
  const isChoice = ['anyOf', 'oneOf', 'allOf', 'if', 'patternProperties'].some((word) =>
    Object.hasOwn(schema, word),
  );
  if (type !== 'object' || properties === undefined || isOpen || isChoice) return undefined;
  return Object.entries(properties as Readonly<Record<string, OpenApiObject>>);
}
