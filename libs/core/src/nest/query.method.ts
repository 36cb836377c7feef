import { RequestMethod } from '@nestjs/common';
import type { AbstractHttpAdapter } from '@nestjs/core';
import type { HttpPlatform } from '../http/platforms/http.platform.js';
import { isForQuery, keepQuery } from '../http/roads/own.layers.js';
import { hideHandlerFromSwagger } from './documentation/swagger.metadata.js';

type Register = (...parameters: unknown[]) => unknown;

/** False in the first versions of Nest 11. */
const isKnown = Object.hasOwn(RequestMethod, 'QUERY');

/** The method under which Nest registers handlers of QUERY. Where it has no name for it, it gets another one's. */
export const queryMethod: RequestMethod = isKnown ? RequestMethod.QUERY : RequestMethod.SEARCH;

/** Marks a handler of QUERY, so that {@link teachQuery} tells it from one of SEARCH. */
export function markQuery(descriptor: TypedPropertyDescriptor<never>): void {
  if (isKnown) return;
  keepQuery(descriptor.value as unknown as object);
  // Documents would say SEARCH.
  hideHandlerFromSwagger(descriptor);
}

/** Gives an adapter of an early Nest 11 the method `query` that those of Nest 12 have. */
export function teachQuery(adapter: AbstractHttpAdapter, platform: HttpPlatform): void {
  if (isKnown) return;
  const methods = adapter as unknown as Record<'query' | 'search', Register>;
  const search = methods.search.bind(adapter);
  methods.query = (...parameters) => platform.registerQuery(adapter, parameters);
  methods.search = (...parameters) =>
    isForQuery(parameters.at(-1)) ? methods.query(...parameters) : search(...parameters);
}
