import type { Column } from '../../model/column.js';
import type { Model } from '../../model/model.js';
import { ConfigurationError } from '../../wire/configuration.error.js';
import type { KindContext } from '../../endpoint/kind.context.js';
import type { PathParameters } from '../../endpoint/route.pattern.js';

interface RoutingInputOptions {
  readonly includeRoutingDataInRequestData?: boolean;
  readonly writeableColumnNames: readonly string[];
}

/** Merges path parameters over a body, where the endpoint asks for it. A path's text is read with the column's type. */
export class RoutingInput {
  /** Parameter name → the column that it is a value of, and the name it has in a body. */
  readonly #parameters: ReadonlyMap<string, { readonly name: string; readonly column: Column }>;

  constructor({ owner, pattern, names }: KindContext, model: Model, options: RoutingInputOptions) {
    const included = options.includeRoutingDataInRequestData === true ? pattern.parameterNames : [];
    this.#parameters = new Map(
      included.map((parameter) => {
        const column = model.columns.get(parameter);
        if (column === undefined || !options.writeableColumnNames.includes(parameter))
          throw new ConfigurationError(
            owner,
            'includeRoutingDataInRequestData',
            `the path parameter '${parameter}' is not writeable; allowed: ${options.writeableColumnNames.join(', ')}`,
          );
        return [parameter, { name: names.outward(parameter), column }];
      }),
    );
  }

  /** The columns that path parameters are values of, by the names of the parameters. */
  get columns(): ReadonlyMap<string, Column> {
    return new Map([...this.#parameters].map(([parameter, { column }]) => [parameter, column]));
  }

  merge(body: ReadonlyMap<string, unknown>, parameters: PathParameters): ReadonlyMap<string, unknown> {
    if (this.#parameters.size === 0) return body;
    const merged = new Map(body);
    for (const [parameter, { name, column }] of this.#parameters)
      merged.set(name, column.type.fromText(parameters[parameter] ?? ''));
    return merged;
  }
}
