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
export type { KindContext, Neighbour, RulingEndpoint } from './endpoint/kind.context.js';
export type { ModelSource } from './endpoint/endpoint.models.js';
export type { EndpointRequest } from './endpoint/request/endpoint.request.js';
export type { Injection, Providers } from './endpoint/request/injection.js';
export type { Announcements } from './endpoint/announcements.js';
export type { PathParameters } from './endpoint/route.pattern.js';
export { PlainReply, RawReply, TextReply, type RecordReply, type Reply } from './endpoint/reply.js';
export type { Representation } from './endpoint/answers/representation.js';
export type { HeaderLines } from './wire/answer.js';
export type { AnswerFormat, PageSource, RefusalFacts } from './wire/answer.format.js';
export type { AnswerPlace, AnswerSchemas } from './endpoint/answers/answers.js';
export type { Pagination } from './wire/pagination.js';
export { NameTable } from './wire/name.table.js';
export { outcomes, type Outcome } from './wire/outcome.table.js';

// Options: their checks, and the types that know columns by their names
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
  token,
  writeableChecks,
} from './endpoint/options/endpoint.checks.js';
export { selectionChecks } from './endpoint/options/selection.options.js';
export { recordsChecks } from './endpoint/options/records.options.js';
export { pagingChecks, searchLimitChecks } from './request/list.checks.js';
export type { NamesOf, OptionsOf } from './endpoint/options/given.options.js';
export type { LookupUrl } from './endpoint/options/lookup.url.js';
export type { ColumnsOf } from './model/column.name.js';

// Models, queries and rows
export type { ColumnPath, Model } from './model/model.js';
export { typeComplaint, type Column as ModelColumn } from './model/column.js';
export type {
  Condition,
  ConditionGroup,
  Criterion,
  ListPlan,
  SelectedColumn,
  Selection,
} from './query/query.plan.js';
export { conditionOf } from './query/condition.js';
export { selectionOf } from './query/selection.js';
export { ListColumns } from './query/list.columns.js';
export type { Paging } from './query/paging.js';
export type { PlanSource } from './query/plan.source.js';
export { ListParameters, type PlanRequest } from './request/list.parameters.js';
export { SearchBody } from './request/search.body.js';
export type { Row, RowLayout } from './sql/row.layout.js';
export type { RecordFilter } from './visibility/record.filter.js';
export type { Session } from './visibility/session.js';
export type { ColumnUse } from './records/index.advice.js';
export type {
  ColumnValues,
  RecordKey,
  RecordReading,
  RecordStore,
  RecordWriting,
  RowPage,
  StoredRecord,
} from './records/record.store.js';

// Steps that find and answer
export { RecordLookup } from './kinds/record/record.lookup.js';
export { RecordLocator } from './kinds/record/record.locator.js';
export {
  narrowedBy,
  recordOutput,
  type ChosenColumns,
  type RecordOutput,
} from './kinds/record/record.output.js';
export { SelectableOutput } from './kinds/record/selectable.output.js';
export { onceEach } from './kinds/record/once.each.js';
export { EntityTags } from './kinds/record/entity.tags.js';
export { RecordVersion } from './kinds/record/record.version.js';
export { conditional, conditionalRead, isKnown } from './kinds/record/known.answer.js';
export { Listing, requiredByLists, type PlanReader } from './kinds/read/listing.js';
export { CallableOutput } from './kinds/callable/callable.output.js';

// Steps that judge and write
export { RoutingInput } from './kinds/record/routing.input.js';
export { InputJudge } from './kinds/write/input.judge.js';
export { CallableInputReader } from './kinds/callable/callable.input.js';
export { LifeCycle } from './kinds/write/life.cycle.js';
export { WritePrecondition } from './kinds/write/write.precondition.js';
export { Idempotency } from './kinds/write/idempotency.js';
export { ConflictColumns } from './kinds/write/upsert/conflict.columns.js';
export { UpsertLifeCycle } from './kinds/write/upsert/upsert.life.cycle.js';
export { UpsertPrecondition } from './kinds/write/upsert/upsert.precondition.js';
export { locationHeader, RecordPlace } from './kinds/write/record.place.js';
export { recordWrites, type RecordWrites } from './kinds/write/record.writes.js';
export type { RecordInput } from './request/record.input.js';
export type {
  ExpectedVersions,
  UpsertAnswer,
  UpsertTarget,
  WriteAnswer,
  Writes,
  WriteTarget,
} from './records/writes/writes.js';
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
  casingSuffix,
  lookupParameter,
  lookupRefusals,
  one,
  selectionParameters,
  shownAnswer,
  shownRecord,
  subjectOf,
  writtenRecord,
} from './kinds/record/record.description.js';
export { emptyObject } from './model/json.schema.js';
export { textualSchema } from './model/column.schema.js';
