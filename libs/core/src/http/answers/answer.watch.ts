import type { ServerResponse } from 'node:http';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { loggable } from '../../database/errors/database.error.js';
import { AnswerFlow } from './answer.flow.js';
import { KernelQueues } from './kernel.queues.js';

/** The time between two looks at answers on their way, in milliseconds. */
const period = 100;

/**
 * Cuts answers off whose clients read nothing. Such an answer holds memory, a place among the requests in flight, and
 * maybe a connection of the database. One timer looks at all of them; an answer that is out at once is not looked at.
 */
@Injectable()
export class AnswerWatch implements OnApplicationShutdown {
  readonly #logger = new Logger('Endpoints');
  #flows: AnswerFlow[] = [];
  #timer: NodeJS.Timeout | undefined;
  #isAsking = false;

  /** @param limit how long the client may read nothing, in milliseconds; 0 for as long as it likes */
  over(response: ServerResponse, limit: number): void {
    if (limit === 0 || response.writableFinished) return;
    this.#flows.push(new AnswerFlow(response, limit, performance.now()));
    this.#timer ??= setInterval(() => {
      this.#look(performance.now());
    }, period).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.#timer);
  }

  #look(now: number): void {
    this.#flows = this.#flows.filter(({ isOver }) => !isOver);
    if (this.#flows.length === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
      return;
    }
    // A look whose questions are still open is made up for by the next one.
    if (this.#isAsking) return;
    const silent = this.#flows.filter((flow) => flow.isDue(now) && flow.isSilent(now));
    if (silent.length > 0) void this.#judge(silent, now);
  }

  async #judge(silent: readonly AnswerFlow[], now: number): Promise<void> {
    this.#isAsking = true;
    try {
      const queues = await KernelQueues.read();
      for (const flow of silent)
        if (flow.isStalled(queues, now)) {
          flow.cut();
          this.#logger.debug(`${flow.response.req.method ?? ''} was cut off: its client reads nothing`);
        }
    } catch (error) {
      this.#logger.warn(`Answers on their way could not be looked at: ${loggable(error).reason}`);
    } finally {
      this.#isAsking = false;
    }
  }
}
