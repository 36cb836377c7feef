import { readdirSync, readFileSync } from 'node:fs';

/** Of processes that have ended, Linux tells hundredths of a second; of those that are there, nanoseconds. */
const microsecondsPerTick = 10_000;

/**
 * A function that answers the microseconds of CPU of a PostgreSQL server and all its processes, or `undefined` where
 * they cannot be seen: on another machine, or on another system than Linux.
 */
export async function postgresCpu(client) {
  const { rows } = await client.query('select pg_backend_pid() as pid');
  const backend = statOf(rows[0].pid);
  if (backend?.name !== 'postgres') return undefined;
  return () => cpuOf(backend.parent);
}

/** Of the server itself, of its children that ended, and of those that are there. */
function cpuOf(server) {
  const own = statOf(server);
  const children = readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .filter((pid) => statOf(pid)?.parent === server);
  const there = [server, ...children].reduce((sum, pid) => sum + microsecondsOf(pid), 0);
  return there + own.endedTicks * microsecondsPerTick;
}

/** What a process that is there has used; kernels without scheduler statistics tell it in ticks. */
function microsecondsOf(pid) {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1000;
  } catch {
    return (statOf(pid)?.ticks ?? 0) * microsecondsPerTick;
  }
}

function statOf(pid) {
  let text;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined; // It has ended meanwhile, or there is no /proc.
  }
  // The name is in parentheses and may hold anything; numbers come after it.
  const [name, rest] = [
    text.slice(text.indexOf('(') + 1, text.lastIndexOf(')')),
    text.slice(text.lastIndexOf(')') + 2),
  ];
  const fields = rest.split(' ').map(Number);
  return { name, parent: fields[1], ticks: fields[11] + fields[12], endedTicks: fields[13] + fields[14] };
}
