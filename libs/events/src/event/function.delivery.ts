import type { DeliveryContext, EventDelivery, HandOver } from './event.delivery.js';
import type { EventMessage } from './event.message.js';
import type { ToldEvent } from './told.event.js';

/** A function that gets events, one after the other. What it throws is tried again, and holds the ones behind. */
export type EventFunction = (event: EventMessage, signal: AbortSignal) => unknown;

/** The time that a call may take, in milliseconds: then it has failed. */
const patience = 30_000;

/** Calls a function with each event, at least once. */
export class FunctionDelivery implements EventDelivery {
  #context: DeliveryContext | undefined;

  constructor(private readonly call: EventFunction) {}

  connect(context: DeliveryContext): void {
    this.#context = context;
  }

  async prepare(events: readonly ToldEvent[]): Promise<HandOver> {
    const { format = 'standard', signal = AbortSignal.abort() } = this.#context ?? {};
    for (const event of events) {
      signal.throwIfAborted();
      const given = AbortSignal.any([signal, AbortSignal.timeout(patience)]);
      await inTime(given, this.call(event.message(format), given));
    }
    return () => Promise.resolve();
  }
}

async function inTime(signal: AbortSignal, work: unknown): Promise<void> {
  let stop: () => void = () => undefined;
  const late = new Promise<never>((_resolve, reject) => {
    stop = () => {
      reject(new Error('A function of events has not ended in time'));
    };
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    await Promise.race([work, late]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
