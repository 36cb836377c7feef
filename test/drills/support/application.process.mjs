import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const notes = new URL('../applications/notes.mjs', import.meta.url);

/** How much of what an application prints is kept, in characters. */
const kept = 20_000;

/**
 * Starts an application of `drills/applications` as a process of its own, and waits until it listens.
 *
 * @param settings what its entry reads with {@link serve}: `databaseUrl`, `platform`, and whatever the entry knows;
 *   `entry` is the file's URL, `flags` are Node's own
 */
export async function startApplication({ entry = notes, flags = [], ...settings }) {
  const child = fork(fileURLToPath(entry), [], {
    execArgv: flags,
    env: { ...process.env, DRILL_SETTINGS: JSON.stringify(settings) },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  const keep = (text) => (output = (output + text).slice(-kept));
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const exited = once(child, 'exit').then(([code, signal]) => ({ code, signal }));
  const stopWithUs = () => child.kill('SIGKILL');
  process.once('exit', stopWithUs);
  void exited.then(() => process.off('exit', stopWithUs));
  const url = await Promise.race([
    once(child, 'message').then(([message]) => message.url),
    exited.then(() => Promise.reject(new Error(`The application ended instead of listening: ${output}`))),
  ]);
  return {
    url,
    pid: child.pid,
    output: () => output,
    /** What it exits with. */
    exited,
    kill: (signal) => child.kill(signal),
    /** What it holds, after a garbage collection where `--expose-gc` is among its flags. In bytes. */
    async memory() {
      const told = once(child, 'message');
      child.send('memory');
      const [{ memory }] = await told;
      return memory;
    },
    /** Ends it, whatever it does. */
    async end() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
