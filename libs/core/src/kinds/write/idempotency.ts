import type { KindTraits } from '../../endpoint/compiled.kind.js';
import type { KindContext } from '../../endpoint/kind.context.js';
import type { IdempotencyOptions } from '../../endpoint/options/endpoint.options.js';
import type { EndpointRequest } from '../../endpoint/request/endpoint.request.js';
import { PlainReply, TextReply, type RecordReply } from '../../endpoint/reply.js';
import type { HeaderDescription } from '../../endpoint/description/operation.description.js';
import type { JsonSchema } from '../../model/json.schema.js';
import type { Model } from '../../model/model.js';
import {
  KeptAnswers,
  type KeptAnswer,
  type KeptRequest,
  type RequestMark,
} from '../../records/idempotency/kept.answers.js';
import type { RecordKey, RecordStore } from '../../records/record.store.js';
import type { Session } from '../../visibility/session.js';
import type { HeaderLines } from '../../wire/answer.js';
import { ConfigurationError } from '../../wire/configuration.error.js';
import { outcomes } from '../../wire/outcome.table.js';
import { jsonOf } from '../../wire/json.text.js';
import { Conflict, InvalidInput, NotFound, ServiceUnavailable } from '../../wire/refusals.js';
import type { CanonicalPath } from './canonical.path.js';
import { RequestMarks } from './request.marks.js';
import { RequestSender } from './request.sender.js';

const keyDescription = 'A key of the client: sent again under it, the request gets the first answer.';
const replayDescription = 'That this is the answer of a request which was sent before; left out elsewhere.';
const onlyTrue: JsonSchema = { type: 'string', enum: ['true'] };

/** The options that matter to it. */
interface IdempotencySource extends IdempotencyOptions {
  readonly outputMap?: unknown;
  readonly writeableRelations?: object;
}

/** Tells where the record of a kept answer can be read; undefined where nobody can say. */
interface KeptPlace {
  ofKept(request: EndpointRequest, answer: KeptAnswer): string | undefined;
}

/** The steps of a create, of one record or of many. */
export interface KeptWork {
  /** Runs all of it; what the database refuses is explained. */
  explained<T>(work: () => Promise<T>): Promise<T>;
  /** @throws InvalidInput */
  judge(): Promise<void>;
  /** Runs the write in one transaction; left out where it is the record's own. */
  readonly transaction?: (<T>(work: () => Promise<T>) => Promise<T>) | undefined;
  /** Writes within a transaction, and answers. */
  write(): Promise<{ readonly keys: readonly RecordKey[]; readonly reply: RecordReply }>;
}

/** Answers a request of a Create that was sent before under the same `Idempotency-Key`. Made once per endpoint. */
export class Idempotency implements KindTraits {
  /** The headers of an answer that was kept. */
  static readonly replayed: HeaderLines = [['Idempotency-Replayed', 'true']];

  readonly reads = ['Idempotency-Key'];
  readonly keepsAnswers = true;
  readonly reasons: readonly string[];
  readonly #store: RecordStore;
  readonly #marks: RequestMarks;
  /** True if a request may be kept from seeing the record; filters of MikroORM may come later. */
  readonly #hides: () => boolean;

  private constructor(
    context: KindContext,
    private readonly model: Model,
    isRequired: boolean,
    private readonly source: IdempotencySource,
    private readonly kept: KeptAnswers,
    path: CanonicalPath,
    /** True if a request creates several records. */
    private readonly isMany: boolean,
  ) {
    this.reasons = isRequired ? ['answers are kept under keys'] : [];
    this.#store = context.store(model);
    // Related records are written by rules of other endpoints.
    const isAlone = Object.keys(source.writeableRelations ?? {}).length === 0;
    const sender = RequestSender.of(context, isAlone ? model : undefined, source.idempotencySender);
    this.#marks = new RequestMarks(context, kept, isRequired, sender, path);
    this.#hides = () => context.hides(model);
  }

  /**
   * Undefined for an endpoint that reads no keys.
   * @throws ConfigurationError where answers cannot be kept together with records
   */
  static of(
    context: KindContext,
    model: Model,
    source: IdempotencySource,
    path: CanonicalPath,
    isMany = false,
  ): Idempotency | undefined {
    const { idempotency = false } = source;
    const refuse = (problem: string): never => {
      throw new ConfigurationError(context.owner, 'idempotency', problem);
    };
    if (![true, false, 'required'].includes(idempotency))
      return refuse(`'${String(idempotency)}' is unknown; allowed: true, false, 'required'`);
    if (idempotency === false) return undefined;
    if (!context.store(model).knowsSql)
      return refuse('answers are kept in the database of their records, which a backend of your own has not');
    const kept = Idempotency.keptFor(context);
    return new Idempotency(context, model, idempotency === 'required', source, kept, path, isMany);
  }

