import type { EndpointRequest } from '../../endpoint/request/endpoint.request.js';
import type { ListPlan } from '../../query/query.plan.js';
import type { RecordReading, RowPage } from '../../records/record.store.js';
import type { Row } from '../../sql/row.layout.js';
import type { RecordFilter } from '../../visibility/record.filter.js';
import { LeftReplica } from '../../replicas/replica.failure.js';
import { lasting } from './lasting.js';
import { narrowedBy } from '../record/record.output.js';
import { refusedSearch } from '../record/refused.values.js';

/** The records that are read with one statement. */
const pageSize = 1000;

/** Reads all records of a plan, a page at a time, each behind the last record of the one before. */
export class ExportPages {
  constructor(
    private readonly reading: RecordReading,
    private readonly filter: RecordFilter,
  ) {}

  /** Reads each page when it is wanted. @param isOfOneMoment whether all of them are of one moment */
  async *all(
    request: EndpointRequest,
    plan: ListPlan,
    isOfOneMoment: boolean,
  ): AsyncGenerator<readonly Row[], void, undefined> {
    if (!isOfOneMoment) return yield* this.#walk(request, plan);
    let isBegun = false;
    try {
      for await (const page of within(this.#moment(request), () => this.#walk(request, plan))) {
        isBegun = true;
        yield page;
      }
    } catch (error) {
      // Nobody has seen anything of it yet, and the replica is not asked again.
      if (isBegun || !(error instanceof LeftReplica)) throw error;
      yield* within(this.#moment(request), () => this.#walk(request, plan));
    }
  }

  /** The transaction of a request that reads records of one moment. What functions ask for is asked of the primary. */
  #moment({ session }: EndpointRequest): Transacting {
    const { needsSql } = this.filter;
    return (work) => lasting(session, () => (needsSql ? session.inside(work) : session.insideMoment(work)));
  }

  async *#walk(request: EndpointRequest, plan: ListPlan): AsyncGenerator<readonly Row[], void, undefined> {
    let { from, limit: left } = plan;
    for (;;) {
      const page = await this.#read(request, { ...plan, from, limit: Math.min(pageSize, left) });
      if (page.rows.length > 0) yield page.rows;
      left -= page.rows.length;
      if (!page.hasMore || left <= 0 || page.last === undefined) return;
      from = { after: page.last };
    }
  }

  async #read(request: EndpointRequest, plan: ListPlan): Promise<RowPage> {
    const { reading, filter } = this;
    const { session } = request;
    const read = async (): Promise<RowPage> => {
      const narrowed = filter.needsSql ? await narrowedBy(filter, request) : [];
      return reading.list(session, plan, narrowed);
    };
    try {
      // Policies hold in transactions; the one of the whole request is over when its answer begins.
      return await (session.hasPolicies && !session.isInTransaction ? session.inside(read) : read());
    } catch (error) {
      throw plan.conditions.length > filter.conditions.length ? refusedSearch(error) : error;
    }
  }
}

/** Runs work in one transaction. */
type Transacting = (work: () => Promise<undefined>) => Promise<undefined>;

/** Gives what a generator gives, within one transaction that ends with it. */
async function* within<T>(
  transacting: Transacting,
  items: () => AsyncGenerator<T, void, undefined>,
): AsyncGenerator<T, void, undefined> {
  const begun = Promise.withResolvers<undefined>();
  const over = Promise.withResolvers<undefined>();
  const transaction = transacting(() => {
    begun.resolve(undefined);
    return over.promise;
  });
  transaction.catch(begun.reject);
  await begun.promise;
  try {
    yield* items();
  } finally {
    over.resolve(undefined);
    // Nothing was written: how it ends matters to nobody.
    await transaction.catch(() => undefined);
  }
}
