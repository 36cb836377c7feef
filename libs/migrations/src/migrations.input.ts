import { BadRequest, InvalidInput } from '@nest-endpoints/core';
import type { KindContext, EndpointRequest } from '@nest-endpoints/core/kinds';
import {
  commandNames,
  isCommandName,
  isSchemaCommand,
  schemaCommands,
  type CommandName,
  type SchemaCommandName,
} from './commands/command.table.js';

/** The wishes of a request. For what it leaves open, the configuration holds. */
export interface MigrationsInput {
  readonly command?: CommandName | SchemaCommandName;
  readonly sql?: readonly string[];
  /** Names and patterns of schemas of tenants. */
  readonly schemas?: readonly string[];
}

type Word = 'command' | 'sql' | 'schemas';
type Source = 'query string' | 'body';

/** A parameter under the name that the client used. */
interface Parameter {
  readonly name: string;
  readonly value: unknown;
}

/** Reads `command`, `sql` and, where tenants have schemas, `schemas` from the query string and the body of a request. */
export class MigrationsParameters {
  readonly #words: ReadonlyMap<string, Word>;

  constructor(
    { names }: KindContext,
    private readonly hasTenants: boolean,
  ) {
    const words: readonly Word[] = hasTenants ? ['command', 'sql', 'schemas'] : ['command', 'sql'];
    this.#words = new Map(words.flatMap((word) => [word, names.control(word)].map((name) => [name, word])));
  }

  /** @throws BadRequest for unknown and repeated parameters @throws InvalidInput for values that are not allowed */
  read(request: EndpointRequest): MigrationsInput {
    const parameters = new Map<Word, Parameter>();
    this.#collect(parameters, 'query string', request.queryParameters);
    this.#collect(parameters, 'body', request.jsonObject() ?? new Map<string, unknown>());
    const command = parameters.get('command');
    const sql = parameters.get('sql');
    const schemas = parameters.get('schemas');
    return {
      ...(command === undefined ? {} : { command: commandOf(command, this.hasTenants) }),
      ...(sql === undefined ? {} : { sql: sqlOf(sql) }),
      ...(schemas === undefined ? {} : { schemas: schemasOf(schemas) }),
    };
  }

  #collect(parameters: Map<Word, Parameter>, source: Source, entries: ReadonlyMap<string, unknown>): void {
    for (const [name, value] of entries) {
      const word = this.#words.get(name);
      if (word === undefined) throw new BadRequest(`Unknown parameter '${name}' in the ${source}`);
      if (parameters.has(word))
        throw new BadRequest(`'${name}' is given in both the body and the query string`);
      parameters.set(word, { name, value });
    }
  }
}

function commandOf({ name, value }: Parameter, hasTenants: boolean): CommandName | SchemaCommandName {
  if (isCommandName(value) || (hasTenants && isSchemaCommand(value))) return value;
  const received = typeof value === 'string' ? value : JSON.stringify(value);
  const problem = `Invalid command: I received '${received.slice(0, 100)}' but it must be one of ${namesOfCommands(hasTenants).join(', ')}`;
  throw new InvalidInput(new Map([[name, problem]]));
}

/** The names of the commands that there are. */
export function namesOfCommands(hasTenants: boolean): readonly string[] {
  return hasTenants ? [...commandNames, ...schemaCommands] : commandNames;
}

/** Names in a list, or in a text with commas between them. */
function schemasOf({ name, value }: Parameter): readonly string[] {
  const texts: unknown = typeof value === 'string' ? value.split(',').map((one) => one.trim()) : value;
  if (!Array.isArray(texts) || texts.length === 0 || !texts.every((text) => typeof text === 'string'))
    throw new InvalidInput(new Map([[name, 'value should be a list of names of schemas']]));
  return texts;
}

function sqlOf({ name, value }: Parameter): readonly string[] {
  const texts: unknown = typeof value === 'string' ? [value] : value;
  if (!Array.isArray(texts) || !texts.every((text) => typeof text === 'string'))
    throw new InvalidInput(new Map([[name, 'value should be a list of strings']]));
  if (texts.every((text) => text.trim() === ''))
    throw new InvalidInput(new Map([[name, `'${name}' is required.`]]));
  return texts;
}
