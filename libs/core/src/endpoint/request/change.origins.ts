import type { RequestContext } from '../../access/request.context.js';
import type { Identity, IdentityFunction } from '../../model/registered.identity.js';
import { callable } from '../../options/checks.js';
import type { ChecksOf } from '../../options/option.check.js';
import { unknownOrigin, type ChangeOrigin } from '../../sql/changes/change.origin.js';
import { EndpointContext } from '../endpoint.context.js';

/** The say of an application about who makes a change. */
export interface ChangeLogOptions {
  /** The name of the sender in the log. Default the claims `iss` and `sub`, with `|` between. */
  readonly actor?: IdentityFunction<string | null | undefined>;
  /** A JSON object about the request, such as `{ ip: request.ip }`. Default none. */
  readonly context?: (request: RequestContext) => object | null | undefined;
}

export const changeLogChecks = {
  actor: callable,
  context: callable,
} as const satisfies ChecksOf<ChangeLogOptions>;

/** The most of an actor's text, and of a context's JSON, in bytes. */
const most = 4096;

/** Tells who changes something, of the request that is being answered. */
export class ChangeOrigins {
  /** @param warn tells of what was cut off */
  constructor(
    private readonly options: ChangeLogOptions,
    private readonly warn: (problem: string) => void,
  ) {}

  /** The origin of what is changed now; nobody's outside of a request. */
  get current(): ChangeOrigin {
    const request = EndpointContext.currentScope;
    if (request === undefined) return unknownOrigin;
    const { identity, requestId, endpoint } = request;
    const actor = identity === undefined || identity === null ? undefined : this.#actorOf(identity);
    const context = this.options.context?.(request.view);
    return {
      actor: actor === undefined ? null : this.#shortened(actor),
      requestId,
      endpoint: `${endpoint.kind} ${endpoint.path}`,
      context: context === undefined || context === null ? null : this.#jsonOf(context),
    };
  }

  #actorOf(identity: Identity): string | undefined {
    const { actor } = this.options;
    if (actor !== undefined) return textOf(actor(identity));
    const told = ['iss', 'sub'].map((name) =>
      Object.hasOwn(Object(identity) as object, name)
        ? (Reflect.get(Object(identity) as object, name) as unknown)
        : '',
    );
    return told.every((one) => one === '') ? undefined : told.map((one) => textOf(one) ?? '').join('|');
  }

  #shortened(text: string): string {
    const bytes = Buffer.from(storable(text));
    if (bytes.length <= most) return bytes.toString();
    this.warn(`an actor of more than ${most} bytes was cut off`);
    // A letter that was cut through is left out.
    return bytes
      .subarray(0, most)
      .toString()
      .replace(/\ufffd$/, '');
  }

  /** JSON cannot be cut through: the members that do not fit are left out. */
  #jsonOf(context: object): string {
    const members = Object.entries(context).flatMap(([name, value]): string[] => {
      const json = JSON.stringify(value) as string | undefined;
      return json === undefined ? [] : [storableJson(`${JSON.stringify(name)}:${json}`)];
    });
    const kept: string[] = [];
    let length = 2;
    for (const member of members) {
      length += Buffer.byteLength(member) + 1;
      if (length > most) {
        this.warn(`a context of more than ${most} bytes was cut off`);
        break;
      }
      kept.push(member);
    }
    return `{${kept.join(',')}}`;
  }
}

/** A claim may be anything, whatever the type of a function says. */
function textOf(actor: unknown): string | undefined {
  if (actor === null || actor === undefined) return undefined;
  if (typeof actor === 'string') return actor;
  return typeof actor === 'bigint' ? String(actor) : JSON.stringify(actor);
}

/** A text that the database stores: without the character zero and halves of characters. */
function storable(text: string): string {
  return text.replaceAll('\0', '\ufffd').toWellFormed();
}

/** A JSON text that the database stores; its letters may be escaped. */
function storableJson(json: string): string {
  return json.replace(/\\(?:u0000|ud[89a-f][\da-f]{2}|.)/g, (escaped) =>
    /^\\u(?:0000|d)/.test(escaped) ? '\ufffd' : escaped,
  );
}
