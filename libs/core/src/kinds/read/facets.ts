import { traitsOf, type DescribedKind } from '../../endpoint/compiled.kind.js';
import type { OperationDescription } from '../../endpoint/description/operation.description.js';
import type { KindContext } from '../../endpoint/kind.context.js';
import type { EndpointOptions } from '../../endpoint/options/endpoint.options.js';
import type { NamesOf, OptionsOf } from '../../endpoint/options/given.options.js';
import type { EndpointRequest } from '../../endpoint/request/endpoint.request.js';
import { TextReply } from '../../endpoint/reply.js';
import type { ColumnsOf } from '../../model/column.name.js';
import { columnSchema } from '../../model/column.schema.js';
import { NamedSchema, type JsonSchema } from '../../model/json.schema.js';
import { boolean, listOf, name } from '../../options/checks.js';
import type { ChecksOf, OptionChecks } from '../../options/option.check.js';
import { groupingsOf, measuresOf } from '../../query/groups/group.columns.js';
import type { GroupPlan, Measure } from '../../query/groups/group.plan.js';
import type { GroupReading } from '../../records/record.store.js';
import { FacetParameters, type FacetSource } from '../../request/groups/facet.parameters.js';
import { rowsText } from '../../sql/row.writer.js';
import { asksCallables, subjectOf } from '../record/record.description.js';
import {
  askedBy,
  groupBody,
  Grouped,
  GroupWritings,
  type GroupedOptions,
  type GroupedParts,
} from './grouped.js';

/** Parameters of {@link Facets}. */
export interface FacetsOptions<E extends object, Entity = E, Text = string> extends GroupedOptions<
  E,
  Entity,
  Text
> {
  /** The columns whose values are listed, those of parents included. */
  readonly facetColumnNames: readonly ColumnsOf<Entity, NoInfer<E>>['paths'][];
  /** The number of values of a facet when the client asks for none. Default 20. */
  readonly limit?: number;
  /** The largest `limit` that a client may ask for. Default 200. */
  readonly maximumLimit?: number;
  /** True to count a facet without the conditions on its own column, so that a filter panel shows its other values. Default true. */
  readonly ignoreOwnTerm?: boolean;
  /** True to tell how many records have a value. Without, values come in their own order. Default true. */
  readonly withCounts?: boolean;
}

type Names = NamesOf<FacetsOptions<object>>;

/** Answers with the values that columns have among some records, and how many records have each. */
export class Facets<E extends object = object, Entity = E, Text = string> extends Grouped<
  E,
  FacetsOptions<E>,
  OptionsOf<Entity, Names['all'], Names['required'], FacetsOptions<E, Entity, Text>, E>
> {
  static override readonly optionChecks: OptionChecks = {
    facetColumnNames: listOf('column names', name, 1),
    ignoreOwnTerm: boolean,
    withCounts: boolean,
  } satisfies ChecksOf<Omit<FacetsOptions<object>, keyof GroupedOptions<object> | keyof EndpointOptions>>;

  override readonly requiredOptions = ['modelClass', 'facetColumnNames'];

  override compile(context: KindContext): DescribedKind {
    const parts = this.partsOf(context, { limit: 20, maximumLimit: 200 }, 'none');
    const { model, filter, columnUses, records } = parts;
    const { source, reading } = this.#source(context, parts);
    const parameters = new FacetParameters(source);
    const writings = new GroupWritings(context);
    const reason = context.store(model).reasonAgainstReads([]);
    const read = (request: EndpointRequest, plan: GroupPlan): Promise<string> =>
      this.#facet(request, parts, reading, plan, writings);
    return {
      ...traitsOf(filter, {
        columnUses,
        records,
        reasons: reason === undefined ? [] : [reason],
        readsOneMoment: true,
      }),
      handle: async (request) => {
        const plans = parameters.read(askedBy(request));
        const all = async (): Promise<string> => {
          const texts: string[] = [];
          for (const plan of plans) texts.push(await read(request, plan));
          return `{${texts.join(',')}}`;
        };
        return new TextReply(await (plans.length < 2 ? all() : request.session.atOneMoment(all)));
      },
      describe: () => this.#described(context, parts, source, parameters),
    };
  }

  #source(
    context: KindContext,
    { model, plan, required }: GroupedParts,
  ): { readonly source: FacetSource; readonly reading: GroupReading } {
    const { owner, names, root } = context;
    const {
      facetColumnNames,
      ignoreOwnTerm = true,
      withCounts = true,
      minimumGroupSize: minimum = 1,
    } = this.options;
    const grouped = { owner, model, names };
    const facets = groupingsOf(grouped, 'facetColumnNames', facetColumnNames);
    const measures = [...measuresOf(grouped, 'facetColumnNames', {}).values()];
    const reading = this.readingOf(context, model, 'facetColumnNames', {
      groupings: [...facets.values()],
      measures,
    });
    const source: FacetSource = {
      plan,
      limits: { ...root, ...this.options },
      required,
      facets: new Map(
        [...facets].map(([name, facet]) => [name, { ...facet, keys: [names.inward('value')] }]),
      ),
      count: withCounts ? measures[0] : undefined,
      ignoresOwnTerm: ignoreOwnTerm,
      minimum,
    };
    return { source, reading };
  }

  /** The JSON text of a facet: its name, and its values. */
  async #facet(
    request: EndpointRequest,
    parts: GroupedParts,
    reading: GroupReading,
    plan: GroupPlan,
    writings: GroupWritings,
  ): Promise<string> {
    const writing = writings.of([...plan.groupings, ...plan.measures]);
    const { rows } = await this.read(request, parts, reading, plan, writing);
    return `${JSON.stringify(plan.groupings[0]?.name)}:${rowsText(rows, writing.write)}`;
  }

  #described(
    context: KindContext,
    { model }: GroupedParts,
    { facets, count }: FacetSource,
    parameters: FacetParameters,
  ): OperationDescription {
    const { query, body, besideBody, refusals = [] } = parameters.describe();
    const subject = subjectOf(context, model);
    const properties = [...facets].map(([key, facet]) => {
      const values = valueSchema(columnSchema(facet.result, true), count, (word) =>
        context.names.control(word),
      );
      return [key, { type: 'array', items: values }] as const;
    });
    const data: JsonSchema = {
      type: 'object',
      properties: Object.fromEntries(properties),
      additionalProperties: false,
    };
    return {
      verb: 'facets',
      summary: `List the values of ${model.meta.className} records`,
      description: `Answers the values that columns of ${model.meta.className} records have${count === undefined ? '' : ', and how many records have each'}.`,
      queryParameters: query,
      listParameters: [context.names.control('facets')],
      body: groupBody(`${subject}FacetSearch`, body ?? {}),
      besideBody,
      answer: {
        kind: 'envelope',
        name: `${subject}FacetsAnswer`,
        data: { $ref: new NamedSchema(`${subject}Facets`, data) },
      },
      refusals,
      runsCallables: asksCallables(this.options),
    };
  }
}

function valueSchema(
  value: JsonSchema,
  count: Measure | undefined,
  word: (name: string) => string,
): JsonSchema {
  const counted = count === undefined ? {} : { [word('count')]: columnSchema(count.result) };
  const properties = { [word('value')]: value, ...counted };
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}
