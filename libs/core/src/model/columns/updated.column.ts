import { DatetimeColumn } from './datetime.column.js';

/** The instant a record was last changed. Set by the service, never by a client. */
export class UpdatedColumn extends DatetimeColumn {
  override readonly name = 'Updated';
  override readonly setAutomatically = 'update';
}
