import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** How often those who drip send something, in milliseconds. */
const dripTime = 100;

/** How long one whose connection was ended waits before it opens another one, in milliseconds: these are no flood. */
const pause = 1000;

/** How long an answer to nonsense is waited for, in milliseconds. */
const patience = 2000;

/**
 * Clients that keep a service waiting. They never close: when the service ends a connection, they keep their side of it,
 * and open another one.
 */
export class HostileClients {
  #address;
  #sockets = new Set();
  #places = [];
  #isOver = false;
  opened = 0;

  constructor(url) {
    const { hostname: host, port } = new URL(url);
    this.#address = { host, port: Number(port), allowHalfOpen: true };
  }

  /** Keeps a number of connections. @param how what they send, and what they drip */
  keep(count, how) {
    for (let at = 0; at < count; at += 1) {
      const place = { ends: 0 };
      this.#places.push(place);
      this.#occupy(place, how);
    }
  }

  /**
   * Asks with a number of connections, and reads nothing of the answers. Who does not read does not hear of an end, so
   * that each asks again on another connection after a time.
   */
  ask(count, { text, every }) {
    const asking = async (at) => {
      await sleep((every * at) / count, undefined, { ref: false });
      while (!this.#isOver) {
        this.#open(text).pause();
        await sleep(every, undefined, { ref: false });
      }
    };
    for (let at = 0; at < count; at += 1) void asking(at);
  }

  /** How many times the service has ended the connection of that client whose connections it has ended least. */
  fewestEnds() {
    return Math.min(...this.#places.map(({ ends }) => ends));
  }

  /** Sends one text after the other. @returns what ends it, and tells how many were taken for good */
  send(texts) {
    let isOver = false;
    let takenForGood = 0;
    const sending = (async () => {
      for (let count = 0; !isOver; count += 1) {
        if (/^HTTP\/1\.1 2/.test(await this.#answerTo(texts[count % texts.length]))) takenForGood += 1;
        await sleep(20);
      }
    })();
    return async () => {
      isOver = true;
      await sending;
      return takenForGood;
    };
  }

  /** Opens no more connections, but keeps what there is. */
  rest() {
    this.#isOver = true;
  }

  leave() {
    this.rest();
    for (const socket of this.#sockets) socket.destroy();
  }

  #occupy(place, how) {
    const { text, drip } = how;
    const socket = this.#open(text).resume();
    const dripping = drip === undefined ? undefined : setInterval(() => socket.write(drip), dripTime);
    let isEnded = false;
    const ended = () => {
      if (isEnded) return;
      isEnded = true;
      clearInterval(dripping);
      place.ends += 1;
      void sleep(pause, undefined, { ref: false }).then(() => {
        if (!this.#isOver) this.#occupy(place, how);
      });
    };
    socket.once('end', ended).once('close', ended);
  }

  #open(text) {
    this.opened += 1;
    const socket = connect(this.#address, () => socket.write(text));
    this.#sockets.add(socket);
    // Whoever cuts a hostile client off is right.
    return socket.on('error', () => undefined).once('close', () => this.#sockets.delete(socket));
  }

  #answerTo(text) {
    const socket = this.#open(text).setTimeout(patience);
    socket.on('timeout', () => socket.destroy());
    return new Promise((resolve) => {
      let answer = '';
      socket
        .on('data', (chunk) => (answer += chunk))
        .once('end', () => socket.destroy())
        .once('close', () => resolve(answer));
    });
  }
}
