import type { Pagination } from '../wire/envelope.writer.js';
import { BadRequest } from '../wire/refusals.js';
import type { CursorCodec } from './cursor.codec.js';
import { Paging, type PageControls, type PagingOptions } from './paging.js';
import type { CursorValues, ListPlan, PageStart, Sort } from './query.plan.js';

/** Pages by the sort values of the last record seen, in an encrypted cursor (decisions: Lists and searches, `keyset`). */
export class KeysetPaging extends Paging {
  readonly words = ['after', 'start'] as const;
  readonly readsCursor = true;

  constructor(
    private readonly owner: string,
    options: PagingOptions,
    private readonly cursors: CursorCodec,
  ) {
    super(owner, options);
    cursors.isUsed = true;
  }

  override from({ start, after }: PageControls, sorts: readonly Sort[]): PageStart {
    if (after === undefined) return { start: start === undefined ? 0 : this.start(start) };
    if (start !== undefined)
      throw new BadRequest(`'${after.name}' and '${start.name}' cannot be given together`);
    const values =
      typeof after.value === 'string' ? this.cursors.open(after.value, this.#use(sorts)) : undefined;
    if (values !== undefined) return { after: values };
    throw new BadRequest(
      `'${after.name}' must be what next_page said of this list, for the same sort and direction`,
    );
  }

  protected override nextPage({ sorts }: ListPlan, last: CursorValues | undefined): Pagination['next_page'] {
    return last === undefined ? {} : { after: this.cursors.seal(last, this.#use(sorts)) };
  }

  /** What a cursor is good for: this endpoint, in this order. */
  #use(sorts: readonly Sort[]): string {
    return [this.owner, ...sorts.map(({ path, direction }) => `${path.text} ${direction}`)].join('\n');
  }
}
