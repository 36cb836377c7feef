import { describe, expect, test } from '@jest/globals';
import { Jwks, JwksStrategyModule, RequireClaims, RequireScopes, SecretBearer } from '@nest-endpoints/auth';
import { runCli } from '@nest-endpoints/cli';
import {
  AfterColumn,
  BeforeColumn,
  CacheControl,
  Cors,
  CreatedByAuthorizationDataColumn,
  CreatedByHeaderColumn,
  CreatedByIpColumn,
  CreatedByRoutingDataColumn,
  Csp,
  DatetimeColumn,
  DecimalColumn,
  EndpointsModule,
  FloatColumn,
  InTheFuture,
  InThePast,
  IntegerColumn,
  ListColumn,
  ManyToManyIdsColumn,
  MaximumLength,
  MaximumValue,
  MinimumLength,
  MinimumValue,
  recommendedOptions,
  SelectColumn,
  setServerLimits,
  StringColumn,
  TimestampColumn,
  XFrameOptions,
} from '@nest-endpoints/core';
import { startUpError } from '../support/application.js';
import { books, libraryWith } from '../support/endpoints.js';

/** What takes arguments, as JavaScript calls it. */
type Unjudged = (...parameters: readonly unknown[]) => unknown;

const made =
  (type: unknown): Unjudged =>
  (...parameters) =>
    Reflect.construct(type as new () => object, parameters);

const keys = {
  jwksUrl: 'https://login.example/keys',
  audience: 'https://api.example/',
  issuer: 'https://login.example/',
};
const server = { getHttpServer: () => ({}) };
const wrongNumbers = ['5', null, NaN, Infinity, 5n, [5], {}];
const wrongLengths = [...wrongNumbers, -1, 1.5, undefined];
const wrongNames = ['', ' ', null, 5, undefined, ['x'], () => 'x'];

/** What is called, the parameter or option, and values that are wrong for it. */
const parameters: readonly (readonly [string, Unjudged, string, readonly unknown[]])[] = [
  ['MaximumLength', made(MaximumLength), 'maximumLength', wrongLengths],
  ['MinimumLength', made(MinimumLength), 'minimumLength', wrongLengths],
  ['MaximumValue', made(MaximumValue), 'maximum', [...wrongNumbers, undefined]],
  ['MinimumValue', made(MinimumValue), 'minimum', [...wrongNumbers, undefined]],
  ['InThePast', made(InThePast), 'now', [5, new Date(), null]],
  ['InTheFuture', made(InTheFuture), 'now', [5, new Date(), null]],
  ['AfterColumn', made(AfterColumn), 'siblingColumnName', wrongNames],
  ['BeforeColumn', made(BeforeColumn), 'siblingColumnName', wrongNames],
  ['SelectColumn', made(SelectColumn), 'values', ['red', [undefined], [NaN], [null], {}, undefined]],
  ['IntegerColumn', made(IntegerColumn), 'minimum', wrongNumbers],
  ['IntegerColumn', (value) => made(IntegerColumn)(5, value), 'maximum', [4, '6', NaN, null]],
  ['DecimalColumn', made(DecimalColumn), 'precision', [0, '5', NaN, 1.5]],
  ['DecimalColumn', (value) => made(DecimalColumn)(5, value), 'scale', [-1, 6, '2', NaN, null]],
  ['FloatColumn', made(FloatColumn), 'precision', ['dubble', 2, null]],
  ['ListColumn', made(ListColumn), 'items', [StringColumn, 'String', null, {}]],
  ['ManyToManyIdsColumn', made(ManyToManyIdsColumn), 'key', [StringColumn, 'String', null, undefined, {}]],
  [
    'TimestampColumn',
    (value) => made(TimestampColumn)(undefined, undefined, value),
    'storedAs',
    ['instants', 1, null],
  ],
  [
    'JwksStrategyModule',
    (value) => JwksStrategyModule.register(value as Jwks),
    'jwks',
    [undefined, null, Jwks, 'jwks', {}],
  ],
  [
    'JwksStrategyModule',
    (value) => JwksStrategyModule.register(new Jwks(keys), value as string),
    'name',
    ['', ' ', null, 5, ['jwks']],
  ],
  ['CreatedByColumn', made(CreatedByIpColumn), 'type', [StringColumn, 'String', null, {}]],
  ['CreatedByHeaderColumn', made(CreatedByHeaderColumn), 'header', wrongNames],
  ['CreatedByRoutingDataColumn', made(CreatedByRoutingDataColumn), 'parameter', wrongNames],
  ['CreatedByAuthorizationDataColumn', made(CreatedByAuthorizationDataColumn), 'claim', wrongNames],
  [
    'Cors',
    made(Cors),
    'origin',
    [...wrongNames, 'app.example', 'https://a.example/', 'https://a, https://b', ['*']],
  ],
  ['Csp', made(Csp), 'policy', ['', null, 5, {}]],
  ['CacheControl', made(CacheControl), 'directives', ['', null, 5, ['no-store']]],
  ['XFrameOptions', made(XFrameOptions), 'value', ['deny', 'ALLOWALL', null, 5]],
  ['RequireScopes', made(RequireScopes), 'scopes', ['', null, 5, {}, []]],
  [
    'RequireClaims',
    made(RequireClaims),
    'claims',
    ['', null, 5, [], {}, { role: undefined }, { role: null }, { role: [] }, { role: {} }, () => 'x'],
  ],
  [
    'setServerLimits',
    (value) => setServerLimits(value as never),
    'app',
    [undefined, null, {}, 'app', Promise.resolve(server)],
  ],
  [
    'runCli',
    (value) => runCli(value as never),
    'source',
    [undefined, null, 'AppModule', Promise.resolve({})],
  ],
  ['runCli', (value) => runCli(EndpointsModule, value as never), 'argv', ['list', [5], null]],
];

