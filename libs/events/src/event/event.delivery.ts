import type { MikroORM } from '@mikro-orm/core';
import type { RelaySql } from '../relay/relay.sql.js';
import type { DeclaredEvent } from './declared.event.js';
import type { EventFormat } from './event.options.js';
import type { ToldEvent } from './told.event.js';

/** The surroundings of a delivery, known when the application starts. */
export interface DeliveryContext {
  readonly orm: MikroORM;
  readonly events: readonly DeclaredEvent[];
  readonly format: EventFormat;
  /** Statements beside those of the relay's transaction. */
  readonly sql: RelaySql;
  /** True while this process is the one of all that hands events on. Another one may have taken over since it was told to work. */
  readonly isHolder: () => boolean;
  /** Is aborted when the application is told to stop. */
  readonly signal: AbortSignal;
  readonly warn: (text: string) => void;
}

/** Hands events over within the transaction in which the position of the relay moves. */
export type HandOver = (sql: RelaySql) => Promise<void>;

/** A way in which events go out. */
export interface EventDelivery {
  /** True if events that are ready are with whoever gets them: what fails does not bring those before it again. Default false. */
  readonly takesOneByOne?: boolean;
  /** Called once, when the application starts. @throws ConfigurationError */
  connect(context: DeliveryContext): void;
  /** Gets events ready, outside of the transaction: in their order, before the position moves. What fails is tried again. */
  prepare(events: readonly ToldEvent[]): Promise<HandOver>;
  /** Called each time when this process has the relay, whether there were events or not. */
  work?(): void;
  /** Called before this process gives the relay up: another one takes it at once. */
  leave?(): Promise<void>;
  /** Ends what is in flight, within the time. */
  close?(time: number): Promise<void>;
}
