import { createHash } from 'node:crypto';
import type { PartitionRule } from '../../access/partition.rule.js';
import { sessionText } from '../../database/transactions/session.text.js';
import type { KindContext } from '../../endpoint/kind.context.js';
import type { EndpointRequest } from '../../endpoint/request/endpoint.request.js';
import type { KeptAnswers, RequestMark } from '../../records/idempotency/kept.answers.js';
import { canonicalMembers } from '../../request/canonical.text.js';
import { idempotencyKey } from '../../request/idempotency.key.js';
import { BadRequest } from '../../wire/refusals.js';
import { KeptPart } from './kept.part.js';
import type { RequestSender } from './request.sender.js';

const day = 24 * 60 * 60 * 1000;

/** Makes the marks by which requests with an `Idempotency-Key` are known again. Made once per endpoint. */
export class RequestMarks {
  /** The time that a mark is kept, in milliseconds. */
  readonly time: number;
  readonly #scope: string;
  readonly #partition: PartitionRule | undefined;
  /** Tells the part of the table of kept answers; undefined where it is whole. */
  readonly #part: KeptPart | undefined;

  /** @throws ConfigurationError where that table is in other parts than the records */
  constructor(
    context: KindContext,
    kept: KeptAnswers,
    private readonly isRequired: boolean,
    private readonly sender: RequestSender,
    private readonly path: { textOf(path: string): string },
  ) {
    this.time = context.root.idempotencyKeyTime ?? day;
    this.#scope = context.pattern.text;
    this.#partition = context.settings.partition;
    this.#part = KeptPart.of(context, kept);
  }

  /**
   * Makes the mark of a request; undefined when it brings no key, and for an operation of a Batch, whose answer is kept as a
   * whole.
   *
   * @param body its members, as they were sent
   * @throws BadRequest
   */
  async markOf(
    request: EndpointRequest,
    body: ReadonlyMap<string, unknown>,
  ): Promise<RequestMark | undefined> {
    const { 'idempotency-key': header } = request.headers;
    if (header === undefined) {
      if (this.isRequired) throw new BadRequest('The header Idempotency-Key is required');
      return undefined;
    }
    if (request.isPart) return undefined;
    const key = idempotencyKey([header].flat().join(', '));
    const { method, path, queryString, sessionContext, schema } = request;
    const variables = Object.entries(sessionContext?.variables ?? {});
    const sender = [
      await this.sender.textOf(request),
      canonicalMembers(variables.map(([name, value]) => [name, sessionText(name, value)])),
    ];
    // Whatever tells the tenant of a request, a key is of one tenant.
    if (this.#partition !== undefined)
      sender.push(canonicalMembers([['partition', this.#partition.options.value(request.context())]]));
    if (schema !== undefined) sender.push(canonicalMembers([['schema', schema]]));
    return {
      part: this.#part?.valueIn(request.context()),
      id: hashOf([method, this.#scope, this.path.textOf(path), ...sender, key]),
      request: hashOf([canonicalMembers(body), queryString]),
    };
  }
}

function hashOf(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
