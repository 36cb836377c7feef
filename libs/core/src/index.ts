export { EndpointsModule, type FeatureOptions } from './nest/endpoints.module.js';
export type { ConsistencyOptions, ReadYourWritesOptions } from './replicas/consistency.options.js';
export type { BackendOfModel, RootOptions } from './endpoint/options/settings.js';
export { setServerLimits, type ServerLimits } from './http/server.limits.js';
export {
  recommendedOptions,
  type DatabaseTimeLimits,
  type Pooler,
  type RecommendedOptions,
} from './database/pool/recommended.options.js';
export {
  recommendedMySqlOptions,
  type MySqlLimits,
  type MySqlOptions,
} from './database/mysql/mysql.options.js';

export { Aggregate, type AggregateOptions } from './kinds/read/aggregate.js';
export { Facets, type FacetsOptions } from './kinds/read/facets.js';
export { AdvancedSearch, type AdvancedSearchOptions } from './kinds/read/advanced-search.js';
export { Batch, type BatchOptions } from './kinds/batch/batch.js';
export { Callable, type CallableOptions, type CallOptions } from './kinds/callable/callable.js';
export { Create, type CreateOptions } from './kinds/write/create.js';
export { Upsert } from './kinds/write/upsert/upsert.js';
export type { UpsertOptions } from './kinds/write/upsert/upsert.options.js';
export { CreateMany, type CreateManyOptions } from './kinds/bulk/create-many.js';
export { Delete, type DeleteOptions } from './kinds/write/delete.js';
export { DeleteMany, type DeleteManyOptions } from './kinds/bulk/delete-many.js';
export { Restore, type RestoreOptions } from './kinds/write/soft/restore.js';
export { Purge, type PurgeOptions } from './kinds/write/soft/purge.js';
export { Get, type GetOptions } from './kinds/read/get.js';
export { History, type HistoryOptions } from './kinds/changes/history.js';
export type { TimeTravelOptions } from './kinds/changes/time.travel.js';
export { HealthCheck, type HealthCheckOptions } from './kinds/health/health-check.js';
export { List } from './kinds/read/list.js';
export type { ListOptions } from './kinds/read/listing.js';
export { RestfulApi } from './kinds/restful-api.js';
export type { RestfulApiOptions } from './kinds/restful-api.options.js';
export { SimpleSearch, type SimpleSearchOptions } from './kinds/read/simple-search.js';
export { Update, type UpdateOptions } from './kinds/write/update.js';
export { Export, type ExportOptions } from './kinds/transfer/export.js';
export { Import, type ImportOptions } from './kinds/transfer/import.js';
export { UpdateMany, type UpdateManyOptions } from './kinds/bulk/update-many.js';
export type { BulkOptions, BulkTargetOptions } from './kinds/bulk/bulk.options.js';

export type { ListColumnOptions } from './query/list.columns.js';
export type { PagingOptions } from './query/paging.js';
export type { SearchLimits } from './request/where.conditions.js';

