import { Public } from '../../access/authentication.js';
import { traitsOf, type DescribedKind } from '../../endpoint/compiled.kind.js';
import type { PartAnswer, PartSuccess, Reach } from '../../endpoint/dispatch.js';
import { Endpoint } from '../../endpoint/endpoint.js';
import type { HttpMethod } from '../../endpoint/http.method.js';
import type { KindContext } from '../../endpoint/kind.context.js';
import { idempotencyChecks } from '../../endpoint/options/endpoint.checks.js';
import type { EndpointOptions, IdempotencyOptions } from '../../endpoint/options/endpoint.options.js';
import { TextReply } from '../../endpoint/reply.js';
import type { EndpointRequest } from '../../endpoint/request/endpoint.request.js';
import { usualBodyLimit } from '../../request/raw.body.js';
import { boolean, never, wholeNumber } from '../../options/checks.js';
import type { ChecksOf, OptionChecks } from '../../options/option.check.js';
import { ConfigurationError } from '../../wire/configuration.error.js';
import { jsonString, listText } from '../../wire/json.text.js';
import { BadRequest } from '../../wire/refusals.js';
import { batchDescription } from './batch.description.js';
import { EarlierAnswers } from './earlier.answers.js';
import { KeptBatch } from './kept.batch.js';
import type { Operation } from './operation.js';
import { OperationList } from './operation.list.js';
import { OperationRefusal } from './operation.refusal.js';

/** Parameters of {@link Batch}. */
export interface BatchOptions extends Omit<EndpointOptions, 'outputSchema'>, IdempotencyOptions {
  /** The most operations of one request, from 1 to 1,000. Default 20. */
  readonly maximumOperations?: number;
  /** True to run endpoints of the whole application, not only those of its group and below. Default false. */
  readonly wholeApplication?: boolean;
}

/**
 * Runs several requests to endpoints of its group and below as one: in one transaction, one after the other. All of it is kept,
 * or nothing.
 *
 * @example
 * new EndpointGroup({ endpoints: [new Batch({ url: 'batch' }), trips, stops] })
 */
export class Batch extends Endpoint<BatchOptions> {
  static override readonly optionChecks: OptionChecks = {
    ...idempotencyChecks,
    maximumOperations: wholeNumber(1, 1000),
    wholeApplication: boolean,
    outputSchema: never,
  } satisfies ChecksOf<Omit<BatchOptions, keyof EndpointOptions> & Pick<EndpointOptions, 'outputSchema'>>;

  protected override readonly defaultMethods: readonly HttpMethod[] = ['POST'];
  override readonly repliesPlainly = false;
  override readonly readsBody = true;
  override readonly isBatchable = false;
  override readonly effect = 'writes';

  override compile(context: KindContext): DescribedKind {
    const { maximumOperations = 20 } = this.options;
    const reach = this.#reach(context);
    const list = new OperationList(context.names, maximumOperations);
    const kept = KeptBatch.of(context, this.options);
    const words = answerWords(context);
    const { bodyLimit = usualBodyLimit } = context.root;
    const parts = { reach, list, words, keepsAnswers: kept !== undefined, bodyLimit };
    const run = (request: EndpointRequest, operations: readonly Operation[], sent: Sent): Promise<string> =>
      textOf(request, operations, { ...parts, sent });
    return {
      ...traitsOf(kept),
      handle: async (request) => {
        const body = request.requiredJsonObject();
        const operations = list.read(body);
        reach.tell(request, operations.length);
        const mark = await kept?.markOf(request, body);
        const sent = { most: 0 };
        const work = (): Promise<string> => run(request, operations, sent);
        if (mark !== undefined && kept !== undefined) return kept.once(request, mark, work);
        return new TextReply(await request.session.shared(work));
      },
      describe: () => batchDescription(context, maximumOperations, this.options),
    };
  }

  /** @throws ConfigurationError */
  #reach(context: KindContext): Reach {
    const { owner, groups, database, dispatching, settings } = context;
    const isWide = this.options.wholeApplication === true;
    if (groups.length === 0 && !isWide)
      throw new ConfigurationError(
        owner,
        'url',
        'a Batch runs the endpoints of its group: put it into an EndpointGroup, or let it run those of the wholeApplication',
      );
    const reach = dispatching.reach(isWide ? [] : groups, database);
    context.whenReady(() => {
      const other = reach
        .endpoints()
        .find(({ authentication }) => authentication !== settings.authentication && !isOpen(authentication));
      if (other !== undefined)
        throw new ConfigurationError(
          owner,
          'authentication',
          `${other.owner} has another authentication; allowed: the same instance, Public, or inBatches: false there`,
        );
    });
    return reach;
  }
}

function isOpen(authentication: object): boolean {
  return authentication.constructor === Public;
}

/** The parts of a batch that are the same for all requests. */
interface Parts {
  readonly reach: Reach;
  readonly list: OperationList;
  readonly words: ReturnType<typeof answerWords>;
  readonly keepsAnswers: boolean;
  /** The largest body of an operation, in bytes. */
  readonly bodyLimit: number;
}

/** The operations of a batch that were sent, in all of its trials. */
interface Sent {
  most: number;
}

/** Runs operations one after the other. Gives the JSON text of their answers. @throws AnswerTooLong */
async function textOf(
  request: EndpointRequest,
  operations: readonly Operation[],
  { reach, list, words, keepsAnswers, bodyLimit, sent }: Parts & { readonly sent: Sent },
): Promise<string> {
  const earlier = new EarlierAnswers((index) => list.placeOf(index), bodyLimit);
  const { 'idempotency-key': key } = request.headers;
  const kept =
    keepsAnswers && key !== undefined ? [['idempotency-key', [key].flat().join(', ')] as const] : [];
  for (const [index, operation] of operations.entries()) {
    const { method } = operation;
    const path = earlier.pathOf(operation);
    const body = earlier.bodyOf(operation);
    const headers = new Map([...operation.headers, ...kept]);
    const isRepeated = index < sent.most;
    sent.most = Math.max(sent.most, index + 1);
    const answer = await reach.send(request, { method, path, headers, body, isRepeated });
    earlier.all.push(successOf(operation, body !== undefined, answer));
  }
  return listText(earlier.all, (answer) => textOfAnswer(answer, words));
}

function successOf({ place, at }: Operation, hasBody: boolean, answer: PartAnswer): PartSuccess {
  if (answer.kind === 'success') return answer;
  if (answer.kind === 'barred') throw new BadRequest(`${place}: this endpoint cannot take part in a batch`);
  throw new OperationRefusal(place, hasBody && !answer.reads ? at.body : place, answer);
}

function answerWords({ names }: KindContext): Readonly<Record<keyof Omit<PartSuccess, 'kind'>, string>> {
  const word = (name: string): string => jsonString(names.control(name));
  return {
    statusCode: word('status_code'),
    data: word('data'),
    pagination: word('pagination'),
    entityTag: word('entity_tag'),
  };
}

function textOfAnswer(
  { statusCode, data, pagination, entityTag }: PartSuccess,
  words: Parts['words'],
): string {
  const tag = entityTag === undefined ? '' : `,${words.entityTag}:${jsonString(entityTag)}`;
  return `{${words.statusCode}:${statusCode},${words.data}:${data},${words.pagination}:${pagination}${tag}}`;
}
