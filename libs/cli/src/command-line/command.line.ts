import { parseArgs } from 'node:util';
import { commandOptions, isCommandOption, listedOptions } from './command.option.js';
import { UsageError } from './usage.error.js';

/** A command as it was typed. */
export interface CommandLine {
  /** Not yet split at slashes. */
  readonly words: readonly string[];
  /** `--key=value` in their order; a key may come more than once. */
  readonly parameters: readonly (readonly [name: string, text: string])[];
  readonly data: string | undefined;
  readonly requestMethod: string | undefined;
  readonly headers: readonly string[];
  readonly token: string | undefined;
  readonly table: boolean;
  readonly follow: boolean;
  /** True to have an import keep nothing. */
  readonly dryRun: boolean;
  readonly verbose: boolean;
  readonly help: boolean;
}

type OptionConfig = Readonly<
  Record<string, { readonly type: 'string' | 'boolean'; readonly short?: string }>
>;

/**
 * Reads the words behind the program's name. Any parameter name will do, because the endpoint decides which there are.
 * Each needs a value, as `--key=value` or as the next word.
 * @throws UsageError
 */
export function readCommandLine(argv: readonly string[]): CommandLine {
  const words: string[] = [];
  const parameters: (readonly [string, string])[] = [];
  const given = new Map<string, string[]>();
  for (const token of tokensOf(argv)) {
    if (token.kind === 'positional') words.push(token.value);
    if (token.kind !== 'option') continue;
    const { name, value = '' } = token;
    if (!isCommandOption(name)) parameters.push([name, value]);
    else if (name === 'parameter') parameters.push(parameterOf(value));
    else given.set(name, [...(given.get(name) ?? []), value]);
  }
  for (const [name, values] of given)
    if (name !== 'header' && values.length > 1) throw new UsageError(`--${name} is given more than once.`);
  const line = {
    words,
    parameters,
    data: given.get('data')?.[0],
    requestMethod: given.get('request_method')?.[0],
    headers: given.get('header') ?? [],
    token: given.get('token')?.[0],
    table: given.has('table'),
    follow: given.has('follow'),
    dryRun: given.has('dry-run'),
    verbose: given.has('verbose'),
    help: given.has('help'),
  };
  if (line.table && line.follow) throw new UsageError('--table and --follow cannot be used together.');
  return line;
}

/** Every name that is none of ours is declared to be an option with a value, so that the parser judges all alike. */
function tokensOf(argv: readonly string[]) {
  const end = argv.indexOf('--');
  const named = (end === -1 ? argv : argv.slice(0, end)).flatMap(
    (word) => /^--([^=]+)/.exec(word)?.[1] ?? [],
  );
  const parameters = named.filter((name) => !isCommandOption(name));
  const own = listedOptions.map(({ name, type, short }) => [
    name,
    short === undefined ? { type } : { type, short },
  ]);
  const options = Object.fromEntries([
    ...parameters.map((name) => [name, { type: 'string', multiple: true }]),
    ...own,
  ]) as OptionConfig;
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true, tokens: true }).tokens;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function parameterOf(text: string): readonly [string, string] {
  const equals = text.indexOf('=');
  if (equals > 0) return [text.slice(0, equals), text.slice(equals + 1)];
  const { value } = commandOptions.parameter;
  throw new UsageError(`-p '${text}' is not of the form ${value}.`);
}
