import type { Handler } from '../../endpoint/compiled.kind.js';
import type { KindContext } from '../../endpoint/kind.context.js';
import type { EndpointRequest } from '../../endpoint/request/endpoint.request.js';
import { RecentEntries } from '../../limits/recent.entries.js';
import type { JsonSchema } from '../../model/json.schema.js';
import type { Model } from '../../model/model.js';
import type { Selection } from '../../query/query.plan.js';
import { listsOf } from '../../query/selected.columns.js';
import { selectionOf } from '../../query/selection.js';
import { SelectionUnits, type NamedUnits, type Units } from '../../query/selection.units.js';
import { SelectionParameters } from '../../request/selection.parameters.js';
import { StatementCache } from '../../sql/statement.cache.js';
import { ConfigurationError } from '../../wire/configuration.error.js';
import { onceEach } from './once.each.js';
import type { ChosenColumns } from './record.output.js';

/** The most selections that are kept beside the usual one and the single includes. */
const keptSelections = 32;

/** The options that say what is shown, and what of it a client chooses. */
interface SelectableSource {
  readonly readableColumnNames: readonly string[];
  readonly outputMap?: unknown;
  readonly clientSelectsColumns?: boolean | undefined;
  readonly includableColumnNames?: readonly string[] | undefined;
  readonly searchableColumnNames?: readonly string[] | undefined;
  readonly writeableColumnNames?: readonly string[] | undefined;
}

/** Makes what answers with the usual columns, or with those that a client chose. */
type MakeOutput<T> = (chosen?: ChosenColumns) => T;

/** The choice that clients have. */
interface Choice {
  readonly parameters: SelectionParameters;
  readonly units: SelectionUnits;
  readonly usual: Units;
  /** The selections of single entries of `includableColumnNames`. */
  readonly single: ReadonlySet<Units>;
}

/** The way in which an endpoint can write. */
interface WayToWrite {
  readonly reasons: readonly string[];
  readonly isOneStatement: boolean;
}

/**
 * The outputs of an endpoint: the usual one, and those of what clients select by `fields` and `include`. Where they select
 * nothing there is the usual one alone. Made once per endpoint.
 */
export class SelectableOutput<T extends object> {
  /** The output that shows `readableColumnNames`. */
  readonly usual: T;
  /** The output that shows everything that a client can ask for. What is true of it is true of all of them. */
  readonly widest: T;
  readonly #choice: Choice | undefined;
  /** The outputs of single includes, by what they show. */
  readonly #single = new Map<Units, T>();
  readonly #recent = new RecentEntries<Units, T>(keptSelections);
  readonly #statements = new StatementCache();
  /** The number of outputs that were made for other selections. */
  #count = 0;

  private constructor(
    private readonly make: MakeOutput<T>,
    choice?: Choice,
  ) {
    this.usual = make();
    this.#choice = choice;
    this.widest = choice === undefined ? this.usual : make({ shown: choice.units.cut(choice.units.all) });
  }

  /**
   * @param make makes what answers with a selection; it is called for each that is not kept
   * @throws ConfigurationError
   */
  static of<T extends object>(
    context: KindContext,
    model: Model,
    source: SelectableSource,
    make: MakeOutput<T>,
  ): SelectableOutput<T> {
    return new SelectableOutput(make, choiceOf(context, model, source));
  }

  /** True if clients select columns. */
  get isSelectable(): boolean {
    return this.#choice !== undefined;
  }

  /** The schemas of the parameters, by the names that clients use; none where they select nothing. */
  get schemas(): Readonly<Record<string, JsonSchema>> {
    return this.#choice?.parameters.schemas ?? {};
  }

  /**
   * Makes the handler of an endpoint whose query string says what is shown. Where clients select nothing it is the one for
   * the usual output, with nothing around it.
   *
   * @param make makes the handler for one output
   */
  handling(make: (output: T) => Handler): Handler {
    const choice = this.#choice;
    if (choice === undefined) return make(this.usual);
    const handlerOf = onceEach(make);
    // What is wrong with it shows when the application starts.
    handlerOf(this.usual);
    return async (request: EndpointRequest) => {
      const output = this.#of(choice, choice.parameters.inQuery(request.queryString));
      return handlerOf(output)(request);
    };
  }

