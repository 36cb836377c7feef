import type { Change } from '@nest-endpoints/core';
import { eventId } from './event.id.js';
import type { EventMessage } from './event.message.js';
import type { EventFormat } from './event.options.js';

/** The facts about the event that a change is told as. */
export interface EventFacts {
  readonly name: string;
  /** The source of its CloudEvents. */
  readonly source: string;
}

/** A change that is told as an event. */
export class ToldEvent {
  constructor(
    readonly event: EventFacts,
    readonly change: Change,
    /** The JSON text of its data. */
    private readonly data: string,
  ) {}

  /** The type, e.g. `city.updated`. */
  get type(): string {
    return `${this.event.name}.${this.change.operation}`;
  }

  /** @param receiver the one that it is for: each has ids of its own */
  id(receiver = ''): string {
    return eventId(this.change.id, `${this.event.name} ${receiver}`);
  }

  /** The body of a webhook. Its id is a header there. */
  body(format: EventFormat, receiver: string): string {
    return format === 'cloudevents' ? this.#cloudEvent(receiver) : `{${this.#standard()}}`;
  }

  /** The event for functions and queues. */
  message(format: EventFormat): EventMessage {
    const text =
      format === 'cloudevents' ? this.#cloudEvent('') : `{"id":"${this.id()}",${this.#standard()}}`;
    return JSON.parse(text) as EventMessage;
  }

  get #time(): string {
    return JSON.stringify(this.change.at.toISOString());
  }

  #standard(): string {
    return `"type":${JSON.stringify(this.type)},"timestamp":${this.#time},"data":${this.data}`;
  }

  #cloudEvent(receiver: string): string {
    const { event, change } = this;
    const facts = [
      `"specversion":"1.0","id":"${this.id(receiver)}","source":${JSON.stringify(event.source)}`,
      `"type":${JSON.stringify(this.type)},"subject":${JSON.stringify(change.recordId)},"time":${this.#time}`,
      `"datacontenttype":"application/json","data":${this.data}`,
    ];
    return `{${facts.join(',')}}`;
  }
}
