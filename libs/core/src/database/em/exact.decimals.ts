import { DecimalType, type EntityProperty, type MikroORM } from '@mikro-orm/core';
import { SqlitePlatform } from '@mikro-orm/sql';
import { factsOf } from '../../metadata/suggested.column.js';
import { DecimalColumn } from '../../model/columns/decimal.column.js';

/**
 * Makes MikroORM compare decimals to their last digit, where the database keeps all of them. By itself it compares numbers of 15 digits, and
 * does not write a longer one that differs behind these.
 */
export function compareDecimalsExactly(orm: MikroORM): void {
  const platform = orm.em.getPlatform();
  if (platform instanceof SqlitePlatform) return;
  for (const meta of orm.getMetadata().getAll().values())
    for (const property of Object.values<EntityProperty>(meta.properties)) {
      const { customType } = property;
      // Who extends the type compares as they like.
      if (!(customType instanceof DecimalType) || customType.constructor !== DecimalType) continue;
      const type = new DecimalColumn().narrow(factsOf(property, platform));
      const textOf = (value: unknown): string => type.keyText(type.toKept(value));
      customType.compareValues = (one, other) => textOf(one) === textOf(other);
    }
}
