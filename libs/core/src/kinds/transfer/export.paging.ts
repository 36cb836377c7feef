import type { JsonSchema } from '../../model/json.schema.js';
import { Paging, type PageControls } from '../../query/paging.js';
import type { PageStart } from '../../query/query.plan.js';
import type { Pagination } from '../../wire/pagination.js';

/** The paging of what flows as a whole: a client may only say how many records it wants at most. */
export class ExportPaging extends Paging {
  readonly words = [] as const;
  readonly readsCursor = true;
  readonly wordSchemas = {};
  readonly nextWord = 'after';

  /** @param maximumRecords the most records of an answer; undefined for all */
  constructor(
    owner: string,
    private readonly maximumRecords: number | undefined,
  ) {
    const all = Number.MAX_SAFE_INTEGER;
    super(owner, {
      defaultLimit: maximumRecords ?? all,
      maximumLimit: maximumRecords ?? 0,
      count: 'none',
    });
  }

  override get limitSchema(): JsonSchema {
    const { maximumRecords } = this;
    return {
      type: 'integer',
      minimum: 1,
      ...(maximumRecords === undefined ? {} : { maximum: maximumRecords }),
    };
  }

  override from(_controls: PageControls): PageStart {
    return { start: 0 };
  }

  protected override nextPage(): Pagination['next_page'] {
    return {};
  }
}
