import { Backend } from '../../records/backends/backend.js';
import { statementModes } from '../../database/pool/statement.mode.js';
import { entity } from '../../model/entity.check.js';
import { secretComplaint } from '../../wire/secret.list.js';
import { OffsetPaging } from '../../query/offset.paging.js';
import { pagingChecks, searchLimitChecks } from '../../request/list.checks.js';
import { changeLogChecks } from '../request/change.origins.js';
import { checkOptions } from '../../options/checked.options.js';
import {
  boolean,
  callable,
  either,
  filledText,
  instanceOf,
  listOf,
  objectThat,
  objectWith,
  oneOfTexts,
  wholeNumber,
} from '../../options/checks.js';
import type { ChecksOf, OptionCheck } from '../../options/option.check.js';
import { everyModelCheck } from '../../access/every.model.js';
import type { PartitionOptions } from '../../access/partition.rule.js';
import type { RowLevelSecurityOptions } from '../../access/row.level.security.options.js';
import { mostSeconds, type ConsistencyOptions } from '../../replicas/consistency.options.js';
import { statusCode } from './endpoint.checks.js';
import { inheritedChecks } from './inherited.checks.js';
import { schemaChecks } from '../schemas/schema.options.js';
import type { ServiceOptions } from './service.options.js';
import type { BackendOfModel, RootOptions } from './settings.js';

const owner = 'EndpointsModule.forRoot';

/** The largest delay that Node's timers know (Node, timers). */
const largest = 2_147_483_647;

const limit = wholeNumber(0, largest);

const observers = 'objects that have a method requestEnded';

const serviceChecks = {
  drainTime: limit,
  closingTime: limit,
  maximumInFlight: limit,
  maximumReceiving: limit,
  receiveTimeout: limit,
  maximumSending: limit,
  maximumDelay: limit,
  requestLog: boolean,
  serverTiming: boolean,
  observers: listOf(observers, objectThat(observers, 'requestEnded')),
} as const satisfies ChecksOf<ServiceOptions>;

const consistencyChecks = {
  readYourWrites: either(
    `true, false, { seconds } with a whole number from 1 to ${mostSeconds}`,
    boolean,
    objectWith({ seconds: wholeNumber(1, mostSeconds) }),
  ),
} as const satisfies ChecksOf<ConsistencyOptions>;

const rowLevelSecurityChecks = {
  variables: callable,
  role: filledText,
} as const satisfies ChecksOf<RowLevelSecurityOptions>;

const partitionChecks = {
  column: filledText,
  value: callable,
  everyModelHasIt: everyModelCheck,
} as const satisfies ChecksOf<PartitionOptions>;

const backendChecks = {
  modelClass: entity,
  backend: instanceOf('a backend, whose class extends Backend', Backend, 'e.g. new TripsBackend()'),
} as const satisfies ChecksOf<BackendOfModel>;

/** A model without its backend would be served from MikroORM's database. */
const backends: OptionCheck = {
  allowed: 'a list of { modelClass, backend }',
  complaint: (value) => {
    const problem = listOf('{ modelClass, backend }', objectWith(backendChecks, ['modelClass', 'backend']));
    return problem.complaint(value) ?? repeated(value as readonly BackendOfModel[]);
  },
};

/** A secret is shown to nobody, not even where it is wrong. */
const secrets: OptionCheck = {
  allowed: 'a text of at least 32 bytes, or a list of them',
  complaint: secretComplaint,
};

/** The checks of the options of the whole application. */
export const rootChecks = {
  ...inheritedChecks,
  ...pagingChecks,
  ...searchLimitChecks,
  ...serviceChecks,
  ...consistencyChecks,
  ...schemaChecks,
  // A 401 has to say how to be let in (RFC 9110, 15.5.2), which no input error can.
  inputErrorsStatus: statusCode(200, 499, [401]),
  bodyLimit: wholeNumber(1, undefined, 'bytes'),
  maximumJsonDepth: wholeNumber(1, 1000, 'levels'),
  unknownPaths: oneOfTexts('all', 'own'),
  cursorSecret: secrets,
  requireContentType: boolean,
  idempotencySender: callable,
  adviseIndexes: boolean,
  statements: oneOfTexts(...statementModes),
  gatherReads: boolean,
  road: oneOfTexts('straight', 'platform'),
  rowLevelSecurity: objectWith(rowLevelSecurityChecks, ['variables']),
  partition: objectWith(partitionChecks, ['column', 'value']),
  changeLog: objectWith(changeLogChecks),
  live: objectThat('an object that makes streams, e.g. new LiveLists()', 'of', 'end', 'close'),
  idempotencyKeyTime: wholeNumber(1000, undefined, 'milliseconds'),
  backends,
} as const satisfies ChecksOf<RootOptions>;

/** @throws ConfigurationError for values that types refuse, but JavaScript and the environment do not */
export function checkRootOptions(options: RootOptions): void {
  checkOptions(owner, options, { checks: rootChecks });
  // Limits that contradict each other are this call's mistake, and not that of the first list.
  new OffsetPaging(owner, options);
}

function repeated(entries: readonly BackendOfModel[]): string | undefined {
  const models = entries.map(({ modelClass }) => modelClass);
  const twice = models.findIndex((model, index) => models.indexOf(model) !== index);
  return twice === -1 ? undefined : `entry ${twice + 1} is a second one of its modelClass`;
}
