import { bestFirst, isRanked, termOperator, typeComplaint } from '../model/column.js';
import type { ColumnPath } from '../model/model.js';
import { ConfigurationError } from '../wire/configuration.error.js';
import { BadRequest, InvalidInput } from '../wire/refusals.js';
import { conditionOf } from '../query/condition.js';
import { listControls, type ControlsDescription } from './list.controls.js';
import { directionFrom, type NamedPath } from '../query/list.columns.js';
import { numberFrom, type PageControl, type PageControls, type PageWord } from '../query/paging.js';
import type { PlanSource } from '../query/plan.source.js';
import { rankedSorts } from '../query/ranked.sorts.js';
import type { Condition, Direction, ListPlan } from '../query/query.plan.js';

/** One parameter as it came: text from the query string, or a JSON value from the body. */
interface Parameter {
  /** The name as the client wrote it. */
  readonly name: string;
  readonly source: 'query string' | 'body';
  readonly value: unknown;
}

/** The parts of a request that a plan is read from. */
export interface PlanRequest {
  /** The path it was sent to, without the query string. */
  readonly path: string;
  readonly query: ReadonlyMap<string, string>;
  /** The members of the body; none without one. */
  readonly body: ReadonlyMap<string, unknown>;
}

type ControlWord = 'sort' | 'direction' | 'limit' | PageWord;
type Controls = ReadonlyMap<ControlWord, Parameter>;

/** Reads the controls and search terms of List and SimpleSearch into a {@link ListPlan}. Made once per endpoint. */
export class ListParameters {
  readonly #controls: ReadonlyMap<string, ControlWord>;

  /** @param searchable the columns that have search terms; List has none */
  constructor(
    private readonly source: PlanSource,
    private readonly searchable: ReadonlyMap<string, NamedPath> = source.columns.searchable,
  ) {
    const { owner, names, paging } = source;
    const words = ['sort', 'direction', 'limit', ...paging.words] as const;
    this.#controls = new Map(
      words.flatMap((word) => [word, names.control(word)].map((name) => [name, word])),
    );
    const control = [...searchable.keys()].find((name) => this.#controls.has(name));
    if (control !== undefined)
      throw new ConfigurationError(
        owner,
        'searchableColumnNames',
        `'${control}' already means a control of the list`,
      );
  }

  /** @throws BadRequest for a parameter that is unknown or out of range @throws InvalidInput for a term of the wrong type */
  plan({ query, body, path: requestPath }: PlanRequest): ListPlan {
    const controls = new Map<ControlWord, Parameter>();
    const terms: [string, NamedPath, Parameter][] = [];
    for (const [name, parameter] of joined(query, body)) {
      const word = this.#controls.get(name);
      const term = this.searchable.get(name);
      if (word !== undefined) {
        const other = controls.get(word);
        if (other !== undefined) throw twice(other, parameter);
        controls.set(word, parameter);
      } else if (term !== undefined) terms.push([name, term, parameter]);
      else throw new BadRequest(`Unknown parameter '${name}' in the ${parameter.source}`);
    }
    const { paging, fixed, forcesText, names } = this.source;
    const path = this.#sort(controls.get('sort'));
    const sort = { path, direction: this.#direction(controls.get('direction'), path) };
    const sorts = rankedSorts([sort], () => conditions(terms, forcesText), names);
    const limit = paging.limit(control(controls, 'limit') ?? { name: 'limit', value: undefined });
    return {
      requestPath,
      sorts,
      limit,
      isOwnLimit: paging.isOwn(limit),
      from: paging.from(pageControls(controls), { path: requestPath, sorts }),
      conditions: [...fixed.conditions, ...conditions(terms, forcesText)],
      groupBy: fixed.groupBy,
      readsCursor: paging.readsCursor,
      count: paging.count,
    };
  }

  /** Describes what a client may send, for generated documentation. */
  describe(): ControlsDescription {
    return listControls(this.source, this.searchable);
  }

  #sort(parameter: Parameter | undefined): ColumnPath {
    if (parameter === undefined) return this.source.columns.defaultSort;
    const { sortable } = this.source.columns;
    const chosen = typeof parameter.value === 'string' ? sortable.get(parameter.value) : undefined;
    if (chosen !== undefined) return chosen.path;
    throw new BadRequest(`'${parameter.name}' must be one of: ${[...sortable.keys()].join(', ')}`);
  }

  #direction(parameter: Parameter | undefined, { column }: ColumnPath): Direction {
    if (parameter === undefined)
      return isRanked(column) ? bestFirst(column) : this.source.columns.defaultDirection;
    const direction = directionFrom(parameter.value);
    if (direction !== undefined) return direction;
    throw new BadRequest(`'${parameter.name}' must be asc or desc`);
  }
}

function joined(
  query: ReadonlyMap<string, string>,
  body: ReadonlyMap<string, unknown>,
): ReadonlyMap<string, Parameter> {
  const parameters = new Map<string, Parameter>();
  for (const [name, value] of query) parameters.set(name, { name, source: 'query string', value });
  for (const [name, value] of body) {
    const parameter: Parameter = { name, source: 'body', value };
    const other = parameters.get(name);
    if (other !== undefined) throw twice(other, parameter);
    parameters.set(name, parameter);
  }
  return parameters;
}

/** Exact values; every term must match. Text of a query string is read with the column's type. */
function conditions(
  terms: readonly (readonly [string, NamedPath, Parameter])[],
  forcesText: boolean,
): Condition[] {
  const complaints = new Map<string, string>();
  const found = terms.map(([name, { path }, { source, value }]): Condition => {
    const { type } = path.column;
    const isRead = source === 'query string' || (forcesText && type.forcesText);
    const read = isRead && typeof value === 'string' ? type.fromText(value) : value;
    const complaint = typeComplaint(path.column, read);
    if (complaint !== undefined) complaints.set(name, complaint);
    return conditionOf(path, termOperator(path.column), read);
  });
  if (complaints.size > 0) throw new InvalidInput(complaints, true);
  return found;
}

function pageControls(controls: Controls): PageControls {
  const start = control(controls, 'start');
  const after = controls.get('after');
  return { ...(start === undefined ? {} : { start }), ...(after === undefined ? {} : { after }) };
}

/** A numeric control; undefined when it was not sent. */
function control(controls: Controls, word: ControlWord): PageControl | undefined {
  const parameter = controls.get(word);
  if (parameter === undefined) return undefined;
  const { name, source, value } = parameter;
  return { name, value: source === 'query string' ? numberFrom(String(value)) : value };
}

/** The control words have two spellings, so one may come twice in one place, too. */
function twice(one: Parameter, other: Parameter): BadRequest {
  if (one.source === other.source)
    return new BadRequest(`'${other.name}' is given more than once in the ${one.source}`);
  return new BadRequest(`'${other.name}' is given in both the body and the query string`);
}
