import type { IncomingMessage, Server } from 'node:http';
import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Database } from '../../database/database.js';
import type {
  Dispatching,
  PartAnswer,
  PartRequest,
  Reach,
  ReachedEndpoint,
} from '../../endpoint/dispatch.js';
import { EndpointContext } from '../../endpoint/endpoint.context.js';
import type { EndpointRequest } from '../../endpoint/request/endpoint.request.js';
import { markAsCommand } from '../../endpoint/request/command.request.js';
import { EnvelopeWriter } from '../../wire/envelope.writer.js';
import type { RouteLeaf } from '../../routing/route.tree.js';
import { NotFound } from '../../wire/refusals.js';
import type { CompiledEndpoint } from '../compiled.endpoint.js';
import { EndpointDirectory } from '../endpoint.directory.js';
import type { Exchange } from '../exchange.js';
import { HttpEdge } from '../http.edge.js';
import { Foresight } from './foresight.js';
import { InProcessClient } from './in-process.client.js';
import { originOf } from './origin.of.js';
import { headersOf } from './part.headers.js';
import { PartOutcome } from './part.outcome.js';
import { answeredPast, refusalOf } from './part.refusal.js';

/** Sends requests to the application itself, each a part of the one that is being answered. */
@Injectable()
export class OperationDispatch implements Dispatching {
  /** Made for the first part: where nothing has any, nobody looks at requests. */
  #client: InProcessClient | undefined;

  constructor(
    private readonly directory: EndpointDirectory,
    private readonly edge: HttpEdge,
    private readonly adapterHost: HttpAdapterHost,
  ) {}

  reach(groups: readonly object[], database: Database): Reach {
    const includes = (endpoint: CompiledEndpoint): boolean =>
      endpoint.isBatchable &&
      endpoint.database === database &&
      groups.every((group, index) => endpoint.leaf.groups[index] === group);
    return {
      endpoints: () => [...this.directory.endpoints.values()].filter(includes).map(reached),
      tell: (whole, parts) => {
        const { figures } = this.edge.exchangeOf(whole.given);
        if (figures !== undefined) figures.operations = parts;
      },
      send: (whole, part) => this.#send(whole, part, includes),
    };
  }

  async #send(
    whole: EndpointRequest,
    part: PartRequest,
    includes: (endpoint: CompiledEndpoint) => boolean,
  ): Promise<PartAnswer> {
    const { match } = this.edge.table.find(part.method, part.path);
    if (match?.kind !== 'endpoint') return refusalOf(new NotFound(), true);
    const endpoint = this.directory.endpointAt(match.leaf);
    if (!includes(endpoint)) return { kind: 'barred' };
    const { figures } = this.edge.exchangeOf(whole.given);
    const outcome = new PartOutcome(figures, false, part.isRepeated);
    const statusCode = await this.#answered(whole, part, outcome, (exchange) => {
      exchange.whole = whole.session;
    });
    return answerOf(outcome, endpoint, statusCode);
  }

  async call(asking: EndpointRequest, call: PartRequest, leaf: object): Promise<PartAnswer> {
    const { match } = this.edge.table.find(call.method, call.path);
    if (match?.kind !== 'endpoint' || match.leaf !== leaf) return refusalOf(new NotFound(), true);
    const outcome = new PartOutcome(undefined, true);
    const statusCode = await this.#answered(asking, call, outcome, ({ raw }) => {
      if (asking.isCommand) markAsCommand(raw);
    });
    return answerOf(outcome, this.directory.endpointAt(match.leaf), statusCode);
  }

  async open<Leaf extends object>(
    asking: EndpointRequest,
    leaves: readonly Leaf[],
  ): Promise<readonly Leaf[]> {
    const { style } = this.edge.responderOf(asking.given);
    const foresight = new Foresight(asking, style.settings.authentication);
    const verdicts = await Promise.all(
      leaves.map((leaf) =>
        foresight.admits(this.directory.endpointAt(leaf as Leaf & RouteLeaf).style.settings),
      ),
    );
    return leaves.filter((_leaf, index) => verdicts[index]);
  }

  /** Sends a request and waits for the end of its answer. @returns the status code */
  async #answered(
    whole: EndpointRequest,
    part: PartRequest,
    outcome: PartOutcome,
    mark: (exchange: Exchange) => void,
  ): Promise<number | undefined> {
    const { method, path, body } = part;
    const { signal } = whole.cancellation;
    signal.throwIfAborted();
    const dispatched = { method, path, query: [], headers: headersOf(whole, part), body };
    const arrived = (native: IncomingMessage): void => {
      const exchange = this.edge.exchangeOf(native);
      exchange.part = outcome;
      mark(exchange);
      // Whoever asks for the current request from here on means the part, once it is known who sent it.
      EndpointContext.leave();
    };
    const origin = originOf(this.edge.exchangeOf(whole.given).raw.socket);
    const answer = await this.#ready.send(dispatched, { signal, arrived, origin });
    await ended(answer);
    return answer.statusCode;
  }

  get #ready(): InProcessClient {
    return (this.#client ??= InProcessClient.of(this.adapterHost.httpAdapter.getHttpServer() as Server));
  }
}

function reached({ leaf, style }: CompiledEndpoint): ReachedEndpoint {
  return { owner: leaf.owner, authentication: style.settings.authentication };
}

/** Reads an answer to its end: what it says is known already. */
function ended(answer: IncomingMessage): Promise<void> {
  return new Promise((resolve, reject) => {
    answer.once('end', resolve).once('error', reject).resume();
  });
}

function answerOf(
  { success, refused }: PartOutcome,
  { style, leaf }: CompiledEndpoint,
  statusCode = 500,
): PartAnswer {
  const reads = leaf.endpoint.effect === 'reads';
  if (refused !== undefined) {
    const { facts, error } = refused;
    return { kind: 'refusal', facts, headers: facts.headers, error, reads };
  }
  if (success?.statusCode !== statusCode || statusCode >= 400) return answeredPast(statusCode, reads);
  const { data, entityTag } = success;
  const pagination = new EnvelopeWriter(style.settings.externalCasing).pagingOf(success.pagination);
  return { kind: 'success', statusCode, data, pagination, entityTag };
}
