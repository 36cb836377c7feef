import { describe, expect, test } from '@jest/globals';
import { ConfigurationError, EndpointsModule } from '@nest-endpoints/core';
import { startUpError } from '../support/application.js';
import { books, libraryWith } from '../support/endpoints.js';
import { everyKind, type Kind } from '../support/every.kind.js';
import { values, type Value } from '../support/odd.values.js';

const text = ['text', 'empty text'] as const;
const filled = ['text'] as const;
const flag = ['true', 'false'] as const;
const from0 = ['one', 'zero'] as const;
const from1 = ['one'] as const;
const call = ['function'] as const;
const texts = ['empty list', 'list of a text'] as const;
const map = ['object'] as const;
const none = [] as const;
const schema = ['function', 'class', 'object', 'other object', 'instance'] as const;

/** What of the values is right. A new option needs a row here, and a check in its kind. */
const right: Readonly<Record<string, readonly Value[]>> = {
  url: text,
  requestMethods: none,
  summary: filled,
  description: text,
  tag: filled,
  hidden: flag,
  inBatches: flag,
  deprecated: ['false'],
  limits: ['empty list'],
  title: filled,
  schema: filled,
  resources: texts,
  login: none,
  externalNames: map,
  version: ['text', 'list of a text'],
  outputSchema: schema,
  tool: ['false', 'object'],
  guards: ['empty list', 'list of a class'],
  interceptors: ['empty list', 'list of a class'],
  decorators: ['empty list', 'list of a function'],
  responseHeaders: ['empty list', 'function'],
  securityHeaders: ['empty list'],
  authentication: none,
  timeout: from0,
  stallTimeout: from0,
  authorization: none,
  access: map,
  internalCasing: none,
  externalCasing: none,
  answers: none,
  modelClass: ['class'],
  columnOverrides: map,
  parent: filled,
  transformInputTypes: flag,
  readableColumnNames: texts,
  clientSelectsColumns: flag,
  includableColumnNames: texts,
  writeableColumnNames: texts,
  sortableColumnNames: texts,
  searchableColumnNames: texts,
  defaultSortColumnName: filled,
  defaultSortDirection: none,
  groupByColumnName: filled,
  recordLookupColumnName: filled,
  idColumnName: filled,
  outputMap: call,
  inputValidationCallable: call,
  where: ['empty list', 'list of a text', 'list of an object', 'list of a function'],
  joins: ['empty list', 'list of a text', 'list of a function'],
  idempotency: flag,
  idempotencySender: call,
  preconditionRequired: flag,
  inject: map,
  beforeSave: call,
  afterSave: call,
  beforeDelete: call,
  afterDelete: call,
  afterCommit: call,
  includeRoutingDataInRequestData: flag,
  createStatus: none,
  defaultLimit: from1,
  maximumLimit: from0,
  pagination: none,
  count: none,
  records: none,
  trash: [...flag, 'object'],
  maximumInValues: from1,
  maximumConditions: from1,
  maximumWildcards: from1,
  requiredColumnNames: texts,
  limit: from1,
  minimumGroupSize: from1,
  groupableColumnNames: texts,
  measurableColumnNames: map,
  maximumGroupings: from1,
  timeZone: filled,
  clientSelectsTimeZone: flag,
  facetColumnNames: ['list of a text'],
  ignoreOwnTerm: flag,
  withCounts: flag,
  aggregate: map,
  facets: none,
  timeTravel: flag,
  live: [...flag, 'object'],
  narrowedBy: texts,
  ...{ showsActor: flag, showsContext: flag },
  history: [...flag, 'object'],
  changeLog: ['object'],
  export: [...flag, 'object'],
  import: [...flag, 'object'],
  writeableRelations: map,
  maximumDepth: from1,
  mode: none,
  maximumBytes: from1,
  snapshot: flag,
  formulas: none,
  byteOrderMark: flag,
  inputSchema: ['function', 'class'],
  pathSchema: ['function', 'class'],
  querySchema: ['function', 'class'],
  returnStandardResponse: flag,
  returnRecords: flag,
  toCall: call,
  dependencyInjectionNames: ['empty list', 'list of a text', 'list of a function', 'list of a class'],
  classesToBuild: ['empty list', 'list of a class'],
  callables: ['empty list', 'list of a function'],
  checkTimeout: from1,
  failsOnShutdown: flag,
  schemaFormat: none,
  schemaConfiguration: ['object', 'other object'],
  wholeApplication: flag,
  maximumOperations: from1,
  ...{ tools: ['empty list', 'list of a text', 'function'], maximumTools: from1 },
  ...{ answerLimit: none, resource: none, authorizationServers: ['empty list'], scopes: texts },
  ...{ origins: ['empty list'], name: filled, instructions: filled, legacy: none },
  endpoints: ['empty list'],
  readOnly: flag,
  upsert: flag,
  conflictColumnNames: texts,
  onConflict: none,
  replaces: flag,
  bulk: ['true', 'false', 'empty list'],
  bulkUrl: filled,
  maximumRecords: from1,
  answer: none,
  byConditions: flag,
  documentation: map,
  cursor: ['object', 'other object', 'instance'],
  cursorDependencyName: ['text', 'symbol', 'function', 'class'],
  allowInput: flag,
  allowUnauthenticated: flag,
  command: none,
  sql: ['empty list', 'list of a text'],
  includeModuleMigrations: flag,
  moduleMigrations: texts,
  allowDestructive: flag,
  renames: ['empty list'],
  fills: ['object'],
  unmanaged: texts,
  lockTimeout: from1,
  waitTimeout: from1,
  drainTime: from0,
  closingTime: from0,
  maximumInFlight: from0,
  maximumReceiving: from0,
  receiveTimeout: from0,
  maximumSending: from0,
  maximumDelay: from0,
  requestLog: flag,
  serverTiming: flag,
  observers: ['empty list'],
  readYourWrites: [...flag, 'object'],
  inputErrorsStatus: none,
  bodyLimit: from1,
  maximumJsonDepth: from1,
  unknownPaths: none,
  cursorSecret: none,
  requireContentType: flag,
  adviseIndexes: flag,
  statements: none,
  gatherReads: flag,
  road: none,
  rowLevelSecurity: none,
  partition: none,
  schemaOf: none,
  schemas: ['list of a text'],
  schemasAtOnce: from1,
  idempotencyKeyTime: none,
  backends: ['empty list'],
  createManyEndpoint: ['null'],
  updateManyEndpoint: ['null'],
  deleteManyEndpoint: ['null'],
  ...Object.fromEntries(
    ['create', 'list', 'get', 'update', 'upsert', 'delete'].flatMap((name) => [
      [`${name}Endpoint`, ['null']],
      [`${name}RequestMethods`, none],
    ]),
  ),
};