  /**
   * The writes that answer with each output, made once, and what is true of all of them: why they are units of work, which no
   * output changes, and whether they are one statement, which has to hold for the widest.
   *
   * @param make makes the writes for one output
   */
  writing<W extends WayToWrite>(
    make: (output: T) => W,
  ): WayToWrite & { readonly writesOf: (output: T) => W } {
    const writesOf = onceEach(make);
    const { reasons } = writesOf(this.usual);
    const { isOneStatement } = writesOf(this.widest);
    return { writesOf, reasons, isOneStatement };
  }

  /**
   * The output that a list is asked for, and its other parameters.
   *
   * @param readsQuery whether the query string says it, too
   * @throws BadRequest
   */
  taken(
    query: ReadonlyMap<string, string>,
    body: ReadonlyMap<string, unknown>,
    readsQuery: boolean,
  ): {
    readonly output: T;
    readonly query: ReadonlyMap<string, string>;
    readonly body: ReadonlyMap<string, unknown>;
  } {
    const choice = this.#choice;
    if (choice === undefined) return { output: this.usual, query, body };
    const { units, ...others } = choice.parameters.taken({ query, body }, readsQuery);
    return { output: this.#of(choice, units), ...others };
  }

  #of({ units, usual, single }: Choice, asked: Units): T {
    if (asked === usual) return this.usual;
    const known = this.#single.get(asked) ?? this.#recent.get(asked);
    if (known !== undefined) return known;
    const shown = units.cut(asked);
    if (single.has(asked)) {
      const output = this.make({ shown });
      this.#single.set(asked, output);
      return output;
    }
    // A number of its own: what was forgotten begins anew, and its first statements are sent unprepared.
    const statements = this.#statements.part(String((this.#count += 1)));
    const output = this.make({ shown, statements });
    this.#recent.set(asked, output);
    return output;
  }
}

/** @throws ConfigurationError */
function choiceOf(context: KindContext, model: Model, source: SelectableSource): Choice | undefined {
  const { clientSelectsColumns = false, includableColumnNames = [], readableColumnNames } = source;
  if (!clientSelectsColumns && includableColumnNames.length === 0) return undefined;
  const { owner, names } = context;
  const option = clientSelectsColumns ? 'clientSelectsColumns' : 'includableColumnNames';
  if (source.outputMap !== undefined)
    throw new ConfigurationError(owner, option, 'outputMap shows what it gives: leave one of the two out');
  const readable = selectionOf(owner, model, readableColumnNames);
  const includable = selectionOf(owner, model, includableColumnNames, 'includableColumnNames');
  refuseLists(context, model, includable);
  const whole = selectionOf(owner, model, [...readableColumnNames, ...includableColumnNames]);
  const units = new SelectionUnits(whole);
  const usual = units.of(readable);
  const single = new Set<Units>();
  for (const name of includableColumnNames) {
    const own = units.of(selectionOf(owner, model, [name], 'includableColumnNames'));
    if ((own | usual) === usual)
      throw new ConfigurationError(
        owner,
        'includableColumnNames',
        `'${name}' is in readableColumnNames already`,
      );
    single.add(own | usual);
  }
  const indexed = (part: Selection, named: string): Map<string, NamedUnits> =>
    names.index(owner, named, units.named(part));
  const selectable = {
    fields: clientSelectsColumns ? indexed(whole, 'readableColumnNames') : undefined,
    include: includableColumnNames.length > 0 ? indexed(includable, 'includableColumnNames') : undefined,
  };
  const parameters = new SelectionParameters(names, selectable, usual);
  for (const taken of ['searchableColumnNames', 'writeableColumnNames'] as const)
    parameters.refuseColumns(owner, taken, source[taken] ?? []);
  return { parameters, units, usual, single };
}

/** A backend of the user's own reads no lists. */
function refuseLists(context: KindContext, model: Model, includable: Selection): void {
  const [list] = context.store(model).knowsSql ? [] : listsOf(includable);
  if (list === undefined) return;
  const problem = `'${list.name}' is a list of related records, which a backend of your own does not read`;
  throw new ConfigurationError(context.owner, 'includableColumnNames', problem);
}
