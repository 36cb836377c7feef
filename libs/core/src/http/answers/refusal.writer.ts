import { STATUS_CODES } from 'node:http';
import { HttpException, Injectable, Logger } from '@nestjs/common';
import type { AbstractHttpAdapter } from '@nestjs/core';
import { databaseReason, loggable, refusalOf } from '../../database/errors/database.error.js';
import { Answer, jsonContentType, type HeaderLines } from '../../wire/answer.js';
import type { RefusalFacts } from '../../wire/answer.format.js';
import { EnvelopeWriter } from '../../wire/envelope.writer.js';
import { Failure, InvalidInput, NotAuthenticated, NotAuthorized, Refusal } from '../../wire/refusals.js';
import { jsonOf } from '../../wire/json.text.js';
import { EndpointDirectory } from '../endpoint.directory.js';
import { messageOf, successOf } from './thrown.exception.js';
import { HttpEdge } from '../http.edge.js';
import { textAnswer } from './answer.writer.js';
import type { Responder } from '../responder.js';

/** The parts of a refusal that are on the wire. */
type Refused = RefusalFacts & Pick<Refusal, 'headers'>;

const noHeaders: { readonly headers: HeaderLines } = { headers: [] };

/** Turns whatever was thrown into an answer: the only place that does. */
@Injectable()
export class RefusalWriter {
  readonly #logger = new Logger('Endpoints');

  constructor(
    private readonly edge: HttpEdge,
    private readonly directory: EndpointDirectory,
  ) {}

  /** Answers a request with whatever was thrown, unless an answer is on its way already. */
  async send(
    adapter: AbstractHttpAdapter,
    error: unknown,
    native: unknown,
    response: unknown,
  ): Promise<void> {
    const answer = await this.answer(error, native);
    if (!adapter.isHeadersSent(response)) adapter.reply(response, answer);
  }

  /** Makes the answer to a request that was ended by whatever was thrown. */
  async answer(error: unknown, native: unknown): Promise<Answer> {
    const responder = this.edge.responderOf(native);
    try {
      return await this.#written(error, responder);
    } catch (failure) {
      // A responseHeaders function that fails must not fail the answer about it.
      const refused = this.#failure(failure, responder);
      const { part } = responder.exchange;
      responder.exchange.refusedAs = refused.status;
      if (part !== undefined) part.refused = { facts: refused, error: failure };
      const { lastHeaders } = responder.style;
      const { body, contentType } = lastRefusal(responder, refused);
      return new Answer(refused.statusCode, body, [...lastHeaders, ...refused.headers], contentType);
    }
  }

  async #written(error: unknown, responder: Responder): Promise<Answer> {
    const { format } = responder.style;
    const success = error instanceof HttpException ? successOf(error) : undefined;
    if (success !== undefined) {
      const { statusCode, data } = success;
      const text = data === undefined ? '' : format.success(jsonOf(data));
      const answer = await textAnswer(responder, statusCode, text, noHeaders);
      return text === '' ? new Answer(statusCode, '', answer.headers, '') : answer;
    }
    const facts = challenged(this.#refusedBy(error, responder), responder);
    const { part } = responder.exchange;
    responder.exchange.refusedAs = facts.status;
    if (part !== undefined) part.refused = { facts, error };
    return textAnswer(responder, facts.statusCode, format.refusal(facts), facts, format.refusalType);
  }

  #refusedBy(error: unknown, responder: Responder): Refused {
    if (error instanceof InvalidInput && this.directory.options.inputErrorsStatus !== undefined)
      return refused(error, this.directory.options.inputErrorsStatus);
    if (error instanceof NotAuthenticated)
      this.#logger.debug(`${lineOf(responder)} not authenticated: ${reasonOf(error.cause)}`);
    if (error instanceof NotAuthorized && error.cause !== undefined)
      this.#logger.debug(`${lineOf(responder)} not authorized: ${reasonOf(error.cause)}`);
    if (error instanceof Failure) return this.#failure(error.cause ?? error, responder);
    if (error instanceof Refusal) return this.#told(error, error.cause, responder);
    if (error instanceof HttpException) return this.#ofHttpException(error, responder);
    const known = refusalOf(error);
    if (known === undefined) return this.#failure(error, responder);
    return this.#told(known, known.cause, responder);
  }

  /** Logs a refusal that is not the client's fault, and one by the database, because nobody is told why. */
  #told(refusal: Refusal, cause: unknown, responder: Responder): Refused {
    const reason = databaseReason(cause);
    const isTold = refusal.status !== 'failure' && reason === undefined;
    // Of a part it is the whole that is tried again, and tells if that does not help.
    const isAgain = reason === 'transient' && responder.exchange.part?.isAlone === false;
    if (!isTold && !isAgain && cause !== undefined)
      this.#logger.warn(`${lineOf(responder)} ${loggable(cause).reason}`);
    return refused(refusal);
  }

  /** An exception of Nest, thrown by the user's own guards and functions, keeps its status. */
  #ofHttpException(error: HttpException, responder: Responder): Refused {
    const statusCode = error.getStatus();
    if (statusCode === 401) return refused(new NotAuthenticated());
    if (statusCode >= 400 && statusCode < 500)
      return {
        statusCode,
        status: 'client_error',
        message: messageOf(error),
        inputErrors: new Map(),
        hasWholeNames: false,
        headers: [],
      };
    const failure = this.#failure(error, responder);
    const message = STATUS_CODES[statusCode];
    if (statusCode < 500 || message === undefined) return failure;
    const retry: HeaderLines = statusCode === 503 ? [['Retry-After', '1']] : [];
    return { ...failure, statusCode, message, headers: [...failure.headers, ...retry] };
  }

  /** The client learns nothing but an id, under which the log has the rest. */
  #failure(error: unknown, responder: Responder): Refused {
    const id = responder.request.requestId;
    const { reason, stack } = loggable(error);
    this.#logger.error(`${lineOf(responder)} failed [${id}]: ${reason}`, stack);
    return refused(new Failure());
  }
}

/** The refusal of an endpoint that tells by `WWW-Authenticate` how to be let in. */
function challenged(facts: Refused, responder: Responder): Refused {
  const outcome = challenging.get(facts.statusCode);
  if (outcome === undefined || responder.kind === 'miss') return facts;
  const value = responder.endpoint.leaf.endpoint.challenge(outcome);
  return value === undefined ? facts : { ...facts, headers: [['WWW-Authenticate', value]] };
}

const challenging: ReadonlyMap<number, 'notAuthenticated' | 'notAuthorized'> = new Map([
  [401, 'notAuthenticated'],
  [403, 'notAuthorized'],
]);

/** The text of a refusal that must not fail. Of a format that cannot write it the log has been told. */
function lastRefusal(
  { style: { format, settings } }: Responder,
  facts: RefusalFacts,
): { readonly body: string; readonly contentType: string } {
  try {
    return { body: format.refusal(facts), contentType: format.refusalType };
  } catch {
    return { body: new EnvelopeWriter(settings.externalCasing).refusal(facts), contentType: jsonContentType };
  }
}

function refused(refusal: Refusal, statusCode = refusal.statusCode): Refused {
  const { status, message, inputErrors, hasWholeNames, placeSteps, headers } = refusal;
  return { statusCode, status, message, inputErrors, hasWholeNames, placeSteps, headers };
}

function lineOf({ request }: Responder): string {
  return `${request.method} ${JSON.stringify(request.path)}`;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : 'no reason given';
}
