import type { JsonSchema } from '../model/json.schema.js';
import type { Pagination } from '../wire/pagination.js';
import { BadRequest } from '../wire/refusals.js';
import type { CursorCodec } from './cursor.codec.js';
import { Paging, startSchema, type ListUse, type PageControls, type PagingOptions } from './paging.js';
import type { CursorValues, ListPlan, PageStart } from './query.plan.js';

/** A cursor means nothing to a client. */
const cursorSchema: JsonSchema = { type: 'string', description: 'What `next_page` said.' };

/** Pages by the sort values of the last record seen, in an encrypted cursor (decisions: Lists and searches, `keyset`). */
export class KeysetPaging extends Paging {
  readonly words = ['after', 'start'] as const;
  readonly readsCursor = true;
  readonly wordSchemas = { after: cursorSchema, start: startSchema };
  readonly nextWord = 'after';

  constructor(
    owner: string,
    /** The text that tells the endpoint from others at its url. */
    private readonly identity: string,
    options: PagingOptions,
    private readonly cursors: CursorCodec,
  ) {
    super(owner, options);
    cursors.isUsed = true;
  }

  override from({ start, after }: PageControls, list: ListUse): PageStart {
    if (after === undefined) return { start: start === undefined ? 0 : this.start(start) };
    if (start !== undefined)
      throw new BadRequest(`'${after.name}' and '${start.name}' cannot be given together`);
    const values =
      typeof after.value === 'string' ? this.cursors.open(after.value, this.#use(list)) : undefined;
    if (values !== undefined) return { after: values };
    throw new BadRequest(
      `'${after.name}' must be what next_page said of this list, for the same sort and direction`,
    );
  }

  protected override nextPage(plan: ListPlan, last: CursorValues | undefined): Pagination['next_page'] {
    const list = { path: plan.requestPath, sorts: plan.sorts };
    return last === undefined ? {} : { after: this.cursors.seal(last, this.#use(list)) };
  }

  /** The use of a cursor: this endpoint under this path, in this order, over columns of these types. */
  #use({ path, sorts }: ListUse): string {
    const keys = sorts.map(({ path: { text, relations, column }, direction, value }) => {
      const { type, property } = column;
      const key = [text, direction, type.name, property.columnTypes.join(), relations.length];
      // Ranks by another value are in another order.
      return [...key, ...(value === undefined ? [] : [JSON.stringify(value)])].join(' ');
    });
    return [this.identity, path.replace(/^\/+|\/+$/g, ''), ...keys].join('\n');
  }
}
