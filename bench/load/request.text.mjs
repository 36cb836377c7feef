// Requests as the bytes that go out: the load generator shares two cores with what it measures.

const token = process.env.BENCH_TOKEN;

/** Sent to every application, whether it asks for it or not: what differs is the work, not the bytes. */
const authorization = token === undefined ? '' : `Authorization: Bearer ${token}\r\n`;

export const get = (path) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${authorization}\r\n`;

export const remove = (path) => `DELETE ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;

const withBody = (method) => (path, value) => {
  const body = JSON.stringify(value);
  const head = `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n`;
  return `${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
};

export const post = withBody('POST');
export const patch = withBody('PATCH');
