import { BadRequest, InvalidInput } from '@nest-endpoints/core';
import type { KindContext, EndpointRequest } from '@nest-endpoints/core/kinds';
import { commandNames, isCommandName, type CommandName } from './commands/command.table.js';

/** The wishes of a request. For what it leaves open, the configuration holds. */
export interface MigrationsInput {
  readonly command?: CommandName;
  readonly sql?: readonly string[];
}

type Word = 'command' | 'sql';
type Source = 'query string' | 'body';

/** A parameter under the name that the client used. */
interface Parameter {
  readonly name: string;
  readonly value: unknown;
}

/** Reads `command` and `sql` from the query string and the body of a request. */
export class MigrationsParameters {
  readonly #words: ReadonlyMap<string, Word>;

  constructor({ names }: KindContext) {
    const words: readonly Word[] = ['command', 'sql'];
    this.#words = new Map(words.flatMap((word) => [word, names.control(word)].map((name) => [name, word])));
  }

  /** @throws BadRequest for unknown and repeated parameters @throws InvalidInput for values that are not allowed */
  read(request: EndpointRequest): MigrationsInput {
    const parameters = new Map<Word, Parameter>();
    this.#collect(parameters, 'query string', request.queryParameters);
    this.#collect(parameters, 'body', request.jsonObject() ?? new Map<string, unknown>());
    const command = parameters.get('command');
    const sql = parameters.get('sql');
    return {
      ...(command === undefined ? {} : { command: commandOf(command) }),
      ...(sql === undefined ? {} : { sql: sqlOf(sql) }),
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

function commandOf({ name, value }: Parameter): CommandName {
  if (isCommandName(value)) return value;
  const received = typeof value === 'string' ? value : JSON.stringify(value);
  const problem = `Invalid command: I received '${received.slice(0, 100)}' but it must be one of ${commandNames.join(', ')}`;
  throw new InvalidInput(new Map([[name, problem]]));
}

function sqlOf({ name, value }: Parameter): readonly string[] {
  const texts: unknown = typeof value === 'string' ? [value] : value;
  if (!Array.isArray(texts) || !texts.every((text) => typeof text === 'string'))
    throw new InvalidInput(new Map([[name, 'value should be a list of strings']]));
  if (texts.every((text) => text.trim() === ''))
    throw new InvalidInput(new Map([[name, `'${name}' is required.`]]));
  return texts;
}
