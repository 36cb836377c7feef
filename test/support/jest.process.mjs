import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const flags = '--experimental-vm-modules --experimental-strip-types --disable-warning=ExperimentalWarning';

/**
 * Runs Jest over the tests of this project.
 *
 * @param settings variables of its environment
 * @returns its exit code; none where it was ended
 */
export const runJest = async (words, settings, stdio = 'inherit') => {
  const env = { ...process.env, NODE_OPTIONS: flags, ...settings };
  const jest = spawn('jest', words, { cwd: join(import.meta.dirname, '..'), stdio, env });
  const [status] = await once(jest, 'exit');
  return status;
};
