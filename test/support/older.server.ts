import type { Application } from './application.js';

interface PgPool {
  on(
    event: 'acquire',
    listener: (client: { readonly connection: { readonly stream: Wire } }) => void,
  ): unknown;
}

interface Wire {
  write(bytes: Uint8Array, ...rest: unknown[]): unknown;
}

const asked = `current_setting('server_version_num')`;

/** Has an application believe from its next statement on that its PostgreSQL is of another version, such as 150004. */
export const pretendVersion = async ({ orm }: Application, version: number): Promise<void> => {
  const connection = orm.driver.getConnection() as unknown as { getNativeClient(): Promise<PgPool> };
  const told = Buffer.from(`'${version}'`.padEnd(asked.length));
  const patched = new WeakSet<Wire>();
  (await connection.getNativeClient()).on('acquire', ({ connection: { stream } }) => {
    if (patched.has(stream)) return;
    patched.add(stream);
    const write = stream.write.bind(stream);
    stream.write = (bytes, ...rest) => {
      const message = Buffer.from(bytes);
      const at = message.indexOf(asked);
      if (at >= 0) told.copy(message, at);
      return write(message, ...rest);
    };
  });
};
