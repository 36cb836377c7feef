import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { hasLeft } from '../exchange.js';
import type { KernelQueues } from './kernel.queues.js';

/** Node's handle of a connection, as far as it tells what is on its way; that of TLS stands on another. */
interface Handle {
  readonly fd?: number;
  readonly writeQueueSize?: number;
  readonly _parent?: Handle | null;
}

/** An answer on its way to its client, and when the client was last seen to read. */
export class AnswerFlow {
  readonly #socket: Socket;
  /** Bytes that Node was told are out. */
  #written = -1;
  /** Bytes of the write that is under way which the operating system has not taken yet. */
  #queued = -1;
  /** The queue in the operating system; undefined while nobody asked. */
  #inKernel: string | undefined;
  #readAt: number;
  #lookAt: number;

  /**
   * @param limit how long the client may read nothing, in milliseconds
   * @param now on the clock of `performance.now()`, as everywhere here
   */
  constructor(
    readonly response: ServerResponse,
    private readonly limit: number,
    now: number,
  ) {
    this.#socket = response.req.socket;
    this.#readAt = now;
    this.#lookAt = now;
  }

  /** True if there is nothing more to wait for. */
  get isOver(): boolean {
    const { response } = this;
    return response.writableFinished || hasLeft(response) || this.#socket.destroyed;
  }

  /** True if it is time to look at it; then not again for an eighth of its limit. */
  isDue(now: number): boolean {
    if (now < this.#lookAt) return false;
    this.#lookAt = now + this.limit / 8;
    return true;
  }

  /** True if the client seems to have read nothing since the last look, although there is something for it. */
  isSilent(now: number): boolean {
    const { bytesWritten, writableLength } = this.#socket;
    const written = bytesWritten - writableLength;
    const queued = queuedOn(handleOf(this.#socket));
    const hasRead = written !== this.#written || queued !== this.#queued;
    this.#written = written;
    this.#queued = queued;
    if (hasRead || !this.#isWaiting) this.#sawReading(now);
    return this.#readAt !== now;
  }

  /** True if the client has read nothing for too long; the operating system may know better than the process. */
  isStalled(queues: KernelQueues | undefined, now: number): boolean {
    if (this.isOver) return false;
    const known = this.#inKernel;
    const inKernel = queues?.of(handleOf(this.#socket)?.fd ?? -1);
    if (inKernel !== known) this.#sawReading(now);
    this.#inKernel = inKernel;
    return now - this.#readAt >= this.limit;
  }

  /** Ends it so that nobody takes it for whole. */
  cut(): void {
    cutShort(this.response);
  }

  #sawReading(now: number): void {
    this.#readAt = now;
    this.#inKernel = undefined;
  }

  /** An answer that waits for another one on its connection is waited for with that. */
  get #isWaiting(): boolean {
    const { response } = this;
    const isAlone = response.req.httpVersionMajor > 1;
    return (isAlone ? response : this.#socket).writableLength > 0;
  }
}

/**
 * Ends an answer that is not whole. Without chunks or a length (HTTP/1.0) a closed connection would say that it is whole,
 * so the connection is reset. Where that is not possible, on TLS, the end of the session is missing.
 */
export function cutShort(response: ServerResponse): void {
  const { socket, httpVersionMajor, httpVersionMinor } = response.req;
  const isTcp = !(socket instanceof TLSSocket) && socket.remoteAddress !== undefined;
  if (httpVersionMajor === 1 && httpVersionMinor === 0 && isTcp) socket.resetAndDestroy();
  // One that waits behind another on its connection has no socket yet.
  else if (httpVersionMajor === 1) socket.destroy();
  response.destroy();
}

function handleOf(socket: Socket): Handle | undefined {
  return (Reflect.get(socket, '_handle') as Handle | null) ?? undefined;
}

function queuedOn(handle: Handle | null | undefined): number {
  if (handle === undefined || handle === null) return 0;
  return (handle.writeQueueSize ?? 0) + queuedOn(handle._parent);
}
