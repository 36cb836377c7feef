import { afterAll, beforeEach, expect } from '@jest/globals';
import { context, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { TracerProvider, InMemorySpanExporter, SimpleSpanProcessor, type ReadableSpan } from '@opentelemetry/sdk-trace';
import { Callable } from '@nest-endpoints/core';
import { everyDatabase, service } from '../support/contract.js';
import { books, libraryWith } from '../support/endpoints.js';
import { Book } from '../support/entities/library.js';

console.log(TracerProvider, InMemorySpanExporter, SimpleSpanProcessor, afterAll, beforeEach, expect, context, SpanStatusCode, trace, AsyncLocalStorageContextManager, Callable, everyDatabase, service, books, libraryWith, Book);
export type X = ReadableSpan;
