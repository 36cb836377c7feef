import type { Pagination } from '../wire/pagination.js';
import { Paging, startSchema, type PageControls } from './paging.js';
import type { ListPlan, PageStart } from './query.plan.js';

/** Pages by the number of records to pass over (decisions: Lists and searches, `offset`). */
export class OffsetPaging extends Paging {
  readonly words = ['start'] as const;
  readonly readsCursor = false;
  readonly wordSchemas = { start: startSchema };
  readonly nextWord = 'start';

  override from({ start }: PageControls): PageStart {
    return { start: start === undefined ? 0 : this.start(start) };
  }

  protected override nextPage({ from, limit }: ListPlan): Pagination['next_page'] {
    return { start: ('start' in from ? from.start : 0) + limit };
  }
}
