import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect } from '@jest/globals';
import { Callable } from '@nest-endpoints/core';
import { context, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  InMemorySpanExporter,
  SimpleSpanProcessor,
  TracerProvider,
  type ReadableSpan,
} from '@opentelemetry/sdk-trace';
import { everyDatabase, service } from '../support/contract.js';
import { books, libraryWith } from '../support/endpoints.js';

const exporter = new InMemorySpanExporter();

/** As a file does that Node imports first, so before the applications of this file start. */
beforeAll(() => {
  trace.setGlobalTracerProvider(
    new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }),
  );
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
});

beforeEach(() => {
  exporter.reset();
});

afterAll(() => {
  trace.disable();
  context.disable();
});

const endpoints = [
  books(),
  new Callable({ url: 'asks', toCall: ({ em }) => em.execute('select 1') }),
  new Callable({
    url: 'broken',
    toCall: () => {
      throw new Error('hush');
    },
  }),
];

const { contract } = service(libraryWith(endpoints), everyDatabase);

const names = (spans: readonly ReadableSpan[]): string[] => spans.map(({ name }) => name);

/** Spans of the request end before its client has read the answer, but for a turn of the loop at most. */
const spans = async (count: number): Promise<ReadableSpan[]> => {
  for (let turns = 0; exporter.getFinishedSpans().length < count && turns < 1000; turns += 1) await turn();
  return exporter.getFinishedSpans();
};

contract(
  'Where an OpenTelemetry SDK is registered, every stage and statement is a span',
  async ({ request }) => {
    await request().get('/asks');
    const told = await spans(5);
    expect(names(told)).toEqual(['body', 'authenticate', 'authorize', 'statement', 'handle']);
    const [, , , statement, handle] = told;
    expect(statement?.parentSpanContext?.spanId).toBe(handle?.spanContext().spanId);
    expect(handle?.attributes).toEqual({ 'http.route': '/asks', 'nest_endpoints.kind': 'Callable' });
    expect(handle?.status.code).toBe(SpanStatusCode.UNSET);
  },
);

contract(
  'A span of a failure is an error, one of a refusal is not, and neither says why',
  async ({ request }) => {
    await request().get('/broken');
    const failed = (await spans(4)).at(-1);
    expect([failed?.name, failed?.status]).toEqual(['handle', { code: SpanStatusCode.ERROR }]);
    exporter.reset();
    await request().post('/books').send({ hush: 'hush' });
    const refused = (await spans(4)).at(-1);
    expect([refused?.name, refused?.status.code]).toEqual(['handle', SpanStatusCode.UNSET]);
    expect(JSON.stringify(refused?.attributes)).not.toContain('hush');
  },
);
