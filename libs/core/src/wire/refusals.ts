import { constants } from 'node:buffer';
import { outcomes, type Outcome, type StatusWord } from './outcome.table.js';

/** Messages by column, under the names the client sent (contract: Input validation messages). */
export type InputErrors = ReadonlyMap<string, string>;

const noErrors: InputErrors = new Map();

/** A request that is answered with something else than success. The exception filter turns it into bytes. */
export abstract class Refusal extends Error {
  abstract readonly outcome: Outcome;
  /** Header lines that belong to this answer, e.g. `WWW-Authenticate`. */
  readonly headers: readonly (readonly [name: string, value: string])[] = [];
  readonly inputErrors: InputErrors = noErrors;
  /** True if a name of an input error is one member, whatever its characters. Else its dots lead inside of members. */
  readonly hasWholeNames: boolean = false;
  /** The number of steps before such a name: those of the place of its record, as in `records.3.name`. */
  readonly placeSteps: number = 0;

  /** Without a stack: it tells nothing about what a client did wrong, and collecting it takes longer than to judge a body. */
  constructor(message: string, options?: ErrorOptions) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message, options);
    Error.stackTraceLimit = stackTraceLimit;
  }

  get statusCode(): number {
    return outcomes[this.outcome].statusCode;
  }

  get status(): StatusWord {
    return outcomes[this.outcome].status;
  }
}

/** No endpoint answers this path and method, or no record is there. */
export class NotFound extends Refusal {
  readonly outcome = 'notFound';

  /** @param options the reason, for the log alone */
  constructor(options?: ErrorOptions) {
    super('Not Found', options);
  }
}

/** The request cannot be understood; `message` is a sentence that names what is wrong. */
export class BadRequest extends Refusal {
  readonly outcome = 'badRequest';
}

/** The body or a search term holds values that its columns refuse. */
export class InvalidInput extends Refusal {
  readonly outcome = 'invalidInput';
  override readonly inputErrors: InputErrors;
  override readonly hasWholeNames: boolean;
  override readonly placeSteps: number;

  /**
   * @param inputErrors messages by column; in functions of a configuration under internal names. One that is undefined is none
   * @param hasWholeNames true if the names are those of members as they were sent. By default `address.street` is a member
   * of a member
   * @param placeSteps the number of steps before such a name: those of the place of its record
   */
  constructor(
    inputErrors: InputErrors | Readonly<Record<string, string | undefined>>,
    hasWholeNames = false,
    placeSteps = 0,
  ) {
    super('');
    this.hasWholeNames = hasWholeNames;
    this.placeSteps = placeSteps;
    this.inputErrors =
      inputErrors instanceof Map ? inputErrors : new Map(Object.entries(inputErrors).flatMap(named));
  }
}

function named([name, message]: [string, string | undefined]): [string, string][] {
  return message === undefined ? [] : [[name, message]];
}

/** The body is not JSON in UTF-8 (RFC 9110, 15.5.16); `message` is a sentence that says in which way. */
export class UnsupportedMediaType extends Refusal {
  readonly outcome = 'unsupportedMediaType';
}

/** The body has not come in time (RFC 9110, 15.5.9). */
export class RequestTimeout extends Refusal {
  readonly outcome = 'requestTimeout';

  constructor() {
    super('Request Timeout');
  }
}

/** The body is larger than the limit (RFC 9110, 15.5.14). */
export class ContentTooLarge extends Refusal {
  readonly outcome = 'contentTooLarge';

  constructor(limit: number) {
    super(`The request body must not be larger than ${limit} bytes`);
  }
}

/** The most complaints of one answer: a client that sends thousands of bad values mends them by the first ones. */
export const mostComplaints = 100;

/** The most characters of data in an answer: as many as a text can have, less what stands around them. */
export const longestAnswer = constants.MAX_STRING_LENGTH - 1_048_576;

