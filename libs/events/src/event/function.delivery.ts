import type { DeliveryContext, EventDelivery, HandOver } from './event.delivery.js';
import type { EventMessage } from './event.message.js';
import type { ToldEvent } from './told.event.js';

/** A function that gets events, one after the other. What it throws is tried again, and holds the ones behind. */
export type EventFunction = (event: EventMessage, signal: AbortSignal) => unknown;

/** The times that a call may take, in milliseconds: then it has failed. One under way when the application stops has the second. */
const patience = { call: 30_000, last: 10_000 } as const;

/** Calls a function with each event, at least once. */
export class FunctionDelivery implements EventDelivery {
  readonly takesOneByOne = true;
  #context: DeliveryContext | undefined;

  constructor(private readonly call: EventFunction) {}

  connect(context: DeliveryContext): void {
    this.#context = context;
  }

  async prepare(events: readonly ToldEvent[]): Promise<HandOver> {
    const { format = 'standard', signal = AbortSignal.abort() } = this.#context ?? {};
    for (const event of events) await inTime(signal, (given) => this.call(event.message(format), given));
    return () => Promise.resolve();
  }
}

/** @param stopping is aborted when the application is told to stop, which the function may heed: it has a while to end */
async function inTime(stopping: AbortSignal, work: (signal: AbortSignal) => unknown): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const fail = (): void => {
    reject(new Error('A function of events has not ended in time'));
  };
  const over = new AbortController();
  const timers = [
    setTimeout(() => {
      over.abort();
      fail();
    }, patience.call),
  ];
  const stop = (): void => {
    timers.push(setTimeout(fail, patience.last));
  };
  if (stopping.aborted) stop();
  else stopping.addEventListener('abort', stop, { once: true });
  try {
    await Promise.race([work(AbortSignal.any([stopping, over.signal])), late]);
  } finally {
    stopping.removeEventListener('abort', stop);
    timers.forEach(clearTimeout);
  }
}
