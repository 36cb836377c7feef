/** One of our own options; every other `--name` is a parameter of the endpoint. */
interface CommandOption {
  readonly type: 'string' | 'boolean';
  readonly short?: string;
  readonly multiple?: boolean;
  /** The name of its value in the help text; undefined for a switch. */
  readonly value?: string;
  readonly meaning: string;
}

/** Our own options, in the order in which the help text shows them. */
export const commandOptions = {
  data: {
    type: 'string',
    short: 'd',
    value: 'JSON',
    meaning: 'the request body; - reads it from standard input, @file from a file: JSON, CSV or NDJSON',
  },
  request_method: {
    type: 'string',
    short: 'X',
    value: 'METHOD',
    meaning: 'default GET, and POST with a body from -d or standard input',
  },
  header: {
    type: 'string',
    short: 'H',
    multiple: true,
    value: "'Name: value'",
    meaning: 'a request header; may be repeated',
  },
  token: {
    type: 'string',
    value: 'TOKEN',
    meaning: 'sent as a bearer token; default the environment variable TOKEN',
  },
  parameter: {
    type: 'string',
    short: 'p',
    multiple: true,
    value: 'name=value',
    meaning: 'the same as --name=value, for names that are options here',
  },
  table: { type: 'boolean', meaning: 'shows records as a table' },
  follow: { type: 'boolean', meaning: 'walks all pages of a list, a line of JSON for each record' },
  'dry-run': { type: 'boolean', meaning: 'has an import tell what it would do, and keep nothing' },
  verbose: { type: 'boolean', meaning: 'shows what the application logs, and the stack of what fails' },
  help: { type: 'boolean', short: 'h', meaning: 'what there is, or what a path takes' },
} as const satisfies Record<string, CommandOption>;

export type CommandOptionName = keyof typeof commandOptions;

/** True if a name is one of our own options. */
export function isCommandOption(name: string): name is CommandOptionName {
  return Object.hasOwn(commandOptions, name);
}

/** {@link commandOptions} without what a name alone cannot tell, for those who look at all of them. */
export const listedOptions: readonly (CommandOption & { readonly name: string })[] = Object.entries(
  commandOptions,
).map(([name, option]) => ({ name, ...option }));
