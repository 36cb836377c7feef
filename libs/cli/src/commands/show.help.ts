import type { MountedEndpoint, OpenApiObject } from '@nest-endpoints/core/internal';
import type { Application } from '../application/application.js';
import { listedOptions } from '../command-line/command.option.js';
import { UsageError } from '../command-line/usage.error.js';
import type { Terminal } from '../output/terminal.js';
import { columnsOf, endpointsAt, partsOf, queriedOf } from '../request/operation.at.js';
import { segmentsOf } from '../request/path.words.js';
import type { CommandContext } from './command.context.js';
import { ownCommands } from './own.commands.js';
import { typeOf } from './type.words.js';

/**
 * Shows all commands and endpoints; with words, what the endpoints at this path take. Their `{parameters}` may be left as
 * they are.
 * @param isAsked false where it stands in the place of a command, which is a usage error
 */
export async function showHelp(context: CommandContext, isAsked = true): Promise<boolean> {
  const { application, line, name, output } = context;
  const segments = segmentsOf(line.words);
  if (segments.length === 0) {
    const text = overview(application, name, output);
    if (!isAsked) throw new UsageError(text.trimEnd());
    await output.write(text);
    return true;
  }
  const found = endpointsAt(application, segments);
  const below = application.endpoints.filter(({ path }) => startsWith(partsOf(path), segments));
  const own = ownCommands.get(segments[0] ?? '');
  if (found.length === 0 && below.length === 0 && own !== undefined) {
    await output.write(`${output.styled('bold', `${name} ${own.usage}`)}\n  ${own.meaning}\n`);
    return true;
  }
  if (found.length === 0 && below.length === 0)
    throw new UsageError(`There is no '${segments.join(' ')}'; --help alone lists what there is.`);
  const parts = found.map((endpoint) => helpOf(application, endpoint, name, output));
  const others = below.filter((endpoint) => !found.includes(endpoint));
  if (others.length > 0) parts.push(`${heading(output, 'Below this path')}${listOf(others)}`);
  await output.write(parts.join('\n'));
  return true;
}

function overview(application: Application, name: string, output: Terminal): string {
  const own = [...ownCommands.values()].map(({ usage, meaning }) => [usage, meaning] as const);
  return [
    `${heading(output, 'Usage')}  ${name} <path> [--key=value …]\n\n`,
    `${heading(output, 'Paths')}${listOf(application.endpoints)}\n`,
    `${heading(output, 'Other words')}${columns(own)}\n`,
    `${heading(output, 'Options')}${columns(optionLines())}\n`,
    `${name} <path> --help tells what a path takes.\n`,
  ].join('');
}

function helpOf(application: Application, endpoint: MountedEndpoint, name: string, output: Terminal): string {
  const { operation, method, path, kind, authentication, description } = endpoint;
  const flag = method === 'GET' ? '' : ` -X ${method}`;
  const words = partsOf(path).join(' ').replaceAll('{', '<').replaceAll('}', '>');
  const parameters = operation?.parameters ?? [];
  const queried = method === 'GET' ? parameters : queriedOf(application, endpoint);
  const lines = (place: 'path' | 'query'): string =>
    columns(
      (place === 'path' ? parameters : queried)
        .filter((one) => one.in === place)
        .map((one) => [
          place === 'path' ? `<${one.name}>` : `--${one.name}`,
          described(application, one.schema, one.required, one.description),
        ]),
    );
  const text = [
    `${output.styled('bold', `${name} ${words}${flag}`)}\n  ${operation?.summary ?? kind}${description === undefined ? '' : `. ${description}`}\n`,
    authentication === undefined ? '' : `  Needs --token (${authentication}).\n`,
    section(output, 'In the path', lines('path')),
    section(output, 'Parameters', lines('query')),
    section(output, 'Body', columns(bodyLines(application, endpoint))),
  ];
  return text.join('');
}

function bodyLines(application: Application, endpoint: MountedEndpoint): (readonly [string, string])[] {
  const found = columnsOf(application, endpoint);
  const { content } = Object(endpoint.operation?.requestBody) as { readonly content?: unknown };
  const { schema } = Object(Object.values(Object(content) as object)[0]) as { readonly schema?: unknown };
  const required = new Set(
    application.schemas.alternativesOf(schema).flatMap((one) => one['required'] ?? []),
  );
  return [...found].map(([name, column]) => [
    `--${name}`,
    described(application, column, required.has(name), column['description']),
  ]);
}

function described(
  application: Application,
  schema: OpenApiObject,
  isRequired: boolean,
  description: unknown,
): string {
  const words = [typeOf(application.schemas, schema), isRequired ? 'required' : undefined, description];
  return words.filter((word) => typeof word === 'string').join('; ');
}

function listOf(endpoints: readonly MountedEndpoint[]): string {
  return columns(
    endpoints.map(({ path, method, operation, kind }) => [
      `${partsOf(path).join(' ').replaceAll('{', '<').replaceAll('}', '>')}${method === 'GET' ? '' : ` -X ${method}`}`,
      operation?.summary ?? kind,
    ]),
  );
}

function optionLines(): (readonly [string, string])[] {
  return listedOptions.map(({ name, short, value, meaning }) => {
    const flag = short === undefined ? `--${name}` : `-${short}, --${name}`;
    return [value === undefined ? flag : `${flag} ${value}`, meaning];
  });
}

function columns(lines: readonly (readonly [string, string])[]): string {
  const width = Math.min(44, Math.max(0, ...lines.map(([left]) => left.length)));
  return lines.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`.trimEnd() + '\n').join('');
}

function section(output: Terminal, title: string, body: string): string {
  return body === '' ? '' : `\n${heading(output, title)}${body}`;
}

function heading(output: Terminal, text: string): string {
  return `${output.styled('bold', text)}\n`;
}

function startsWith(parts: readonly string[], segments: readonly string[]): boolean {
  return parts.length > segments.length && segments.every((segment, index) => parts[index] === segment);
}