const complaintOf = async (call: Unjudged, value: unknown): Promise<string> => {
  try {
    await call(value);
    return 'it is accepted';
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  }
};

describe.each(parameters)('%s', (name, call, parameter, values) => {
  test('An argument of a wrong type is a ConfigurationError that names what is allowed', async () => {
    for (const value of values)
      expect([value, await complaintOf(call, value)]).toEqual([
        value,
        expect.stringMatching(new RegExp(`^ConfigurationError: ${name}: ${parameter}: .*allowed: .`)),
      ]);
  });
});

/** What takes options, an option that is misspelt, the nearest one, and wrong values of one. */
const options: readonly (readonly [string, Unjudged, string, string, readonly unknown[]])[] = [
  [
    'setServerLimits',
    (value) => setServerLimits(server, value as never),
    'headerTimeout',
    'headersTimeout',
    wrongLengths,
  ],
  [
    'recommendedOptions',
    (value) => recommendedOptions(value as never),
    'statementTimout',
    'statementTimeout',
    wrongLengths,
  ],
  [
    'recommendedOptions',
    (value) => recommendedOptions(value as never),
    'poller',
    'pooler',
    ['session', true, null],
  ],
  ['runCli', (value) => runCli(EndpointsModule, [], value as never), 'nam', 'name', ['', 5, null]],
  [
    'runCli',
    (value) => runCli(EndpointsModule, [], value as never),
    'configur',
    'configure',
    ['x', null, {}],
  ],
  [
    'runCli',
    (value) => runCli(EndpointsModule, [], value as never),
    'httpAdaptor',
    'httpAdapter',
    ['x', null, {}],
  ],
  ['DatetimeColumn', made(DatetimeColumn), 'precison', 'precision', ['minutes', 3, null]],
  ['List', (value) => made(ListColumn)(undefined, value), 'maximumItem', 'maximumItems', wrongLengths],
  [
    'SecretBearer',
    (value) => made(SecretBearer)({ environmentKey: 'X', environment: { X: 'x' }, ...(value as object) }),
    'headerPrefx',
    'headerPrefix',
    [5, null, {}],
  ],
  [
    'SecretBearer',
    (value) => made(SecretBearer)({ environmentKey: 'X', environment: { X: 'x' }, ...(value as object) }),
    'documentationSecurityNam',
    'documentationSecurityName',
    [5, null, '', 'a b'],
  ],
];

describe.each(options)('%s', (name, call, misspelt, option, values) => {
  test('An option of a function or class that is unknown or of a wrong type is a ConfigurationError', async () => {
    expect(await complaintOf(call, { [misspelt]: values[0] })).toMatch(
      new RegExp(
        `^ConfigurationError: ${name}: ${misspelt}: is no option here.*did you mean '${option}'.*allowed: `,
      ),
    );
    for (const value of values.filter((one) => one !== undefined))
      expect([value, await complaintOf(call, { [option]: value })]).toEqual([
        value,
        expect.stringMatching(new RegExp(`^ConfigurationError: ${name}: ${option}: .*allowed: .`)),
      ]);
  });
});

test('The arguments that a class or function takes are accepted', () => {
  const right = [
    new MaximumLength(0),
    new MinimumValue(-0.5),
    new SelectColumn(['red', 1]),
    new IntegerColumn(1, 1),
    new DecimalColumn(5, 5),
    new DecimalColumn(),
    new ListColumn(new StringColumn(), { maximumItems: 0 }),
    new DatetimeColumn({ precision: 'milliseconds' }),
    new Cors('http://[::1]:3000'),
    new Cors('*'),
    new RequireClaims('email', ['sub'], { role: ['editor', 'admin'], level: 3, verified: true }),
    new RequireScopes('a', ['b', 'c']),
    new Jwks({ jwksUrl: 'https://id.example/keys', audience: undefined }),
  ];
  expect(right).toHaveLength(13);
  setServerLimits(server, { headersTimeout: 1, requestTimeout: 1 });
  expect(recommendedOptions({ pooler: 'transaction' }).driverOptions.pooler).toBe('transaction');
});

test('A second forRoot stops the start', async () => {
  const again = [
    EndpointsModule.forRoot({ externalCasing: 'camelCase' }),
    EndpointsModule.forRootAsync({ useFactory: () => ({}) }),
    EndpointsModule.forRoot({}),
  ];
  for (const second of again) {
    const application = { ...libraryWith([books()]), root: {}, imports: [second] };
    expect(await startUpError(application)).toBe(
      'EndpointsModule: forRoot: is called twice in this application; allowed: once, e.g. in the root module',
    );
  }
});
