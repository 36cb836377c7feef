import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const entry = fileURLToPath(new URL('hostile.process.mjs', import.meta.url));

/**
 * Lets hostile clients loose on a service.
 *
 * @param url of the service
 * @param plan what support/hostile.process.mjs reads: who keeps connections, who asks and reads nothing, which texts are no
 *   requests
 */
export function hostileCrowd(url, plan) {
  const child = fork(entry, [], {
    env: { ...process.env, DRILL_SETTINGS: JSON.stringify({ url, ...plan }) },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  return {
    /** Has them open no more connections, but keep what there is. @returns how it went for them */
    async rest() {
      const told = once(child, 'message');
      child.send('rest');
      const [figures] = await told;
      return figures;
    },
    leave: () => child.kill('SIGKILL'),
  };
}