/** The answer would be longer than a text can be. Thrown before what it tells of is committed. */
export class AnswerTooLong extends BadRequest {
  constructor() {
    super(`The answer must not be longer than ${longestAnswer} characters: ask for fewer records or columns`);
  }
}

/** No valid credentials. The text never says why; the reason belongs in the log. */
export class NotAuthenticated extends Refusal {
  readonly outcome = 'notAuthenticated';
  override readonly headers = [['WWW-Authenticate', 'Bearer']] as const;

  constructor(options?: ErrorOptions) {
    super('Not Authenticated', options);
  }
}

/** The credentials are good, an authorization rule says no. */
export class NotAuthorized extends Refusal {
  readonly outcome = 'notAuthorized';

  /** @param options the reason, for the log alone */
  constructor(options?: ErrorOptions) {
    super('Not Authorized', options);
  }
}

/** A failure of what a HealthCheck builds or calls; only the log says what. */
export class Unhealthy extends Refusal {
  readonly outcome = 'failure';

  constructor(options?: ErrorOptions) {
    super('', options);
  }
}

/** The database refuses for a reason the client caused and no sent column names. */
export class Conflict extends Refusal {
  readonly outcome = 'conflict';
}

/**
 * A subscriber of MikroORM's refuses a value while it is written. Kinds tell it of the column, as what the database refuses;
 * elsewhere it is a conflict.
 */
export class RefusedValue extends Conflict {
  /**
   * @param entity the class of the record's entity, of several in one table that of their root
   * @param columnName the internal name of the column
   */
  constructor(
    readonly entity: object,
    readonly columnName: string,
    complaint: string,
  ) {
    super(complaint);
  }
}

/** The record is not in the version that `If-Match` names (RFC 9110, 15.5.13). */
export class PreconditionFailed extends Refusal {
  readonly outcome = 'preconditionFailed';

  /** @param place of the record among several, e.g. `records.2` */
  constructor(place?: string) {
    super(at(place, 'Precondition Failed'));
  }
}

/** The endpoint wants to be told by `If-Match` which version the client knows (RFC 6585, 3). */
export class PreconditionRequired extends Refusal {
  readonly outcome = 'preconditionRequired';

  /** @param place of the record among several, e.g. `records.0` */
  constructor(place?: string) {
    super(at(place, 'Precondition Required'));
  }
}

/** The endpoint has stopped answering for good (RFC 9110, 15.5.11). */
export class Gone extends Refusal {
  readonly outcome = 'gone';

  constructor() {
    super('Gone');
  }
}

/** The client has sent more than a limit allows (RFC 6585, 4). */
export class TooManyRequests extends Refusal {
  readonly outcome = 'tooManyRequests';
  override readonly headers: readonly (readonly [string, string])[];

  /** @param retryAfter seconds after which the client may try again; rounded up */
  constructor(retryAfter: number) {
    super('Too Many Requests');
    this.headers = [['Retry-After', String(Math.ceil(retryAfter))]];
  }
}

/** An unforeseen failure. The cause is logged, never sent. */
export class Failure extends Refusal {
  readonly outcome = 'failure';

  constructor(options?: ErrorOptions) {
    super('Internal Server Error', options);
  }
}

/** The body has a transfer coding that nobody here understands (RFC 9112, 6.1). */
export class NotImplemented extends Refusal {
  readonly outcome = 'failure';

  constructor() {
    super('Not Implemented');
  }

  override get statusCode(): number {
    return 501;
  }
}

/** The database or another service is out of reach or too slow; trying again later may help. */
export class ServiceUnavailable extends Refusal {
  readonly outcome = 'unavailable';
  override readonly headers: readonly (readonly [string, string])[];

  /** @param retryAfter seconds after which the client may try again. */
  constructor(options?: ErrorOptions, retryAfter = 1) {
    super('Service Unavailable', options);
    this.headers = [['Retry-After', String(retryAfter)]];
  }
}

/** A sentence about a place of the body begins with it. */
function at(place: string | undefined, sentence: string): string {
  return place === undefined ? sentence : `${place}: ${sentence}`;
}
