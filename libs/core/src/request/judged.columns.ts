import type { Column } from '../model/column.js';
import type { Model } from '../model/model.js';
import type { RequestFacts } from '../model/request.facts.js';
import { known } from '../query/selection.js';
import { didYouMean } from '../options/nearest.name.js';
import { ConfigurationError, oneOf } from '../wire/configuration.error.js';

/** A column that records have the request's own value in, whoever sends it. */
export interface OwnColumn {
  readonly column: Column;
  /** @throws NotAuthorized where the request has none */
  readonly value: (request: RequestFacts) => unknown;
}

/** A column of the input, as rules judge it. */
export interface JudgedColumn {
  readonly name: string;
  readonly column: Column;
  /** True if the service takes the value from the request; the client cannot send it. */
  readonly isSetByService: boolean;
  /** The value that it has to have; undefined where any will do. */
  readonly own?: OwnColumn['value'] | undefined;
}

/**
 * The columns of the input: those that clients may send, and those that the service sets.
 *
 * @param partial whether the record is there already
 * @throws ConfigurationError for names that are no columns, or cannot be written
 */
export function judgedColumns(
  owner: string,
  model: Model,
  writeableColumnNames: readonly string[],
  owned: readonly OwnColumn[],
  partial: boolean,
): readonly JudgedColumn[] {
  const ownOf = ({ column }: JudgedColumn): OwnColumn['value'] | undefined =>
    owned.find((one) => one.column.property === column.property)?.value;
  const sent = writeableColumnNames
    .map((name) => writeable(owner, model, name))
    .map((judged) => ({ ...judged, own: ownOf(judged) }));
  const set = setByService(model, owned, sent).filter((one) => !partial || isSetAgain(one));
  refuseMisfits(owner, model);
  return [...sent, ...set];
}

function writeable(owner: string, model: Model, name: string): JudgedColumn {
  const column = model.columns.get(name);
  const refuse = (problem: string): never => {
    throw new ConfigurationError(owner, 'writeableColumnNames', problem);
  };
  if (column === undefined) {
    const allowed = [...model.columns.values()].filter(
      ({ readOnlyBecause }) => readOnlyBecause === undefined,
    );
    const names = allowed.map((one) => one.name);
    const reason = model.unservedReason(name);
    return refuse(reason ?? `unknown column '${name}'${didYouMean(name, names)}; ${oneOf(names)}`);
  }
  if (column.readOnlyBecause !== undefined)
    return refuse(`'${name}' cannot be written: ${column.readOnlyBecause}`);
  known(owner, model, name, 'writeableColumnNames');
  return { name, column, isSetByService: false };
}

/** The columns whose values the request says, whoever sends it: no endpoint has to name them. */
function setByService(
  model: Model,
  owned: readonly OwnColumn[],
  sent: readonly JudgedColumn[],
): JudgedColumn[] {
  const isOwn = ({ property }: Column): boolean => owned.some(({ column }) => column.property === property);
  const own = owned
    .filter(({ column }) => !sent.some((one) => one.column.property === column.property))
    .map(({ column, value }) => ({ name: column.name, column, isSetByService: true, own: value }));
  const set = [...model.columns.values()]
    .filter((column) => column.type.fromRequest !== undefined && !isOwn(column))
    .map((column) => ({ name: column.name, column, isSetByService: true }));
  return [...own, ...set];
}

/** True if the service sets a column with every change of a record, too. What is a request's own stays what it is. */
function isSetAgain({ column, own }: JudgedColumn): boolean {
  return own === undefined && column.type.isSetOnUpdate;
}

/** @throws ConfigurationError for a rule on a column whose type it is not for */
function refuseMisfits(owner: string, model: Model): void {
  for (const { name, type, validators } of model.columns.values())
    for (const validator of validators) {
      const problem = validator.needs === 'value' ? validator.misfit?.(type) : undefined;
      if (problem === undefined) continue;
      throw new ConfigurationError(owner, 'validators', `${validator.name} of '${name}': ${problem}`);
    }
}
