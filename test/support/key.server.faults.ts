import type { RequestListener } from 'node:http';

const json = (body: string | Buffer): RequestListener => {
  return (_request, response) => void response.setHeader('content-type', 'application/json').end(body);
};

/** What a key server may answer instead of keys, all within a moment. */
export const quickFaults: Readonly<Record<string, RequestListener>> = {
  'an error': (_request, response) => void response.writeHead(500).end('{"keys":[]}'),
  'too many requests': (_request, response) => void response.writeHead(429, { 'retry-after': '1' }).end(),
  'no content': (_request, response) => void response.writeHead(204).end(),
  'a page': (_request, response) =>
    void response.setHeader('content-type', 'text/html').end('<html>Sign in, please</html>'),
  'an empty set': json('{"keys":[]}'),
  'no set': json('{}'),
  null: json('null'),
  'a list': json('[]'),
  'keys that are no list': json('{"keys":{"kty":"RSA"}}'),
  'nothing but nonsense in the set': json('{"keys":[null,1,"a",[],{"kty":"oct","kid":"a","k":"AAAA"}]}'),
  'broken JSON': json('{"keys":['),
  'an empty answer': json(''),
  'bytes that are no text': json(Buffer.from([0xff, 0xfe, 0x00])),
  'two megabytes': json(`{"keys":[],"filler":"${'x'.repeat(2_000_000)}"}`),
  'a closed connection': (request) => void request.socket.destroy(),
  'half an answer': (request, response) => {
    response.writeHead(200, { 'content-length': '1000' }).write('{"keys":[');
    setImmediate(() => request.socket.destroy());
  },
  'no HTTP': (request) => void request.socket.end('hello\r\n\r\n'),
};

/** What a key server may do for ever. */
export const slowFaults: Readonly<Record<string, RequestListener>> = {
  silence: () => undefined,
  'headers alone': (_request, response) => void response.writeHead(200).write('{'),
  'a byte now and then': (_request, response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write(' '), 100);
    response.on('close', () => clearInterval(timer));
  },
};

/** Sends whoever asks to another address. */
export const redirectTo =
  (url: string, status = 302): RequestListener =>
  (_request, response) =>
    void response.writeHead(status, { location: url }).end();
