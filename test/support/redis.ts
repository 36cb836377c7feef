import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const found = (process.env['PATH'] ?? '').split(':').find((path) => existsSync(join(path, 'redis-server')));

/** True if there is a Redis to test with (apt-get install redis-server). In CI there has to be one. */
export const hasRedis = found !== undefined || process.env['CI'] !== undefined;

/** A Redis server that keeps nothing, and listens at a socket of the file system. */
export interface RedisServer {
  readonly path: string;
  stop(): Promise<void>;
}

export const startRedis = async (): Promise<RedisServer> => {
  const directory = await mkdtemp(join(tmpdir(), 'nest-endpoints-redis-'));
  const path = join(directory, 'redis.sock');
  const options = ['--port', '0', '--unixsocket', path, '--save', '', '--dir', directory];
  const server = spawn(join(found ?? '', 'redis-server'), options, { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const chunk of server.stdout) if (String(chunk).includes('ready to accept')) break;
  return {
    path,
    stop: async () => {
      server.kill('SIGKILL');
      if (server.exitCode === null && server.signalCode === null) await once(server, 'exit');
      await rm(directory, { recursive: true });
    },
  };
};
