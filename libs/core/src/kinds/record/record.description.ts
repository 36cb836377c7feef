import type { KindContext } from '../../endpoint/kind.context.js';
import type { EndpointOptions } from '../../endpoint/options/endpoint.options.js';
import type { EnvelopedAnswer, HeaderDescription } from '../../endpoint/description/operation.description.js';
import { refusesEmpty, textualSchema, writtenSchema } from '../../model/column.schema.js';
import { sampleRecord } from '../../model/samples/sample.record.js';
import { NamedSchema, type JsonSchema } from '../../model/json.schema.js';
import type { Column } from '../../model/column.js';
import { jsonSchemaOf } from '../../metadata/schema.source.js';
import type { Model } from '../../model/model.js';
import { casingSuffixes } from '../../wire/casing.js';
import type { Selection } from '../../query/query.plan.js';
import { selectionSchema } from '../../query/selection.schema.js';
import type { Outcome } from '../../wire/outcome.table.js';
import type { RecordLookup } from './record.lookup.js';
import type { RecordOutput } from './record.output.js';
import type { SelectableOutput } from './selectable.output.js';

/** The options that say what a record shows. */
interface ShownSource {
  readonly outputSchema?: EndpointOptions['outputSchema'] | undefined;
  readonly outputMap?: unknown;
}

/** Words for what an endpoint's records are in documents: one name per model and casing. */
export function subjectOf(context: KindContext, { meta }: Model): string {
  return `${meta.className}${casingSuffix(context)}`;
}

/** The word that tells things of one casing from those of another; nothing for the contract's own. */
export function casingSuffix({ settings: { externalCasing } }: Pick<KindContext, 'settings'>): string {
  return casingSuffixes[externalCasing];
}

const entityTag: HeaderDescription = { description: 'The version of the record.' };

/**
 * An answer with one record.
 * @param isSelectable whether clients select what is shown
 */
export function shownAnswer(
  context: KindContext,
  model: Model,
  { shown, isTagged }: Pick<RecordOutput, 'shown' | 'isTagged'>,
  source: ShownSource,
  isSelectable = false,
): EnvelopedAnswer {
  const name = `${subjectOf(context, model)}${isSelectable ? 'Selection' : ''}Answer`;
  const headers = isTagged ? { headers: { ETag: entityTag } } : {};
  const data = shownRecord(context, model, shown, source, isSelectable);
  return { kind: 'envelope', name, data, ...headers };
}

/**
 * A record as the endpoint shows it.
 * @param isSelectable whether clients select what is shown, so that every member may be left out
 */
export function shownRecord(
  context: KindContext,
  model: Model,
  shown: Selection,
  { outputSchema, outputMap }: ShownSource,
  isSelectable = false,
): JsonSchema {
  if (outputSchema !== undefined) return jsonSchemaOf(outputSchema, 'output');
  if (outputMap !== undefined) return {};
  const schema = selectionSchema(shown, context.names, (other) => context.hides(other), isSelectable);
  const name = subjectOf(context, model);
  return { $ref: new NamedSchema(isSelectable ? `${name}Selection` : name, schema) };
}

/** The parameters by which clients select what is shown; none where they do not. */
export function selectionParameters({
  isSelectable,
  schemas,
}: Pick<SelectableOutput<object>, 'isSelectable' | 'schemas'>): {
  readonly queryParameters?: Readonly<Record<string, JsonSchema>>;
  readonly listParameters?: readonly string[];
} {
  return isSelectable ? { queryParameters: schemas, listParameters: Object.keys(schemas) } : {};
}

/** The options that say what a client writes. */
interface WrittenSource {
  readonly writeableColumnNames: readonly string[];
  readonly transformInputTypes?: boolean | undefined;
}

/**
 * The body of a write.
 * @param partial whether columns may be left out that must not be empty
 * @param given columns whose values come from elsewhere, so that the body needs not name them
 */
export function writtenRecord(
  context: KindContext,
  model: Model,
  { writeableColumnNames, transformInputTypes = false }: WrittenSource,
  { partial, given = [] }: { readonly partial: boolean; readonly given?: readonly string[] },
): JsonSchema {
  const { names } = context;
  const columns = writeableColumnNames.flatMap((name) => model.columns.get(name) ?? []);
  const said = new Set([...given, ...context.ownColumns(model).map(({ column }) => column.name)]);
  const isRequired = (column: Column): boolean => !partial && !said.has(column.name) && refusesEmpty(column);
  const properties = columns.map((column) => [
    names.outward(column.name),
    writtenSchema(column, transformInputTypes),
  ]);
  // What comes from elsewhere may only be sent as it is there, which nobody knows here.
  const free = columns.filter(({ name }) => !said.has(name));
  const sample = sampleRecord(free, isRequired);
  const outward = Object.entries(sample ?? {}).map(([name, value]) => [names.outward(name), value]);
  return {
    type: 'object',
    ...(sample === undefined ? {} : { examples: [Object.fromEntries(outward)] }),
    properties: Object.fromEntries(properties) as Record<string, JsonSchema>,
    required: columns.filter(isRequired).map(({ name }) => names.outward(name)),
    additionalProperties: false,
  };
}

/** The path parameter by which a record is looked up. */
export function lookupParameter({ path: { column } }: RecordLookup): Record<string, JsonSchema> {
  return { [column.name]: textualSchema(column) };
}

/** Vowels that are spoken as consonants: User, European, OneTimeCode, Url. */
const consonant =
  /^(?:[Ee][uw]|[Oo]n(?:e(?![a-z])|ce)|[Uu](?:ni(?![mn])|s[aeiu]|t[aeio]|r[aeil]|b[ei]|k|uid|[^a-z]))/;

/** Consonants that are not spoken. */
const silent = /^[Hh](?:our|onou?r|onest|eir)/;

/** `a City`, `an Author`, `a User`. */
export function one({ meta: { className } }: Model): string {
  const isVowel = silent.test(className) || (/^[AEIOU]/i.test(className) && !consonant.test(className));
  return `${isVowel ? 'an' : 'a'} ${className}`;
}

/** Lists the outcomes of a look-up, beside success. */
export function lookupRefusals({
  transformInputTypes,
}: {
  readonly transformInputTypes?: boolean;
}): readonly Outcome[] {
  return transformInputTypes === true ? ['notFound', 'invalidInput'] : ['notFound'];
}

/** True if `where` or `joins` call functions. */
export function asksCallables({
  where = [],
  joins = [],
}: {
  readonly where?: readonly unknown[];
  readonly joins?: readonly unknown[];
}): boolean {
  return [...where, ...joins].some((entry) => typeof entry === 'function');
}
