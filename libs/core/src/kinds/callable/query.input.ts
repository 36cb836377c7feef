import { inputSchemaOf, type InputSchemaSource } from '../../request/schemas/input.schema.js';
import { parameterForms, type ParameterForm } from '../../request/schemas/listed.names.js';
import type { InputSchema, SchemaReading } from '../../request/schemas/schema.reading.js';
import type { SchemaSource } from '../../metadata/schema.source.js';

type Lists = ReadonlyMap<string, readonly string[]>;
type Members = Readonly<Record<string, unknown>>;

/** Hands the parameters of a query string to a schema: lists where it takes them, the last value elsewhere. */
export class QueryInput {
  readonly #schema: InputSchema;
  readonly #formOf: ((name: string) => ParameterForm) | undefined;

  /**
   * @param taken names that the schema does not get
   * @throws ConfigurationError for what is no schema
   */
  constructor(
    owner: string,
    source: InputSchemaSource,
    private readonly taken: ReadonlySet<string>,
  ) {
    // All that comes in a query string is text.
    this.#schema = inputSchemaOf(owner, 'querySchema', source, true);
    this.#formOf = parameterForms(source as SchemaSource);
  }

  /** @param forced makes values of texts, by their names */
  async read(sent: Lists, forced: (members: Members) => Members): Promise<SchemaReading> {
    const formOf = this.#formOf;
    const lists = this.taken.size === 0 ? sent : new Map([...sent].filter(([name]) => !this.taken.has(name)));
    const read = (form: (name: string) => ParameterForm): Promise<SchemaReading> =>
      this.#schema.read(forced(membersOf(lists, form)));
    if (formOf !== undefined) return read(formOf);
    // A schema that does not tell what it takes is tried: with the last values, then with lists of what it refuses.
    const reading = await read(() => 'last');
    if ('value' in reading) return reading;
    const refused = new Set([...reading.complaints.keys()].map((name) => name.split('.', 1)[0]));
    const other = await read((name) => (refused.has(name) ? 'list' : 'last'));
    return 'value' in other ? other : reading;
  }
}

function membersOf(lists: Lists, formOf: (name: string) => ParameterForm): Members {
  return Object.fromEntries(
    [...lists].map(([name, values]): [string, unknown] => {
      const form = formOf(name);
      const isList = form === 'list' || (form === 'either' && values.length > 1);
      return [name, isList ? values : values.at(-1)];
    }),
  );
}