/** What is wrong for an option beside the general rule: a document's page has no path of its own, say. */
const wrongFor: Readonly<Record<string, readonly Value[]>> = {
  'Schema.outputSchema': schema,
  'Batch.outputSchema': schema,
  'Mcp.outputSchema': schema,
  'Mcp.tool': ['false', 'object'],
  'Mcp.maximumLimit': ['zero'],
  'DocsPage.url': ['empty text'],
  'AdminPage.url': ['empty text'],
  'Aggregate.maximumLimit': ['zero'],
  'Facets.maximumLimit': ['zero'],
  'History.maximumLimit': ['zero'],
};

/** The error of making a kind with a value, as a test compares it; undefined where there is none. */
const complaintOf = ({ make, options }: Kind, option: string, value: unknown): string | undefined => {
  try {
    make({ ...options, [option]: value });
    return undefined;
  } catch (error) {
    if (!(error instanceof ConfigurationError)) return `${String(error)}, which is no ConfigurationError`;
    return error.option === option ? error.message : `${error.message}, which is about another option`;
  }
};

const optionsOf = everyKind.flatMap((kind) =>
  kind.optionNames.map((option): [string, string, Kind] => [kind.name, option, kind]),
);

describe.each(optionsOf)('%s, %s', (name, option, kind) => {
  test('A value of a wrong type stops the start', () => {
    const accepted = right[option];
    expect(accepted).toBeDefined();
    const refused = wrongFor[`${name}.${option}`] ?? [];
    for (const [label, value] of Object.entries(values)) {
      const isRight = accepted?.includes(label as Value) === true && !refused.includes(label as Value);
      const complaint = complaintOf(kind, option, value);
      if (isRight) expect([label, complaint]).toEqual([label, undefined]);
      else expect([label, complaint]).toEqual([label, expect.stringMatching(named(name, option))]);
    }
  });
});

/** A message that names the kind, the option, and what is allowed or lacks. */
const named = (name: string, option: string): RegExp =>
  new RegExp(`^${name} '.*': ${option}: .*(allowed: .|is required|'key: value')`, 's');

const kinds = everyKind.map((kind): [string, Kind] => [kind.name, kind]);

describe.each(kinds)('%s', (name, kind) => {
  test('An unknown option stops the start, and the nearest name is said', () => {
    const misspelt = complaintOf(kind, 'authenticaton', {});
    expect(misspelt).toMatch(
      new RegExp(`^${name} '.*': authenticaton: .*did you mean 'authentication'.*allowed: .*url`, 's'),
    );
    expect(complaintOf(kind, 'somethingElse', 1)).toMatch(/: somethingElse: is no option here; allowed: /);
    expect(complaintOf(kind, 'constructor', 1)).toMatch(/: constructor: is no option here/);
  });

  test('Options that are no object stop the start', () => {
    for (const options of [undefined, null, 'books', 5, [], Promise.resolve({}), () => ({})])
      expect(() => kind.make(options as object)).toThrow(
        expect.objectContaining({ name: 'ConfigurationError', owner: expect.stringContaining(name) }),
      );
  });
});

const root = Object.keys(EndpointsModule.optionChecks);

describe.each(root)('%s', (option) => {
  test('A value of a wrong type in forRoot stops the start', async () => {
    expect(right[option]).toBeDefined();
    for (const value of [Symbol('x'), Promise.resolve(), [undefined], NaN]) {
      const message = await startUpError(libraryWith([books()], { root: { [option]: value } }));
      expect(message).toContain(`EndpointsModule.forRoot: ${option}: `);
    }
  });
});

test('An unknown option of forRoot stops the start', async () => {
  const wrong = { authenticaton: {} } as object;
  expect(await startUpError(libraryWith([books()], { root: wrong }))).toMatch(
    /^EndpointsModule.forRoot: authenticaton: .*did you mean 'authentication'/,
  );
});
