import { Injectable, Logger, type InjectionToken, type Type } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import type { Announcements, RecordEvent } from '../../endpoint/announcements.js';
import type { EndpointRequest } from '../../endpoint/request/endpoint.request.js';
import { loggable } from '../../database/errors/database.error.js';

/** The part of the EventEmitter2 of `@nestjs/event-emitter` that we use. */
interface EventEmitter {
  hasListeners(event: string): boolean;
  /** The listeners that hear every event. */
  listenersAny(): readonly unknown[];
  emitAsync(event: string, payload: unknown): Promise<unknown>;
}

/** Announces with the events of `@nestjs/event-emitter`, in applications that import its module. */
@Injectable()
export class EventAnnouncements implements Announcements {
  readonly #logger = new Logger('Endpoints');
  canBeHeard = true;
  #found: { readonly emitter: EventEmitter | undefined } | undefined;

  constructor(private readonly modules: ModulesContainer) {}

  hears(event: string): boolean {
    const emitter = this.#emitter;
    return emitter !== undefined && (emitter.hasListeners(event) || emitter.listenersAny().length > 0);
  }

  async announce(event: string, payload: RecordEvent): Promise<void> {
    await this.#emitter?.emitAsync(event, payload);
  }

  failed({ requestId, method, path }: EndpointRequest, what: string, error: unknown): void {
    const { reason, stack } = loggable(error);
    this.#logger.error(
      `${method} ${JSON.stringify(path)} is answered, but ${what} failed [${requestId}]: ${reason}`,
      stack,
    );
  }

  /** Looked up when the first record is written: all providers exist by then. */
  get #emitter(): EventEmitter | undefined {
    this.#found ??= { emitter: this.#find() };
    this.canBeHeard = this.#found.emitter !== undefined;
    return this.#found.emitter;
  }

  #find(): EventEmitter | undefined {
    for (const { providers } of this.modules.values())
      for (const { token, instance } of providers.values())
        if (typeof token === 'function' && isEmitter(token, instance)) return instance;
    return undefined;
  }
}

/** The package may not be installed, so an emitter is known by what it can do. */
function isEmitter(token: InjectionToken & object, instance: unknown): instance is EventEmitter {
  const words = ['hasListeners', 'emitAsync', 'listenersAny'] satisfies (keyof EventEmitter)[];
  return (
    instance instanceof (token as Type) &&
    words.every((word) => typeof Reflect.get(instance as object, word) === 'function')
  );
}
