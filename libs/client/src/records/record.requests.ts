import type { ApiParameter } from '../document/api.document.js';
import type { Action, ResourceCall } from '../document/resource.js';
import { frontName } from '../document/column.names.js';
import type { KnownResource } from '../document/resource.reader.js';
import type { FoundResource } from '../document/resources.js';
import { EndpointsError } from '../wire/endpoints.error.js';
import type { Answer } from '../wire/answer.js';
import type { ClientRequest } from '../wire/client.request.js';
import { nameLike } from '../wire/names.js';
import { filledPath } from './record.path.js';
import type { ReadOptions, RecordId } from './record.query.js';
import { selectedColumns } from './record.shape.js';

/** A request about records; the place of the service is filled in by whoever sends it. */
export type Send = (request: ClientRequest) => Promise<Answer>;

/** The parts of a request that are not the same for all of an action. */
interface RequestParts {
  readonly id?: RecordId;
  readonly query?: URLSearchParams;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** The version that the record must be in. */
  readonly version?: string | undefined;
  readonly isRead?: boolean;
  readonly isRepeatable?: boolean;
}

/** Sends requests to the operations of one resource. */
export class RecordRequests {
  readonly resource: KnownResource;
  readonly #parameters: FoundResource['parameters'];
  readonly #send: Send;

  constructor({ resource, parameters }: FoundResource, send: Send) {
    this.resource = resource;
    this.#parameters = parameters;
    this.#send = send;
  }

  /** The operation of an action; undefined where the service has none. */
  call(action: Action): ResourceCall | undefined {
    return this.resource.calls[action];
  }

  /** @throws EndpointsError where the service has none */
  required(action: Action): ResourceCall {
    const call = this.call(action);
    if (call !== undefined) return call;
    throw new EndpointsError(`${this.resource.name}: there is no endpoint to ${action}`, 404);
  }

  /** The path of a request. */
  path(call: Pick<ResourceCall, 'path'>, options: ReadOptions, id?: RecordId): string {
    return filledPath(call.path, { ...this.#parameters, ...options.path }, id);
  }

  /** The text that tells a record from all others, whatever is done with it. */
  place(options: ReadOptions, id: unknown): string {
    return `${this.path(this.resource, options)}\n${String(id)}`;
  }

  /** @throws EndpointsError for a refusal */
  async ask(
    call: ResourceCall,
    options: ReadOptions,
    { id, query, version, ...parts }: RequestParts,
  ): Promise<Answer> {
    const selected = query ?? selection(this.resource, call, options);
    const path = this.path(call, options, id);
    try {
      return await this.#send({
        method: call.method,
        path,
        query: selected,
        signal: options.signal,
        ...(version === undefined ? {} : { headers: { 'If-Match': version } }),
        ...parts,
      });
    } catch (error) {
      throw namedError(this.resource, error);
    }
  }
}

/** A refusal whose messages stand beside the names that front ends have. */
function namedError(resource: KnownResource, error: unknown): unknown {
  if (!(error instanceof EndpointsError) || resource.ownId === undefined) return error;
  const messages = [...error.inputErrors].map(
    ([place, message]) => [frontName(resource, place), message] as const,
  );
  return Object.assign(error, { inputErrors: new Map(messages) });
}

/** Gives the parameter of a header that the operation reads. */
export function headerOf({ operation }: ResourceCall, name: string): ApiParameter | undefined {
  return operation.parameters?.find((one) => one.in === 'header' && one.name === name);
}

function selection(
  resource: KnownResource,
  { operation: { parameters = [] } }: ResourceCall,
  { fields, include }: ReadOptions,
): URLSearchParams {
  const names = parameters.filter((one) => one.in === 'query').map(({ name }) => name);
  const query = new URLSearchParams();
  const set = (word: string, columns: readonly string[] | undefined): void => {
    if (columns !== undefined) query.set(nameLike(names, word) ?? word, columns.join(','));
  };
  set('fields', fields === undefined ? undefined : selectedColumns(resource, fields));
  set('include', include);
  return query;
}
