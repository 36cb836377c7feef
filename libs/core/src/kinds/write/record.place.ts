import type { Platform } from '@mikro-orm/core';
import type { KindContext } from '../../endpoint/kind.context.js';
import type { HeaderDescription } from '../../endpoint/description/operation.description.js';
import type { EndpointRequest } from '../../endpoint/request/endpoint.request.js';
import { canonicalPath, type RoutePattern } from '../../endpoint/route.pattern.js';
import type { Column } from '../../model/column.js';
import type { Model } from '../../model/model.js';
import type { SelectedColumn } from '../../query/query.plan.js';
import type { KeptAnswer } from '../../records/idempotency/kept.answers.js';
import type { Row, RowLayout } from '../../sql/row.layout.js';
import { rowWriter } from '../../sql/row.writer.js';
import type { NameTable } from '../../wire/name.table.js';
import { Get } from '../read/get.js';

/** The options that say which records a Create makes. */
interface CreatedSource {
  readonly modelClass: unknown;
}

/** A Get of the records that a Create makes. */
interface ReadingEndpoint {
  /** The path, below that of the groups. */
  readonly own: RoutePattern;
  /** The number of segments of the Create's own path, which stand where the Get's do. */
  readonly depth: number;
  /** The column by which it finds its record. */
  readonly column: Column;
  /** True if its path is that of the Create and one segment more. */
  readonly isBelow: boolean;
}

/** The description of the header in documents. */
export const locationHeader: Readonly<Record<string, HeaderDescription>> = {
  Location: {
    description: 'The path at which the record can be read.',
    schema: { type: 'string', format: 'uri-reference' },
  },
};

/**
 * Place where a record that was created can be read: the url of a Get beside the Create, in the same group and of the same
 * entity, that ends with what the record is called. Made once per endpoint.
 */
export class RecordPlace {
  /** The column by which the Get finds its record. */
  readonly selected: SelectedColumn;
  /** All of the url but its last segment, of the path that was asked last. */
  #before = { path: '', text: '' };

  private constructor(
    private readonly model: Model,
    private readonly names: NameTable,
    private readonly get: ReadingEndpoint,
  ) {
    const { column } = get;
    this.selected = {
      kind: 'column',
      name: column.name,
      path: { text: column.name, relations: [], column },
    };
  }

  /**
   * Undefined where no Get stands beside the Create, or the Create does not know what its path needs. Of several the one
   * right below the Create's own path is taken, else the first.
   */
  static of(context: KindContext, model: Model, { modelClass }: CreatedSource): RecordPlace | undefined {
    const gets: ReadingEndpoint[] = [];
    for (const neighbour of context.neighbours()) {
      const { endpoint } = neighbour;
      if (!(endpoint instanceof Get) || !endpoint.requestMethods.includes('GET')) continue;
      const { recordLookupColumnName: name = model.idColumn.name, modelClass: shown } = endpoint.options;
      const column = model.columns.get(name);
      if (shown !== modelClass || column === undefined || column.hiddenBecause !== undefined) continue;
      const [last, ...others] = neighbour.pattern.segments.toReversed();
      if (last === undefined || !('parameter' in last) || last.parameter !== name) continue;
      const known = context.pattern.parameterNames;
      if (!others.every((part) => 'literal' in part || known.includes(part.parameter))) continue;
      gets.push(readingOf(context.pattern, neighbour.pattern, endpoint.pattern, column));
    }
    const get = gets.find(({ isBelow }) => isBelow) ?? gets[0];
    return get && new RecordPlace(model, context.names, get);
  }

  /** Gives the url of the record in a row. */
  within(layout: RowLayout, platform: Platform): (request: EndpointRequest, row: Row) => string | undefined {
    const write = rowWriter(this.selected, layout, this.names, platform);
    return (request, row) => this.#urlOf(request, JSON.parse(write(row)));
  }

  /** Gives the url of the record that a kept answer tells of. */
  ofKept(request: EndpointRequest, { recordKey, data }: KeptAnswer): string | undefined {
    const { name } = this.selected;
    if (name === this.model.idColumn.name) return this.#urlOf(request, recordKey);
    const record = Object(JSON.parse(data)) as Readonly<Record<string, unknown>>;
    const external = this.names.outward(name);
    return Object.hasOwn(record, external) ? this.#urlOf(request, record[external]) : undefined;
  }

  /** The path alone, from the root: a proxy may have sent the request on from another host. */
  #urlOf({ path, routingData }: EndpointRequest, value: unknown): string | undefined {
    const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
    // No path can name these: an empty segment is none, and clients resolve the others.
    if (text === '' || text === '.' || text === '..') return undefined;
    if (this.#before.path !== path) this.#before = { path, text: this.#textBefore(path, routingData) };
    return `${this.#before.text}${canonicalPath([text])}`;
  }

  #textBefore(path: string, routingData: EndpointRequest['routingData']): string {
    const { own, depth } = this.get;
    const around = path.split('/').filter((segment) => segment !== '');
    const base = around.slice(0, around.length - depth).map((segment) => `/${segment}`);
    const segments = own.segments
      .slice(0, -1)
      .map((part) => ('literal' in part ? part.literal : (routingData[part.parameter] ?? '')));
    return `${base.join('')}${segments.length === 0 ? '' : canonicalPath(segments)}`;
  }
}

/** A Get as its url is made. @param own the part of its path that is below the groups */
function readingOf(
  create: RoutePattern,
  whole: RoutePattern,
  own: RoutePattern,
  column: Column,
): ReadingEndpoint {
  const isBelow = whole.segments.length === create.segments.length + 1 && create.coversStartOf(whole);
  const groups = whole.segments.length - own.segments.length;
  return { own, depth: create.segments.length - groups, column, isBelow };
}
