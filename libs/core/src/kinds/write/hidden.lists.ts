import type { KindContext } from '../../endpoint/kind.context.js';
import type { Model } from '../../model/model.js';
import { ConfigurationError } from '../../wire/configuration.error.js';

/** @throws ConfigurationError for a list of keys whose rows a request may be kept from seeing */
export function refuseHiddenLists(
  context: KindContext,
  model: Model,
  writeableColumnNames: readonly string[],
): void {
  for (const name of writeableColumnNames) {
    const column = model.columns.get(name);
    const relation = column?.type.storage === 'links' ? model.relations.get(column.property.name) : undefined;
    const reason = relation && context.reasonAgainstList(relation);
    if (reason === undefined) continue;
    throw new ConfigurationError(
      context.owner,
      'writeableColumnNames',
      `'${name}' cannot be written: ${reason}`,
    );
  }
}
