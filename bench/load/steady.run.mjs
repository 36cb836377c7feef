import { AnswerReader } from './answer.reader.mjs';

/**
 * Requests at times of their own. One that is due waits for a connection if none is free, and its wait counts: a latency is
 * counted from when the request was due, so that a server that stops for a while cannot hide the requests of that while.
 */
export class SteadyRun {
  #idle;
  #dues;
  #next;
  #sent = 0;
  #begun = performance.now();
  #latencies = [];
  #statuses = {};
  #sockets;
  #settle;
  #timer;

  constructor(sockets, { dues, next }) {
    this.#sockets = sockets;
    this.#dues = dues;
    this.#next = next;
    this.#idle = sockets.map((socket) => this.#connection(socket));
    /** Settles when every request is answered. */
    this.done = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    this.#send();
  }

  #connection(socket) {
    const reader = new AnswerReader();
    const connection = { socket, due: 0 };
    socket.on('data', (chunk) => {
      const answer = reader.push(chunk);
      if (answer !== undefined) this.#answered(connection, answer.status);
    });
    const fail = (error) => this.#finish(error ?? new Error('the application closed a connection'));
    socket.once('error', fail);
    socket.once('close', () => fail());
    return connection;
  }

  #answered(connection, status) {
    this.#latencies.push(performance.now() - connection.due);
    this.#statuses[status] = (this.#statuses[status] ?? 0) + 1;
    this.#idle.push(connection);
    if (this.#latencies.length === this.#dues.length) this.#finish();
    else this.#send();
  }

  /** Sends what is due, as far as there are connections, and comes back when the next one is due. */
  #send() {
    clearTimeout(this.#timer);
    const now = performance.now() - this.#begun;
    while (this.#idle.length > 0 && this.#sent < this.#dues.length && this.#dues[this.#sent] <= now) {
      const connection = this.#idle.shift();
      connection.due = this.#begun + this.#dues[this.#sent];
      this.#sent += 1;
      connection.socket.write(this.#next());
    }
    // Without a connection, the next answer comes back here.
    if (this.#sent === this.#dues.length || this.#idle.length === 0) return;
    this.#timer = setTimeout(() => this.#send(), this.#dues[this.#sent] - now);
  }

  #finish(error) {
    clearTimeout(this.#timer);
    for (const socket of this.#sockets) socket.removeAllListeners();
    if (error !== undefined) this.#settle.reject(error);
    const milliseconds = performance.now() - this.#begun;
    this.#settle.resolve({ milliseconds, latencies: this.#latencies, statuses: this.#statuses });
  }
}