export { Answers } from './endpoint/answers/answers.js';
export { PlainAnswers } from './endpoint/answers/plain.answers.js';
export { StandardAnswers } from './endpoint/answers/standard.answers.js';
export { EndpointGroup, type EndpointGroupOptions, type EndpointOrGroup } from './endpoint/endpoint.group.js';
export { Endpoint, type EndpointMethodOptions } from './nest/methods/endpoint.decorator.js';
export type {
  EndpointOptions,
  FilterOptions,
  IdempotencyOptions,
  IdempotencySender,
  InheritedOptions,
  JoinEntry,
  LookupOptions,
  ModelOptions,
  OutputContext,
  PreconditionOptions,
  QueryContext,
  ReadableOptions,
  ResponseHeaders,
  ValidationContext,
  ValidationMessages,
  WhereEntry,
  WriteableOptions,
} from './endpoint/options/endpoint.options.js';
export type { ToolOptions } from './endpoint/options/tool.options.js';
export type {
  NestedOperation,
  NestedOptions,
  WriteableRelation,
  WriteableRelations,
} from './endpoint/options/nested.options.js';
export type { SelectionOptions } from './endpoint/options/selection.options.js';
export type { HttpMethod } from './endpoint/http.method.js';
export type { RowLevelSecurityOptions, SessionVariables } from './access/row.level.security.options.js';
export type { InjectMap } from './endpoint/request/injection.js';
export { Shutdown } from './endpoint/shutdown.js';
export { shutDownOnSignals, type SignalOptions } from './http/closing/signals.js';
export type { ServiceOptions } from './endpoint/options/service.options.js';
export type { ObservedRequest, RequestObserver, Stage } from './endpoint/request/request.observer.js';
export { EndpointContext, type CurrentRequest, type EndpointFacts } from './endpoint/endpoint.context.js';
export type { RecordEvent } from './endpoint/announcements.js';
export type {
  CommitOptions,
  LifeCycleContext,
  LifeCycleHook,
  RemovalOptions,
  SaveOptions,
  WriteOperation,
} from './endpoint/options/life.cycle.options.js';
export {
  ChangeRecord,
  partedChangeRecord,
  type ChangeOperation,
  type RecordedValues,
} from './metadata/recorded/change.record.js';
export { changeTriggersSql } from './database/changes/change.triggers.js';
export { changeGrantsSql } from './database/changes/change.grants.js';
export { eraseChanges, pruneChanges } from './records/changes/kept.changes.js';
export { readChanges, type Change, type ChangePlace } from './records/changes/read.changes.js';
export { recordChanges, type RecordedOptions } from './metadata/recorded/recorded.options.js';
export type { ChangeLogOptions } from './endpoint/request/change.origins.js';
export type { LiveOptions, LiveSettings } from './endpoint/live/live.options.js';
export { IdempotencyRecord, partedIdempotencyRecord } from './records/idempotency/idempotency.record.js';
export type { Changes } from './records/record.store.js';
export {
  tokenOf,
  type CallableContext,
  type Injected,
  type PathParameterNames,
  type TokenOf,
} from './endpoint/request/callable.context.js';
export type { InputSchemaSource } from './request/schemas/input.schema.js';
export { StreamBody } from './wire/stream.body.js';
export type { RequestContext } from './access/request.context.js';
export type { Scoped, ScopedRecords } from './visibility/scoped.records.js';
export type { AdjustedQuery } from './visibility/adjusted.query.js';
export {
  Public,
  type Authentication,
  type Credentials,
  type SecurityScheme,
} from './access/authentication.js';
export { allOf, anyOf } from './access/combined.authorization.js';
export type { Limit, LimitContext, LimitKey, Verdict } from './access/limits/limit.js';
export type { Access, AccessSides, Operation, OperationAccess } from './access/operation.access.js';
export type { EveryModel } from './access/every.model.js';
export type {
  DeprecationOptions,
  DeprecationTarget,
  LinkedEndpoint,
} from './endpoint/versions/deprecation.options.js';
export type { SchemaOptions } from './endpoint/schemas/schema.options.js';
export type { AllowedSchemas } from './records/schemas/known.schemas.js';
export type { PartitionOptions } from './access/partition.rule.js';
export type { RecordScope, ScopeCondition } from './access/record.scope.js';
export { Authorization, type AuthorizationRequest, type AuthorizationRule } from './access/authorization.js';
export type { Preflight as PreflightFacts, SecurityHeader } from './access/security.header.js';
export { CacheControl } from './access/security-headers/cache-control.header.js';
export { Cors } from './access/security-headers/cors.header.js';
export { Csp } from './access/security-headers/csp.header.js';
export { Hsts } from './access/security-headers/hsts.header.js';
export { XContentTypeOptions } from './access/security-headers/x-content-type-options.header.js';
export { XFrameOptions } from './access/security-headers/x-frame-options.header.js';

