import type { RequestContext } from '../../access/request.context.js';
import type { RulingEndpoint } from '../../endpoint/kind.context.js';
import type { EndpointRequest } from '../../endpoint/request/endpoint.request.js';
import { FirstComplaints } from '../../wire/first.complaints.js';
import { NestedTrial } from './nested.trial.js';

/** The most related records of one request. */
export const mostNested = 1000;

/** The most links of records whose lists are replaced. Some lead to records that nobody may see, which stay. */
export const mostLinks = 10 * mostNested;

/** The message about a relation with more records than a request may have. */
export const tooManyNested = `a request must not have more than ${mostNested} related records`;

/** The related records of one request, while they are read: how many there are, what is wrong with them, whose rules they need. */
export class NestedReader {
  readonly #complaints = new FirstComplaints();
  readonly #rulers = new Set<RulingEndpoint>();
  readonly #contexts = new Map<EndpointRequest, RequestContext>();
  readonly #trial: NestedTrial;
  readonly #written = new Map<object, Map<string, string>>();
  #records = 0;

  constructor(request: EndpointRequest) {
    this.#trial = new NestedTrial(request);
  }

  get complaints(): ReadonlyMap<string, string> {
    return this.#complaints.messages;
  }

  complain(place: string, message: string): void {
    this.#complaints.add(place, message);
  }

  /**
   * The places of records by what they are called, in all relations.
   * @param what is written of them: the class of an entity for records that are changed or deleted, the property of a key for those
   *   that are linked by it
   */
  writtenOf(what: object): Map<string, string> {
    const known = this.#written.get(what) ?? new Map<string, string>();
    this.#written.set(what, known);
    return known;
  }

  /** Counts records of a list. False where there are more of them than a request may have. */
  takes(place: string, records: number, most: number): boolean {
    this.#records += records;
    if (records > most) this.complain(place, `value must not have more than ${most} records`);
    else if (this.#records > mostNested) this.complain(place, tooManyNested);
    else return true;
    return false;
  }

  /** Has the gates of an endpoint asked by whose rules the request writes. */
  gate(ruler: RulingEndpoint | undefined): void {
    if (ruler !== undefined) this.#rulers.add(ruler);
  }

  /** The facts about the request as an endpoint has them by whose rules it writes. */
  facts(ruler: RulingEndpoint | undefined): () => RequestContext {
    const request = this.#trial.requestOf(ruler);
    return () => {
      const known = this.#contexts.get(request) ?? request.context();
      this.#contexts.set(request, known);
      return known;
    };
  }

  /** Asks the gates of the endpoints by whose rules the request writes. @throws NotAuthorized */
  async authorize(): Promise<void> {
    for (const ruler of this.#rulers) await ruler.authorize(this.#trial.requestOf(ruler));
  }
}
