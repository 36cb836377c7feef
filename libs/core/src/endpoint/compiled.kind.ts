import type { ColumnUse } from '../records/index.advice.js';
import type { OperationDescription } from './description/operation.description.js';
import type { EndpointRequest } from './request/endpoint.request.js';
import type { RecordsView } from '../model/soft/records.view.js';
import type { Reply } from './reply.js';
import type { Representation } from './answers/representation.js';

/** The function that answers the requests of an endpoint which passed the guards. Refusals are thrown. */
export type Handler = (request: EndpointRequest) => Promise<Reply>;

/** The traits of a kind, or of a step of one, that the service must know to do its part around the handler. */
export interface KindTraits {
  /** Request headers that are read, so that browsers may send them. Default none. */
  readonly reads?: readonly string[];
  /** Reasons why the endpoint cannot go past MikroORM; the start-up log has the first. Default: it can. */
  readonly reasons?: readonly string[];
  /** The columns that clients may sort and search by, for advice about indexes. Default none. */
  readonly columnUses?: readonly ColumnUse[];
  /** True if a client may have the answer already, and say so with `If-None-Match`. Default false. */
  readonly isConditional?: boolean;
  /**
   * True if a request is one statement, whatever it says: then row level security needs no transaction. Endpoints with
   * {@link reasons} are none of these. Default false.
   */
  readonly isOneStatement?: boolean;
  /** True if all statements of a request must see the records of one moment. Default false. */
  readonly readsOneMoment?: boolean;
  /** True if answers are kept, which somebody has to sweep. Default false. */
  readonly keepsAnswers?: boolean;
  /** The records of its own entity that the endpoint is about. Default `live`. */
  readonly records?: RecordsView;
  /** Other representations of the answers, which clients ask for by `Accept`. Default none. */
  readonly representations?: readonly Representation[];
  /** The sentences to warn with once the application is ready; they follow the name of the endpoint. Default none. */
  readonly warnings?: readonly string[];
}

/** An endpoint's kind, compiled with its options: all that requests and documents need. */
export interface CompiledKind extends KindTraits {
  readonly handle: Handler;
  /**
   * Describes what the endpoint takes and gives, for generated documentation; undefined for an endpoint that documents leave out.
   * Asked for when the first document is made. Default: any parameters and any JSON, but `outputSchema`.
   */
  readonly describe?: () => OperationDescription | undefined;
  /**
   * The operation on one record that its options say all of: others may write related records by them. Default none: a kind that
   * compiles itself has rules that nobody knows.
   */
  readonly rules?: 'create' | 'update' | 'delete' | undefined;
}

/** A kind that always tells documents what it takes and gives, as all of ours do. */
export interface DescribedKind extends CompiledKind {
  readonly describe: () => OperationDescription;
}

/** The traits of a kind, put together of those of its steps, in their order. Steps that are left out have none. */
export function traitsOf(...steps: readonly (KindTraits | undefined)[]): Required<KindTraits> {
  return {
    reads: [...new Set(steps.flatMap((step) => step?.reads ?? []))],
    reasons: steps.flatMap((step) => step?.reasons ?? []),
    columnUses: steps.flatMap((step) => step?.columnUses ?? []),
    isConditional: steps.some((step) => step?.isConditional === true),
    isOneStatement: steps.some((step) => step?.isOneStatement === true),
    readsOneMoment: steps.some((step) => step?.readsOneMoment === true),
    keepsAnswers: steps.some((step) => step?.keepsAnswers === true),
    records: steps.find((step) => step?.records !== undefined)?.records ?? 'live',
    representations: steps.flatMap((step) => step?.representations ?? []),
    warnings: steps.flatMap((step) => step?.warnings ?? []),
  };
}
