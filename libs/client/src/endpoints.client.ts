import type { ApiDocument } from './document/api.document.js';
import type { Resource } from './document/resource.js';
import { Resources } from './document/resources.js';
import { PageMemory } from './records/page.memory.js';
import { ParentMemory } from './records/parent.memory.js';
import { Records } from './records/records.js';
import { VersionMemory } from './records/version.memory.js';
import type { Answer } from './wire/answer.js';
import { checkOptions, type ClientOptions } from './wire/client.options.js';
import { EndpointsError } from './wire/endpoints.error.js';
import { isObject } from './wire/names.js';
import type { ClientRequest } from './wire/client.request.js';
import { RequestSender } from './wire/request.sender.js';

/** A service whose document is read. */
interface KnownService {
  readonly document: ApiDocument;
  readonly resources: Resources;
  /** The address that paths of the document are put behind. */
  readonly base: string;
}

/**
 * A client of a service that Nest Endpoints serve. It reads the OpenAPI document once, and knows from it where records are and
 * what can be asked of them.
 *
 * @example
 * const client = new EndpointsClient({ url: 'https://atlas.example', token: () => sessionStorage.getItem('token') });
 * const cities = await client.records('cities');
 * const { records, total } = await cities.list({ conditions: [{ column: 'country_code', operator: '=', value: 'FR' }] });
 */
export class EndpointsClient {
  /** The address of the service, without a slash at the end. */
  readonly url: string;
  readonly #sender: RequestSender;
  readonly #memory = {
    versions: new VersionMemory(),
    pages: new PageMemory(),
    parents: new ParentMemory(),
  };
  readonly #schema: string;
  #service: Promise<KnownService> | undefined;

  /** @throws TypeError for an option that cannot be right */
  constructor(options: ClientOptions | string) {
    const given = typeof options === 'string' ? { url: options } : options;
    checkOptions(given);
    this.url = given.url.replace(/\/+$/, '');
    this.#schema = new URL(given.schema ?? 'schema', `${this.url}/`).href;
    this.#sender = new RequestSender(given);
  }

  /** The OpenAPI document of the service. @throws EndpointsError where it cannot be read */
  async document(): Promise<ApiDocument> {
    return (await this.#known()).document;
  }

  /** The records of the service, in the order of its document. @throws EndpointsError where the document cannot be read */
  async resources(): Promise<readonly Resource[]> {
    return (await this.#known()).resources.all;
  }

  /**
   * Gives the records of a name: a path, `cities`; one with values in it, `trips/5/stops`; or the end of a path that no other
   * one has.
   * @throws EndpointsError where the document has none, or cannot be read
   */
  async records(name: string): Promise<Records> {
    const { resources, base } = await this.#known();
    const found = resources.find(name);
    if (found === undefined) {
      const known = resources.names.join(', ');
      throw new EndpointsError(`The service has no records called '${name}'; it has: ${known}`, 404);
    }
    return new Records(found, (request) => this.#sender.send(base + request.path, request), this.#memory);
  }

  /**
   * Sends a request to any endpoint: a path below {@link url}.
   * @throws EndpointsError for a refusal; TypeError for a path that leads elsewhere
   */
  async send(request: ClientRequest): Promise<Answer> {
    const address = `${this.url}/${request.path.replace(/^\/+/, '')}`;
    // Addresses are read as servers get them: without dots that are steps, however they are written.
    if (!new URL(address).pathname.startsWith(new URL(`${this.url}/`).pathname))
      throw new TypeError(`${request.path} is not below ${this.url}: its token is not sent elsewhere`);
    return this.#sender.send(address, request);
  }

  /** Read once. Where that fails, the next one who asks tries again. */
  #known(): Promise<KnownService> {
    this.#service ??= this.#read().catch((error: unknown) => {
      this.#service = undefined;
      throw error;
    });
    return this.#service;
  }

  async #read(): Promise<KnownService> {
    const { data } = await this.#sender.send(this.#schema, { method: 'GET', path: '', isRead: true });
    if (!isObject(data) || !isObject(data['paths']))
      throw new EndpointsError(`${this.#schema} is no OpenAPI document`, 500, new Map(), data);
    const document = data as unknown as ApiDocument;
    // Documents have whole paths, of other endpoints, too; where a proxy puts one in front that the service does not know, ours stays.
    const { origin, pathname } = new URL(this.url);
    const prefix = pathname.replace(/\/+$/, '');
    const isWithin = Object.keys(document.paths).some((path) => `${path}/`.startsWith(`${prefix}/`));
    const resources = new Resources(document, isWithin ? prefix : '');
    return { document, resources, base: isWithin ? origin : this.url };
  }
}
