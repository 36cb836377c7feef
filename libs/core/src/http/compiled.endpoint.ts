import type { Type } from '@nestjs/common';
import type { ColumnType } from '../model/column.type.js';
import type { Handler } from '../endpoint/compiled.kind.js';
import type { Database } from '../database/database.js';
import type { EndpointFacts } from '../endpoint/endpoint.context.js';
import type { OperationDescription } from '../endpoint/description/operation.description.js';
import type { RouteLeaf } from '../routing/route.tree.js';
import type { TellingUnique } from '../access/telling.uniques.js';
import type { ColumnUse } from '../records/index.advice.js';
import type { RulingEndpoint } from '../endpoint/kind.context.js';
import type { EndpointAccess } from '../endpoint/endpoint.access.js';
import type { EndpointRequest } from '../endpoint/request/endpoint.request.js';
import type { Session } from '../visibility/session.js';
import type { LimitGate } from '../endpoint/limits/limit.gate.js';
import type { Deprecation } from '../endpoint/versions/deprecation.js';
import type { NameTable } from '../wire/name.table.js';
import type { AnswerStyle } from './answers/answer.style.js';

/** An endpoint that is ready to answer. */
export interface CompiledEndpoint {
  readonly leaf: RouteLeaf;
  /** The controller that Nest has for it. */
  readonly controller: Type;
  readonly facts: EndpointFacts;
  /** The `comment` of its entity, for documents. */
  readonly modelComment: string | undefined;
  /** The endpoint as others write records by its rules. */
  readonly ruling: RulingEndpoint;
  /** True if its requests may be operations of a Batch. */
  readonly isBatchable: boolean;
  /** Undefined in an application without MikroORM. */
  readonly database: Database | undefined;
  readonly style: AnswerStyle;
  /** Its internal names ↔ external names. */
  readonly names: NameTable;
  readonly handler: Handler;
  /** Answers requests with `If-None-Match`; the {@link handler} where they are like others. */
  readonly conditionalHandler: Handler;
  /** Describes what it takes and gives; undefined for an endpoint that documents leave out. */
  readonly describe: () => OperationDescription | undefined;
  /** The way to its records, in words for the log; undefined when it has none. */
  readonly way: string | undefined;
  /** The columns that clients may sort and search by. */
  readonly columnUses: readonly ColumnUse[];
  /** The unique columns and indexes of its entity that tell of records which a request never sees. */
  readonly tellingUniques: readonly TellingUnique[];
  /** The sentences to warn with, which follow its name. */
  readonly warnings: readonly string[];
  /** The types of its entity's columns that take their values from a request. */
  readonly fillers: readonly ColumnType[];
  /** Headers of requests that its kind reads. */
  readonly requestHeaders: ReadonlySet<string>;
  /** Undefined where everybody may use it, and nothing is asked to know it. */
  readonly access: Pick<EndpointAccess, 'authenticate' | 'authorize'> | undefined;
  /** The deprecation by which it stops answering at some time; undefined for one that goes on. */
  readonly ending: Deprecation | undefined;
  /** Counts its requests; undefined where it has no limits. */
  readonly limits: LimitGate | undefined;
  /** The time that the handler may take, in milliseconds; 0: no limit. */
  readonly timeout: number;
  /** Opens the session through which a request reads and writes. */
  readonly open: (request: EndpointRequest) => Session;
}
