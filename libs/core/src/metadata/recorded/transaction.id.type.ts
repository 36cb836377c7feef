import { Type, type EntityProperty, type Platform } from '@mikro-orm/core';
import { BasePostgreSqlPlatform } from '@mikro-orm/sql';

/** The id of a transaction: `xid8` on PostgreSQL, which never comes again. */
export class TransactionIdType extends Type<string | null> {
  override getColumnType(_property: EntityProperty, platform: Platform): string {
    return platform instanceof BasePostgreSqlPlatform ? 'xid8' : 'bigint';
  }
}
