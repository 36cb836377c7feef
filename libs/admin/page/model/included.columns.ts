import type { Resource, ResourceCall } from '@nest-endpoints/client';
import type { SchemaView } from './schema.view.js';
import type { IncludedColumns } from './screen.js';
import { letters } from './words.js';

/**
 * The columns that screens have to ask for, because nobody is shown them otherwise.
 * @param listed the columns of lists
 * @param trash the records of the trash, whose list shows the same columns
 */
export function includedColumns(
  view: SchemaView,
  { calls }: Resource,
  { listed, representation }: { readonly listed: readonly string[]; readonly representation: string },
  trash: Resource | undefined,
): IncludedColumns {
  const inLists = [calls.list, calls.search];
  return {
    one: includable(view, [calls.get]),
    listed: among(includable(view, inLists), [...listed, representation]),
    many: among(includable(view, [...inLists, calls.get]), [representation]),
    deleted: among(includable(view, [trash?.calls.list, trash?.calls.search]), listed),
  };
}

/** The key of a parent is included under the name that the parent has there: `country.code` for `country_code`. */
function among(names: readonly string[], wanted: readonly string[]): readonly string[] {
  return names.filter((name) => wanted.some((one) => letters(one) === letters(name)));
}

/** The columns that all of these operations show to whoever asks for them. */
function includable(view: SchemaView, calls: readonly (ResourceCall | undefined)[]): readonly string[] {
  const [first = [], ...others] = calls.flatMap((call) =>
    call === undefined ? [] : [includableOf(view, call)],
  );
  return first.filter((name) => others.every((names) => names.includes(name)));
}

/** A list with a body reads the body alone. */
function includableOf(view: SchemaView, { operation }: ResourceCall): readonly string[] {
  const { parameters = [], requestBody } = operation;
  const body = Object.entries(requestBody?.content ?? {}).find(([type]) => /[/+]json$/.test(type))?.[1];
  const known = [
    ...parameters.filter((one) => one.in === 'query').map(({ name, schema }) => [name, schema] as const),
    ...Object.entries(view.resolved(body?.schema).properties ?? {}),
  ];
  const include = known.find(([name]) => letters(name) === 'include')?.[1];
  const { enum: names = [] } = view.resolved(view.resolved(include).items);
  return names.filter((name) => typeof name === 'string');
}
