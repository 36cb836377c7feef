import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const entry = fileURLToPath(new URL('hostile.process.mjs', import.meta.url));

/**
 * Lets hostile clients loose on a service.
 *
 * @param url of the service
 * @param plan who keeps connections (`keeping`), who asks and reads nothing (`asking`), which `texts` are no requests
 */
export function hostileCrowd(url, plan) {
  const child = fork(entry, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  child.send({ url, ...plan });
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
