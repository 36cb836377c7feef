import { connect } from 'node:net';
import { once } from 'node:events';
import { AnswerReader } from './answer.reader.mjs';
import { SteadyRun } from './steady.run.mjs';

/** Keep-alive connections to one application, each with one request on its way at a time. */
export class Swarm {
  #sockets;

  /** @param ports of the instances of the application, which have as many connections each */
  static async open(ports, connections) {
    const swarm = new Swarm();
    swarm.#sockets = await Promise.all(
      Array.from({ length: connections }, async (_, index) => {
        const port = ports[index % ports.length];
        const socket = connect({ port, host: '127.0.0.1', noDelay: true });
        await once(socket, 'connect');
        return socket;
      }),
    );
    return swarm;
  }

  close() {
    for (const socket of this.#sockets) socket.destroy();
  }

  /**
   * Sends what `next` gives until the time is over or it gives nothing more; every request that was sent is waited for.
   * @param least the answers that the time is stretched for, to four times of it at most: code becomes quick by being run,
   *   and a busy machine runs little of it in the same time
   * @returns how long it took, the latencies in milliseconds, and how often which status came
   */
  async run({ seconds, next, least = 0 }) {
    const latencies = [];
    const statuses = {};
    const begun = performance.now();
    const isOver = () => {
      const passed = performance.now() - begun;
      return passed >= seconds * 1000 && (latencies.length >= least || passed >= seconds * 4000);
    };
    await Promise.all(this.#sockets.map((socket) => exchange(socket, { next, isOver, latencies, statuses })));
    return { milliseconds: performance.now() - begun, latencies, statuses };
  }

  /** Sends a request whenever one is due, on whichever connection is free; answers what {@link run} does. */
  runSteadily(of) {
    return new SteadyRun(this.#sockets, of).done;
  }
}

function exchange(socket, { next, isOver, latencies, statuses }) {
  return new Promise((resolve, reject) => {
    const reader = new AnswerReader();
    let sent = 0;
    const send = () => {
      const text = isOver() ? undefined : next();
      if (text === undefined) {
        socket.removeAllListeners();
        resolve();
        return;
      }
      sent = performance.now();
      socket.write(text);
    };
    socket.on('data', (chunk) => {
      const answer = reader.push(chunk);
      if (answer === undefined) return;
      latencies.push(performance.now() - sent);
      statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
      send();
    });
    const fail = (error) => reject(error ?? new Error('the application closed a connection'));
    socket.once('error', fail);
    socket.once('close', () => fail());
    send();
  });
}
