import type { Handler } from '../endpoint/endpoint.js';
import type { OperationDescription } from '../endpoint/operation.description.js';
import type { RouteLeaf } from '../routing/route.tree.js';
import type { ColumnUse } from '../records/index.advice.js';
import type { RequestEntityManager } from '../records/database.js';
import type { AnswerStyle } from './answers/answer.style.js';

/** An endpoint that is ready to answer. */
export interface CompiledEndpoint {
  readonly leaf: RouteLeaf;
  readonly style: AnswerStyle;
  readonly handler: Handler;
  /** What it takes and gives; undefined for an endpoint that documents leave out. */
  readonly describe: () => OperationDescription | undefined;
  /** How it reaches its records, in words for the log; undefined when it has none. */
  readonly way: string | undefined;
  /** The columns that clients may sort and search by. */
  readonly columnUses: readonly ColumnUse[];
  /** A new entity manager for functions of the user's configuration that ask for one. */
  readonly fork: () => RequestEntityManager;
}