  /** The kept answers of the endpoint's database. @throws ConfigurationError where there can be none */
  static keptFor({ owner, database }: Pick<KindContext, 'owner' | 'database'>): KeptAnswers {
    const refuse = (problem: string): never => {
      throw new ConfigurationError(owner, 'idempotency', problem);
    };
    if (database.dialect.upsert === undefined)
      return refuse('this database cannot keep answers; PostgreSQL, SQLite and MariaDB can');
    return (
      KeptAnswers.on(database) ??
      refuse('add IdempotencyRecord of @nest-endpoints/core to `entities` of MikroORM, and its table')
    );
  }

  /** The description of the key in documents. */
  static described({ idempotency = false }: IdempotencyOptions): {
    readonly headerParameters: Readonly<Record<string, HeaderDescription>>;
    readonly headers: Readonly<Record<string, HeaderDescription>>;
  } {
    if (idempotency === false) return { headerParameters: {}, headers: {} };
    const isRequired = idempotency === 'required';
    return {
      headerParameters: { 'Idempotency-Key': { description: keyDescription, isRequired } },
      headers: { 'Idempotency-Replayed': { description: replayDescription, schema: onlyTrue } },
    };
  }

  /**
   * Makes the mark by which the request is known; undefined when it brings no key.
   * @param body its members, as they were sent
   * @throws BadRequest
   */
  markOf(request: EndpointRequest, body: ReadonlyMap<string, unknown>): Promise<RequestMark | undefined> {
    return this.#marks.markOf(request, body);
  }

  /**
   * Creates a record once for a mark. The answer is kept with everything that is written, or undone with it. Input is
   * judged before a transaction holds a connection. The judgement counts only where the mark turns out to be the
   * request's own: what was accepted once is not refused now, for example because its time has come.
   *
   * @param place tells where the record of a kept answer can be read; left out, nobody is told
   * @throws Conflict when the key belongs to another request
   * @throws NotFound when the request may not see a record that the answer tells of
   * @throws InvalidInput
   */
  once(request: EndpointRequest, mark: RequestMark, work: KeptWork, place?: KeptPlace): Promise<RecordReply> {
    const { kept } = this;
    const { session } = request;
    return work.explained(async () => {
      const known = await kept.findLive(session, mark);
      if (known !== undefined) return this.#replay(request, known, mark, place);
      const refusal = await refusalIn(work.judge());
      const write = async (): Promise<RecordReply> => {
        if (!(await kept.claim(session, mark, this.#marks.time))) return this.#first(request, mark, place);
        if (refusal !== undefined) throw refusal;
        const { keys, reply } = await work.write();
        const texts = keys.map(String);
        const key = this.isMany ? JSON.stringify(texts) : texts.join();
        await kept.keep(session, mark, answerOf(key, reply));
        return reply;
      };
      return work.transaction === undefined
        ? this.#store.transaction(session, write)
        : work.transaction(write);
    });
  }

  /** Gives what somebody else was answered under the mark meanwhile. */
  async #first(
    request: EndpointRequest,
    mark: RequestMark,
    place: KeptPlace | undefined,
  ): Promise<RecordReply> {
    const first = await this.kept.find(request.session, mark);
    // Swept in this very moment, on a database that does not lock what it looks at.
    if (first === undefined) throw new ServiceUnavailable();
    return this.#replay(request, first, mark, place);
  }

  async #replay(
    request: EndpointRequest,
    first: KeptRequest,
    mark: RequestMark,
    place: KeptPlace | undefined,
  ): Promise<RecordReply> {
    if (first.request !== mark.request)
      throw new Conflict('The Idempotency-Key was sent with another request before');
    if (!(await this.#shows(request.session, first))) throw new NotFound();
    const isCreated = first.statusCode !== outcomes.success.statusCode;
    return this.#replyOf(first, isCreated ? place?.ofKept(request, first) : undefined);
  }

  /** True if a request may see what the answer tells of. Where everybody sees all records, it tells of one that was. */
  async #shows(session: Session, { recordKey }: KeptAnswer): Promise<boolean> {
    if (!this.#hides()) return true;
    if (recordKey === undefined) return false;
    const texts = this.isMany ? (JSON.parse(recordKey) as string[]) : [recordKey];
    const keys = texts.map((key) => this.model.idColumn.type.fromText(key));
    return this.#store.allExist(session, keys);
  }

  #replyOf({ statusCode, data, entityTag }: KeptAnswer, location: string | undefined): RecordReply {
    if (this.source.outputMap !== undefined)
      return new PlainReply(
        JSON.parse(data),
        undefined,
        statusCode,
        Idempotency.replayed,
        entityTag,
        location,
      );
    return new TextReply(data, undefined, statusCode, Idempotency.replayed, entityTag, location);
  }
}

/** Gives what is said against the input. */
async function refusalIn(judged: Promise<void>): Promise<InvalidInput | undefined> {
  try {
    await judged;
    return undefined;
  } catch (error) {
    if (error instanceof InvalidInput) return error;
    throw error;
  }
}

function answerOf(recordKey: string, reply: RecordReply): KeptAnswer {
  const { data, statusCode, entityTag } = reply;
  const text = reply instanceof TextReply ? reply.data : jsonOf(data);
  return { statusCode, data: text, entityTag, recordKey };
}
