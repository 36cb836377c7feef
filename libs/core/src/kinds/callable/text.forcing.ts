import type { KindContext } from '../../endpoint/kind.context.js';
import { typeComplaint, type Column } from '../../model/column.js';
import type { Model } from '../../model/model.js';

type Members = Readonly<Record<string, unknown>>;

/**
 * Forces texts to the types of the columns of the same names (contract: transform_input_types). A text that is not of its
 * type stays as it is and is complained about, unless a schema judges it.
 */
export class TextForcing {
  /** Under the names that clients know. */
  readonly #columns: ReadonlyMap<string, Column>;
  /** Under the names that paths have. */
  readonly #own: ReadonlyMap<string, Column>;

  /** @param model whose columns they are; undefined where nothing is forced */
  constructor({ names }: KindContext, model: Model | undefined) {
    const columns = [...(model?.columns.values() ?? [])];
    this.#own = new Map(columns.map((column) => [column.name, column]));
    this.#columns = new Map(
      columns
        .filter(({ type }) => type.forcesText)
        .map((column) => [names.outward(column.name), column] as const),
    );
  }

  /** The parameters of a path, which is written in the names of the model. */
  path(members: Members, complaints?: Map<string, string>): Members {
    return forced(members, this.#own, complaints);
  }

  /** Forces the members of a query string or a body. */
  members(members: Members, complaints?: Map<string, string>): Members {
    return forced(members, this.#columns, complaints);
  }
}

function forced(
  members: Members,
  columns: ReadonlyMap<string, Column>,
  complaints: Map<string, string> | undefined,
): Members {
  if (columns.size === 0) return members;
  const values = Object.entries(members).map(([name, sent]): [string, unknown] => {
    const column = columns.get(name);
    if (column === undefined || sent === null) return [name, sent];
    const value = forcedTo(column, sent);
    const complaint = complaints === undefined ? undefined : typeComplaint(column, value);
    if (complaint !== undefined) complaints?.set(name, complaint);
    return [name, value];
  });
  return Object.fromEntries(values);
}

function forcedTo(column: Column, sent: unknown): unknown {
  if (Array.isArray(sent)) return sent.map((one) => forcedTo(column, one));
  return typeof sent === 'string' && column.type.forcesText ? column.type.fromText(sent) : sent;
}
