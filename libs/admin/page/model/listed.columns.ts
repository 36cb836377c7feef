import { frontName, type ApiOperation, type ApiSchema, type Resource } from '@nest-endpoints/client';
import type { SchemaView } from './schema.view.js';
import type { ScreenColumn } from './screen.js';
import { letters } from './words.js';

/** The most columns of a list that nobody chose. */
const most = 6;

/**
 * The columns that a list shows: those that are chosen, else the first ones that suit it.
 *
 * @throws Error for a chosen one that a list or a search does not give
 */
export function listedIn(
  view: SchemaView,
  resource: Resource,
  all: readonly ScreenColumn[],
  {
    representation,
    chosen,
  }: { readonly representation: string; readonly chosen: readonly string[] | undefined },
): readonly ScreenColumn[] {
  const names = namesInLists(view, resource);
  // A reference may stand in a list as the parent that it is the key of.
  const columns = all.filter(
    ({ name, reference }) => reference !== undefined || names === undefined || names.has(name),
  );
  if (chosen !== undefined)
    return chosen.map((name) => {
      const found = columns.find((column) => column.name === name);
      if (found === undefined)
        throw new Error(`${resource.name} has no column '${name}' that all of its lists and searches show`);
      return found;
    });
  const isShown = ({ name, sort, reference }: ScreenColumn): boolean =>
    name !== resource.key &&
    !name.includes('.') &&
    sort !== 'long' &&
    (reference !== undefined || resource.columns.get(name)?.isReadable === true);
  const [first, others] = [
    columns.filter(({ name }) => name === representation),
    columns.filter((column) => column.name !== representation && isShown(column)),
  ];
  const written = others.filter(({ isCreatable }) => isCreatable);
  return [...first, ...written, ...others.filter(({ isCreatable }) => !isCreatable)].slice(0, most);
}

/**
 * The columns that every list and search of some records shows, those of their parents among them: `country.name`. They may show less
 * than a Get. Undefined where the document does not tell.
 */
function namesInLists(view: SchemaView, resource: Resource): ReadonlySet<string> | undefined {
  const { calls } = resource;
  const [first, ...others] = [calls.list, calls.search].flatMap((call) => {
    const names = call === undefined ? [] : [...namesIn(view, recordsOf(view, call.operation))];
    return names.length === 0 ? [] : [new Set(names.map((name) => frontName(resource, name)))];
  });
  if (first === undefined) return undefined;
  return new Set([...first].filter((name) => others.every((other) => other.has(name))));
}

/** The schema of the records of an answer, in an envelope or plain. */
function recordsOf(view: SchemaView, { responses = {} }: ApiOperation): ApiSchema {
  const success = Object.entries(responses).find(([code]) => code.startsWith('2'))?.[1];
  const content = Object.entries(success?.content ?? {}).find(([type]) => /[/+]json$/.test(type))?.[1];
  const answer = view.resolved(content?.schema);
  const data = Object.entries(answer.properties ?? {}).find(([name]) => letters(name) === 'data')?.[1];
  return view.resolved((answer.items === undefined ? view.resolved(data) : answer).items);
}

function* namesIn(view: SchemaView, { properties = {} }: ApiSchema): Generator<string> {
  for (const [name, schema] of Object.entries(properties)) {
    yield name;
    for (const member of Object.keys(view.resolved(schema).properties ?? {})) yield `${name}.${member}`;
  }
}
