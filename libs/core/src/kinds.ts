// For people who write kinds: all that ours are made of. Applications that only use kinds need nothing of it.

// A kind, what it compiles with, and what it gives
export { Endpoint as EndpointKind, type Effect } from './endpoint/endpoint.js';
export {
  traitsOf,
  type CompiledKind,
  type DescribedKind,
  type Handler,
  type KindTraits,
} from './endpoint/compiled.kind.js';
export type { KindContext } from './endpoint/kind.context.js';
export type { ModelSource } from './endpoint/endpoint.models.js';
export type { EndpointRequest } from './endpoint/request/endpoint.request.js';
export type { Injection, Providers } from './endpoint/request/injection.js';
export type { Announcements } from './endpoint/announcements.js';
export type { PathParameters } from './endpoint/route.pattern.js';
export { PlainReply, RawReply, TextReply, type RecordReply, type Reply } from './endpoint/reply.js';

// Options
export {
  filterChecks,
  idempotencyChecks,
  inject,
  lookupChecks,
  modelChecks,
  preconditionChecks,
  readableChecks,
  removalChecks,
  saveChecks,
  statusCode,
  writeableChecks,
} from './endpoint/options/endpoint.checks.js';
export { pagingChecks } from './request/list.checks.js';

// Models and rows
export type { Model, ColumnPath } from './model/model.js';
export { typeComplaint, type Column as ModelColumn } from './model/column.js';
export type { Condition, ListPlan, Selection } from './query/query.plan.js';
export { conditionOf } from './query/condition.js';
export { selectionOf } from './query/selection.js';
export type { Paging } from './query/paging.js';
export type { Row, RowLayout } from './sql/row.layout.js';
export type { RecordFilter } from './visibility/record.filter.js';
export type { Session } from './visibility/session.js';
export type {
  ColumnValues,
  RecordKey,
  RecordReading,
  RecordStore,
  RecordWriting,
  StoredRecord,
} from './records/record.store.js';

// Steps
export { RecordLookup } from './kinds/record/record.lookup.js';
export { RecordLocator } from './kinds/record/record.locator.js';
export { recordOutput, type RecordOutput } from './kinds/record/record.output.js';
export { EntityTags } from './kinds/record/entity.tags.js';
export { RecordVersion } from './kinds/record/record.version.js';
export { conditional, conditionalRead } from './kinds/record/known.answer.js';
export { RoutingInput } from './kinds/record/routing.input.js';
export { InputJudge } from './kinds/write/input.judge.js';
export { LifeCycle } from './kinds/write/life.cycle.js';
export { WritePrecondition } from './kinds/write/write.precondition.js';
export { Idempotency } from './kinds/write/idempotency.js';
export { recordWrites, type RecordWrites } from './kinds/write/record.writes.js';
export type { RecordInput } from './request/record.input.js';
export type { ExpectedVersions, WriteAnswer, Writes, WriteTarget } from './records/writes/writes.js';
export type { UnitWrites } from './records/writes/unit.writes.js';

// Descriptions
export type {
  AnswerDescription,
  BodyDescription,
  EnvelopedAnswer,
  HeaderDescription,
  OperationDescription,
  PagingDescription,
  RawAnswerDescription,
} from './endpoint/description/operation.description.js';
export {
  asksCallables,
  lookupParameter,
  lookupRefusals,
  one,
  shownAnswer,
  shownRecord,
  subjectOf,
  writtenRecord,
} from './kinds/record/record.description.js';