export { Column, defineColumns, type ColumnDefinition } from './model/column.definition.js';
export {
  VirtualColumns,
  type ColumnNameOf,
  type ColumnOf,
  type ColumnPathOf,
  type ParentPathOf,
} from './model/column.name.js';
export { softDelete, type ChildrenRule, type SoftDeleteOptions } from './model/soft/soft.delete.js';
export { softDeleteFilter } from './model/soft/soft.delete.filter.js';
export type { RecordsView } from './model/soft/records.view.js';
export { ColumnType, type ColumnFacts, type DatabaseValue, type ListFacts } from './model/column.type.js';
export type { RuledType } from './model/validators/ruled.type.js';
export { BigIntegerColumn } from './model/columns/big-integer.column.js';
export { BooleanColumn } from './model/columns/boolean.column.js';
export { CreatedByAuthorizationDataColumn } from './model/columns/created-by/created-by-authorization-data.column.js';
export { CreatedByHeaderColumn } from './model/columns/created-by/created-by-header.column.js';
export { CreatedByIpColumn } from './model/columns/created-by/created-by-ip.column.js';
export { CreatedByRoutingDataColumn } from './model/columns/created-by/created-by-routing-data.column.js';
export { CreatedByUserAgentColumn } from './model/columns/created-by/created-by-user-agent.column.js';
export { CreatedByColumn } from './model/columns/created-by/created-by.column.js';
export { CreatedColumn } from './model/columns/created.column.js';
export { DateColumn } from './model/columns/date.column.js';
export { DatetimeColumn, type DatetimeOptions } from './model/columns/datetime.column.js';
export { DecimalColumn } from './model/columns/decimal.column.js';
export { EmailColumn } from './model/columns/email.column.js';
export { FloatColumn } from './model/columns/float.column.js';
export { IntegerColumn } from './model/columns/integer.column.js';
export { JsonColumn } from './model/columns/json.column.js';
export { ListColumn } from './model/columns/list.column.js';
export { ManyToManyIdsColumn } from './model/columns/many-to-many-ids.column.js';
export {
  FullTextColumn,
  type FullTextOptions,
  type TextWeight,
} from './model/columns/searched/full-text.column.js';
export { SimilarColumn, type SimilarOptions } from './model/columns/searched/similar.column.js';
export {
  VectorColumn,
  type EmbedContext,
  type VectorMetric,
  type VectorOptions,
} from './model/columns/searched/vector.column.js';
export { PointColumn, type Circle, type PointOptions } from './model/columns/searched/point.column.js';
export { PhoneColumn } from './model/columns/phone.column.js';
export { SelectColumn } from './model/columns/select.column.js';
export { StringColumn } from './model/columns/string.column.js';
export { TimestampColumn } from './model/columns/timestamp.column.js';
export { UpdatedByAuthorizationDataColumn } from './model/columns/updated-by/updated-by-authorization-data.column.js';
export { UpdatedByHeaderColumn } from './model/columns/updated-by/updated-by-header.column.js';
export { UpdatedByIpColumn } from './model/columns/updated-by/updated-by-ip.column.js';
export { UpdatedByRoutingDataColumn } from './model/columns/updated-by/updated-by-routing-data.column.js';
export { UpdatedByUserAgentColumn } from './model/columns/updated-by/updated-by-user-agent.column.js';
export { UpdatedColumn } from './model/columns/updated.column.js';
export { UuidColumn } from './model/columns/uuid.column.js';
export { NamedSchema, UnknownSchema, type JsonSchema } from './model/json.schema.js';
export type { SchemaSide } from './metadata/classes/class.schema.js';
export { jsonSchemaOf, type SchemaSource } from './metadata/schema.source.js';
export type { Comparison, Operator } from './model/operator.js';
export type {
  ClaimOf,
  CurrentIdentity,
  Identity,
  IdentityFunction,
  Register,
} from './model/registered.identity.js';
export type { RequestFacts } from './model/request.facts.js';
export type { TimeSpan } from './model/values/time.span.js';
export {
  EmptinessValidator,
  RecordValidator,
  SiblingValidator,
  ValueValidator,
  type ComplaintContext,
  type RecordQuestions,
  type SiblingContext,
  type Validator,
} from './model/validator.js';
export {
  Backend,
  type BackendCondition,
  type BackendQuery,
  type BackendRecord,
  type BackendSort,
} from './records/backends/backend.js';
export type { CountMode, Direction } from './query/query.plan.js';
export type { Bucket, Calculation } from './query/groups/calculation.js';
export type { BucketedColumn } from './query/groups/group.columns.js';
export { AfterColumn } from './model/validators/after-column.validator.js';
export { BeforeColumn } from './model/validators/before-column.validator.js';
export { InTheFuture } from './model/validators/in-the-future.validator.js';
export { InThePast } from './model/validators/in-the-past.validator.js';
export { MaximumLength } from './model/validators/maximum-length.validator.js';
export { MaximumValue } from './model/validators/maximum-value.validator.js';
export { MinimumLength } from './model/validators/minimum-length.validator.js';
export { MinimumValue } from './model/validators/minimum-value.validator.js';
export { Required } from './model/validators/required.validator.js';
export { Unique } from './model/validators/unique.validator.js';

export { endpointsFastifyOptions } from './http/platforms/fastify.platform.js';

export type { Casing } from './wire/casing.js';
export { ConfigurationError } from './wire/configuration.error.js';
export { DirectoryInUse } from './database/directory/directory.in.use.js';
export { DirectoryLock } from './database/directory/directory.lock.js';
export * as optionChecks from './options/checks.js';
export { checkArguments } from './options/checked.arguments.js';
export { checkOptions, type OptionRules } from './options/checked.options.js';
export type { ChecksOf, OptionCheck, OptionChecks } from './options/option.check.js';
export {
  BadRequest,
  Conflict,
  InvalidInput,
  NotAuthenticated,
  NotAuthorized,
  NotFound,
  PreconditionFailed,
  PreconditionRequired,
  Refusal,
  ServiceUnavailable,
} from './wire/refusals.js';
