// What the other packages of this repository need of this one, and applications do not. It may change in any version.

export type {
  ApiDocumentation,
  DocumentedOutput,
  DocumentedRoute,
  DocumentedTag,
  MountedEndpoint,
  RoutedEndpoint,
} from './endpoint/description/api.documentation.js';
export type { DocumentedOperation, OpenApiObject, ParameterObject } from './endpoint/description/open.api.js';
export { classOf, definitionsOf } from './model/column.definition.js';
export { propertiesAt } from './metadata/keys/entity.path.js';
export { everyModelCheck, misfitOf } from './access/every.model.js';
export { scopedFilter } from './access/scoped.filter.js';
export { ownSchemas } from './records/schemas/known.schemas.js';
export { isSchemaName, isSchemaPattern, schemasNamed } from './records/schemas/schema.name.js';
export type { PartAnswer, PartRequest } from './endpoint/dispatch.js';
export { markAsCommand } from './endpoint/request/command.request.js';
export { InProcessClient } from './http/dispatch/in-process.client.js';
export type { DispatchedRequest } from './http/dispatch/dispatched.request.js';
export {
  beginCommand,
  mayPostpone,
  postpone,
  postponeStartWork,
  runsCommand,
} from './endpoint/request/postponed.work.js';
export { envelopeOf, type Envelope } from './wire/envelope.reading.js';
export { ApplicationDocumentation } from './nest/documentation/application.documentation.js';
export { ChangeSweep } from './nest/change.sweep.js';
export { NestProviders } from './nest/providers/nest.providers.js';
export { identityKey } from './endpoint/limits/identity.key.js';
export { characters } from './model/values/characters.js';
export { didYouMean } from './options/nearest.name.js';
export { isStorable } from './model/values/storable.text.js';
export { senderText } from './kinds/write/request.sender.js';
export { networkOf } from './endpoint/limits/network.address.js';
export { ToldEntity } from './endpoint/told/told.entity.js';
export type { ChangeAudience } from './endpoint/told/change.audience.js';
export type { RootOptions } from './endpoint/options/settings.js';
export { rootOptionsToken } from './http/tokens.js';
export { isRounded } from './model/values/rounded.number.js';
export { rawQuery } from './database/raw.query.js';
export { databaseCode, databaseReason, lostConnectionOr } from './database/errors/database.error.js';
export { triedAgain } from './database/transactions/trials.js';
export { atMost } from './limits/bounded.wait.js';
export { Cancellation } from './limits/cancellation.js';
export { Deprecation } from './endpoint/versions/deprecation.js';
export { liveSettingChecks } from './endpoint/live/live.options.js';
export type {
  LiveSource,
  LiveStreams,
  SeenRecord,
  SeenRecords,
  Sight,
} from './endpoint/live/live.streams.js';
export { changePlace, readChangedKeys, readChangePage } from './records/changes/read.changes.js';
export { jsonAsRead } from './wire/json.text.js';
export { Seal } from './wire/seal.js';
export { ContentTooLarge, RefusedValue, RequestTimeout, TooManyRequests } from './wire/refusals.js';
export { plannedRows } from './records/distributed/planned.rows.js';
