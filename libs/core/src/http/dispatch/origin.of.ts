import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { Origin } from './in-process.client.js';

/** The origin of a request, as its parts have it: its client's address, and what TLS tells of the client. */
export function originOf(socket: Socket): Origin {
  const { remoteAddress, remoteFamily, remotePort } = socket;
  const address = { remoteAddress, remoteFamily, remotePort };
  if (!(socket instanceof TLSSocket)) return address;
  const { encrypted, authorized } = socket;
  const getPeerCertificate = socket.getPeerCertificate.bind(socket);
  return { ...address, encrypted, authorized, getPeerCertificate };
}
