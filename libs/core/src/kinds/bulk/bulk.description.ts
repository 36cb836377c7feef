import type { KindContext } from '../../endpoint/kind.context.js';
import type { BodyDescription, EnvelopedAnswer } from '../../endpoint/description/operation.description.js';
import { termSchema } from '../../model/column.schema.js';
import { NamedSchema, type JsonSchema } from '../../model/json.schema.js';
import type { ColumnPath, Model } from '../../model/model.js';
import type { Outcome } from '../../wire/outcome.table.js';
import { subjectOf, writtenRecord } from '../record/record.description.js';
import type { BulkConditions } from './bulk.conditions.js';
import { usualRecords, type BulkShown } from './bulk.options.js';
import type { BulkOutput } from './bulk.output.js';
import type { BulkTargets } from './bulk.targets.js';

/** An object with these members, and no others. */
export function objectOf(
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[] = Object.keys(properties),
): JsonSchema {
  return { type: 'object', properties, required: [...required], additionalProperties: false };
}

/** A list with at least one entry. */
export function entriesOf(items: JsonSchema, maxItems: number): JsonSchema {
  return { type: 'array', items, minItems: 1, maxItems };
}

/** The schema of what a client calls a record by. */
function keySchema({ column }: ColumnPath, forcesText = false): JsonSchema {
  return termSchema(column, forcesText);
}

/**
 * The answer with many records, or with what they are called by.
 * @param isSelectable whether clients select what is shown
 */
export function listedAnswer(
  context: KindContext,
  model: Model,
  output: BulkOutput,
  { answer = 'records' }: { readonly answer?: BulkShown | undefined },
  isSelectable = false,
): EnvelopedAnswer {
  const records = isSelectable ? 'SelectionRecords' : 'Records';
  const name = `${subjectOf(context, model)}${answer === 'ids' ? 'Ids' : records}`;
  return { kind: 'envelope', name, data: output.schema(isSelectable) };
}

/** A body that documents know by a name. */
export function namedBody(
  name: string,
  schema: JsonSchema,
): { readonly schema: JsonSchema; readonly isRequired: true } {
  return { schema: { $ref: new NamedSchema(name, schema) }, isRequired: true };
}

/** The parts that say how a body names records. */
interface TargetParts {
  readonly targets: BulkTargets;
  readonly conditions: BulkConditions | undefined;
  readonly options: {
    readonly maximumRecords?: number | undefined;
    readonly preconditionRequired?: boolean | undefined;
    readonly transformInputTypes?: boolean | undefined;
  };
}

/** The body of an UpdateMany: one of its forms. */
export function updateBody(
  context: KindContext,
  model: Model,
  {
    options,
    ...parts
  }: TargetParts & { readonly options: Parameters<typeof writtenRecord>[2] & TargetParts['options'] },
): BodyDescription {
  const { names } = context;
  const subject = subjectOf(context, model);
  const written = writtenRecord(context, model, options, { partial: true });
  const changes = { [names.control('changes')]: { $ref: new NamedSchema(`${subject}Update`, written) } };
  const forms = formsOf(context, { options, ...parts }, written.properties ?? {}, changes);
  return namedBody(`${subject}UpdateMany`, { oneOf: forms });
}

/** The body of a DeleteMany: one of its forms. */
export function deleteBody(context: KindContext, model: Model, parts: TargetParts): BodyDescription {
  const forms = formsOf(context, parts, {}, {});
  return namedBody(`${subjectOf(context, model)}DeleteMany`, { oneOf: forms });
}

/** The outcomes of a request that names versions. */
export function targetRefusals({
  preconditionRequired = false,
}: {
  readonly preconditionRequired?: boolean | undefined;
}): readonly Outcome[] {
  return ['preconditionFailed', ...(preconditionRequired ? (['preconditionRequired'] as const) : [])];
}

/**
 * The forms of a body, one object each.
 * @param own what an entry may have beside what names its record
 * @param shared what stands beside a list that only names records
 */
function formsOf(
  { names }: KindContext,
  { targets, conditions, options }: TargetParts,
  own: Readonly<Record<string, JsonSchema>>,
  shared: Readonly<Record<string, JsonSchema>>,
): JsonSchema[] {
  const { maximumRecords: most = usualRecords, preconditionRequired = false } = options;
  const { keyName, versionName, path } = targets;
  const key = keySchema(path, options.transformInputTypes);
  const entry = objectOf(
    { ...own, [keyName]: key, [versionName]: { type: 'string' } },
    preconditionRequired ? [keyName, versionName] : [keyName],
  );
  const records = objectOf({ [names.control('records')]: entriesOf(entry, most) });
  if (preconditionRequired) return [records];
  const ids = objectOf({ [names.control('ids')]: entriesOf(key, most), ...shared });
  if (conditions === undefined) return [records, ids];
  const maximum = { [names.control('maximum')]: { type: 'integer', minimum: 1, maximum: most } };
  return [records, ids, objectOf({ ...conditions.schemas(), ...shared, ...maximum })];
}
