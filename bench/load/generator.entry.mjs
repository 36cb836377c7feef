// The load generator, a process of its own: what it costs is nobody's figure.
import { everyApplication } from '../applications/list.mjs';
import { arrivals } from './arrivals.mjs';
import { ask } from './ask.mjs';
import { everyCase } from './cases.mjs';
import { Swarm } from './swarm.mjs';
import { World } from './world.mjs';

/** Requests of one case to one application, until nothing is left to ask. */
async function requests({ application, caseName, world, port }) {
  const { dialect, asksAs = (text) => text } = everyApplication[application];
  const make = dialect.requests[caseName];
  const { draw } = everyCase[caseName];
  const values = new World(world);
  const cursor =
    caseName === 'keyset' ? await cursorOf(dialect, asksAs(dialect.previous(draw(values))), port) : undefined;
  return () => {
    const drawn = draw(values);
    return 'id' in drawn && drawn.id === undefined ? undefined : asksAs(make(drawn, cursor));
  };
}

async function cursorOf(dialect, text, port) {
  const { json } = await ask(port, text);
  return dialect.cursor(json);
}

const quantile = (sorted, part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];

function summary({ milliseconds, latencies, statuses }) {
  const sorted = Float64Array.from(latencies).sort();
  return {
    requests: sorted.length,
    milliseconds,
    p50: quantile(sorted, 0.5),
    p95: quantile(sorted, 0.95),
    p99: quantile(sorted, 0.99),
    statuses,
  };
}

let swarm;

const orders = {
  /** Connects, and warms the case up. */
  async warmUp({ port, ports = [port], connections, seconds, least, ...of }) {
    swarm = await Swarm.open(ports, connections);
    return summary(await swarm.run({ seconds, least, next: await requests({ ...of, port }) }));
  },
  async measure({ port, seconds, ...of }) {
    const result = await swarm.run({ seconds, next: await requests({ ...of, port }) });
    return summary(result);
  },
  /** At a rate, whatever the answers take; the connections are there and warm. */
  async steady({ port, rate, seconds, ...of }) {
    const next = await requests({ ...of, port });
    const { seed } = of.world;
    return summary(await swarm.runSteadily({ dues: arrivals({ rate, seconds, seed }), next }));
  },
  close() {
    swarm.close();
  },
  /** One answer, to be compared with the others'. */
  async sample({ port, ...of }) {
    const next = await requests({ ...of, port });
    return ask(port, next());
  },
};

process.on('message', async ({ order, ...parameters }) => {
  try {
    process.send({ result: await orders[order](parameters) });
  } catch (error) {
    process.send({ error: error.stack });
  }
});
process.on('disconnect', () => process.exit());
