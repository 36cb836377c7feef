import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The interpreter that has Debian's modules. */
const python = '/usr/bin/python3';

/** True if there is an OpenStack Swift to test with (apt-get install python3-swift). In CI there has to be one. */
export const hasSwift = existsSync('/usr/lib/python3/dist-packages/swift') || process.env['CI'] !== undefined;

/** The keys that the server knows. */
export const swiftKeys = {
  accessKeyId: 'travel:photos',
  secretAccessKey: 'a-secret',
  region: 'eu-central-1',
} as const;

/** An object store that others wrote, and that speaks the protocol of S3. */
export interface SwiftServer {
  readonly endpoint: string;
  stop(): Promise<void>;
}

export const startSwift = async (): Promise<SwiftServer> => {
  const directory = await mkdtemp(join(tmpdir(), 'nest-endpoints-swift-'));
  const program = fileURLToPath(new URL('swift.server.py', import.meta.url));
  const { accessKeyId, secretAccessKey, region } = swiftKeys;
  const server = spawn(python, [program, directory, accessKeyId, secretAccessKey, region], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let said = '';
  for await (const chunk of server.stdout) {
    said += String(chunk);
    if (said.includes('\n')) break;
  }
  if (!/^\d+\n/.test(said)) throw new Error(`Swift does not start: ${said}`);
  return {
    endpoint: `http://127.0.0.1:${said.trim()}`,
    stop: async () => {
      server.kill('SIGKILL');
      if (server.exitCode === null && server.signalCode === null) await once(server, 'exit');
      await rm(directory, { recursive: true });
    },
  };
};
