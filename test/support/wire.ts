import { startRelay } from './relay.js';

/** What went to PostgreSQL in its extended protocol (PostgreSQL, 54.2.3). */
interface Sent {
  readonly statements: number;
  /** How often an answer was asked for: each ends one message of statements. */
  readonly syncs: number;
}

/** A TCP relay to a PostgreSQL server that reads along what clients say. */
export interface Wire {
  readonly port: number;
  /** What was sent since this was last asked. */
  since(): Sent;
  /** Ends every connection that there is. */
  sever(): void;
  close(): Promise<void>;
}

/** @param address of the server, e.g. `postgresql://…:5432/…` */
export async function startWire(address: string): Promise<Wire> {
  let sent = { statements: 0, syncs: 0 };
  const hear = (type: string): void => {
    if (type === 'E') sent.statements += 1;
    if (type === 'S') sent.syncs += 1;
  };
  const relay = await startRelay(address, () => messageTypes(hear));
  return {
    port: relay.port,
    since: () => {
      const last = sent;
      sent = { statements: 0, syncs: 0 };
      return last;
    },
    sever: () => {
      relay.cut();
      relay.mend();
    },
    close: () => relay.close(),
  };
}

/** Reads the types of a client's messages: a letter and a length, but for the first one, which has no letter. */
function messageTypes(hear: (type: string) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0);
  let letters = 0;
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      if (rest.length < letters + 4) return;
      const length = letters + rest.readInt32BE(letters);
      if (rest.length < length) return;
      if (letters > 0) hear(String.fromCharCode(rest.readUInt8()));
      letters = 1;
      rest = rest.subarray(length);
    }
  };
}
