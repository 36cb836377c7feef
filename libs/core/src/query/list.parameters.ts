import { typeComplaint } from '../model/column.js';
import type { ColumnPath, Model } from '../model/model.js';
import { ConfigurationError, oneOf } from '../wire/configuration.error.js';
import type { NameTable } from '../wire/name.table.js';
import { BadRequest, InvalidInput } from '../wire/refusals.js';
import { numberFrom, OffsetPaging, type PagingOptions } from './paging.js';
import type { Condition, Direction, ListPlan } from './query.plan.js';
import { known, visible } from './selection.js';

export interface ListOptions extends PagingOptions {
  readonly sortableColumnNames: readonly string[];
  readonly searchableColumnNames?: readonly string[];
  readonly defaultSortColumnName: string;
  /** Whether text in a body is read as Integer, Float, Boolean or Timestamp columns need it. Default false. */
  readonly transformInputTypes?: boolean;
  /** Default `ASC`. */
  readonly defaultSortDirection?: 'ASC' | 'DESC' | 'asc' | 'desc';
}

/** One parameter as it came: text from the query string, or a JSON value from the body. */
interface Parameter {
  /** As the client wrote it. */
  readonly name: string;
  readonly source: 'query string' | 'body';
  readonly value: unknown;
}

interface NamedPath {
  readonly name: string;
  readonly path: ColumnPath;
}

const controlWords = ['sort', 'direction', 'limit', 'start'] as const;
type ControlWord = (typeof controlWords)[number];

/** Reads the controls and search terms of List and SimpleSearch into a {@link ListPlan}. Made once per endpoint. */
export class ListParameters {
  readonly paging: OffsetPaging;
  readonly #sortable: ReadonlyMap<string, NamedPath>;
  readonly #searchable: ReadonlyMap<string, NamedPath>;
  readonly #controls: ReadonlyMap<string, ControlWord>;
  readonly #defaultSort: ColumnPath;
  readonly #defaultDirection: Direction;
  readonly #forcesText: boolean;

  /** @param searches whether search terms are read; List has none */
  constructor(owner: string, model: Model, names: NameTable, options: ListOptions, searches: boolean) {
    const paths = (option: string, list: readonly string[]): Map<string, NamedPath> =>
      names.index(
        owner,
        option,
        list.map((name) => ({ name, path: visible(owner, model, name, option) })),
      );
    this.paging = new OffsetPaging(owner, options);
    this.#sortable = paths('sortableColumnNames', options.sortableColumnNames);
    const searchable = paths('searchableColumnNames', options.searchableColumnNames ?? []);
    this.#searchable = searches ? searchable : new Map();
    this.#controls = new Map(
      controlWords.flatMap(
        (word) =>
          [
            [word, word],
            [names.control(word), word],
          ] as const,
      ),
    );
    this.#defaultSort = known(owner, model, options.defaultSortColumnName, 'defaultSortColumnName');
    this.#defaultDirection = directionOf(owner, options.defaultSortDirection ?? 'ASC');
    this.#forcesText = options.transformInputTypes ?? false;
    const sorts = [
      ...this.#sortable.values(),
      { name: options.defaultSortColumnName, path: this.#defaultSort },
    ];
    const terms = [...this.#searchable.values()];
    const refuse = (option: string, wrong: string | undefined, problem: string): void => {
      if (wrong !== undefined) throw new ConfigurationError(owner, option, `'${wrong}' ${problem}`);
    };
    const unsortable = sorts.find(({ path }) => !path.column.type.isSortable);
    refuse('sortableColumnNames', unsortable?.name, 'cannot be sorted by');
    const unequal = terms.find(({ path }) => !path.column.type.operators.includes('='));
    refuse('searchableColumnNames', unequal?.name, 'cannot be searched by value');
    const control = [...this.#searchable.keys()].find((name) => this.#controls.has(name));
    refuse('searchableColumnNames', control, 'already means a control of the list');
  }

  /** @throws BadRequest for a parameter that is unknown or out of range @throws InvalidInput for a term of the wrong type */
  plan(query: ReadonlyMap<string, string>, body: ReadonlyMap<string, unknown>): ListPlan {
    const parameters = joined(query, body);
    const controls = new Map<ControlWord, Parameter>();
    const terms: [string, NamedPath, Parameter][] = [];
    for (const [name, parameter] of parameters) {
      const word = this.#controls.get(name);
      const term = this.#searchable.get(name);
      if (word !== undefined) {
        const other = controls.get(word);
        if (other !== undefined) throw twice(other, parameter);
        controls.set(word, parameter);
      } else if (term !== undefined) terms.push([name, term, parameter]);
      else throw new BadRequest(`Unknown parameter '${name}' in the ${parameter.source}`);
    }
    return {
      sorts: [
        { path: this.#sort(controls.get('sort')), direction: this.#direction(controls.get('direction')) },
      ],
      limit: this.paging.limit(...control(controls, 'limit')),
      start: this.paging.start(...control(controls, 'start')),
      conditions: conditions(terms, this.#forcesText),
    };
  }

  #sort(parameter: Parameter | undefined): ColumnPath {
    if (parameter === undefined) return this.#defaultSort;
    const sortable = typeof parameter.value === 'string' ? this.#sortable.get(parameter.value) : undefined;
    if (sortable !== undefined) return sortable.path;
    throw new BadRequest(`'${parameter.name}' must be one of: ${[...this.#sortable.keys()].join(', ')}`);
  }

  #direction(parameter: Parameter | undefined): Direction {
    if (parameter === undefined) return this.#defaultDirection;
    const direction = typeof parameter.value === 'string' ? parameter.value.toLowerCase() : undefined;
    if (direction === 'asc' || direction === 'desc') return direction;
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
    return { path, operator: '=', value: read };
  });
  if (complaints.size > 0) throw new InvalidInput(complaints);
  return found;
}

/** A numeric control: its name as the client wrote it, and its value; undefined when it was not sent. */
function control(
  controls: ReadonlyMap<ControlWord, Parameter>,
  word: ControlWord,
): [name: string, value: unknown] {
  const { name = word, source, value } = controls.get(word) ?? {};
  return [name, source === 'query string' ? numberFrom(String(value)) : value];
}

/** The control words have two spellings, so one may come twice in one place, too. */
function twice(one: Parameter, other: Parameter): BadRequest {
  if (one.source === other.source)
    return new BadRequest(`'${other.name}' is given more than once in the ${one.source}`);
  return new BadRequest(`'${other.name}' is given in both the body and the query string`);
}

function directionOf(owner: string, value: string): Direction {
  if (value === 'ASC' || value === 'asc') return 'asc';
  if (value === 'DESC' || value === 'desc') return 'desc';
  throw new ConfigurationError(
    owner,
    'defaultSortDirection',
    `'${value}' is unknown; ${oneOf(['ASC', 'DESC'])}`,
  );
}
