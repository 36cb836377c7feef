export { frontName } from './document/column.names.js';
export type { ApiDocument, ApiOperation, ApiSchema } from './document/api.document.js';
export type { Action, Resource, ResourceCall, ResourceColumn } from './document/resource.js';
export { EndpointsClient } from './endpoints.client.js';
export { queryKey, queryKeyOf, type InputOf, type OperationOf, type QueryKey } from './query.key.js';
export type {
  ColumnCondition,
  ReadOptions,
  RecordCondition,
  RecordData,
  RecordId,
  RecordPage,
  RecordQuery,
  RecordSort,
  VersionedRecord,
  WriteOptions,
} from './records/record.query.js';
export type { Records } from './records/records.js';
export type { Answer, AnswerPage } from './wire/answer.js';
export type { ClientOptions, Given } from './wire/client.options.js';
export { EndpointsError } from './wire/endpoints.error.js';
export type { ClientRequest } from './wire/client.request.js';
