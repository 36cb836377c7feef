import { DatetimeColumn } from './datetime.column.js';

/** The instant a record was created. Set by the service, never by a client. */
export class CreatedColumn extends DatetimeColumn {
  override readonly name = 'Created';
  override readonly setAutomatically = 'create';
}
