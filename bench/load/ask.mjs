import { connect } from 'node:net';
import { AnswerReader } from './answer.reader.mjs';

/** One request on a connection of its own; answers its status and its JSON. */
export function ask(port, text) {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' });
    const reader = new AnswerReader();
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('the application closed the connection')));
    socket.on('data', (chunk) => {
      const answer = reader.push(chunk);
      if (answer === undefined) return;
      const body = answer.body();
      resolve({ status: answer.status, json: body === '' ? undefined : JSON.parse(body) });
      socket.destroy();
    });
    socket.write(text);
  });
}
