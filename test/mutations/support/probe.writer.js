// Runs in every test file while the map is made: writes down which functions it has run (test.map.mjs).
import { afterAll, expect } from '@jest/globals';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

afterAll(() => {
  const { testPath } = expect.getState();
  const name = createHash('sha256').update(String(testPath)).digest('hex').slice(0, 16);
  const hits = [...(globalThis.mutationProbes ?? [])];
  writeFileSync(join(process.env.MUTATION_HITS, `${name}.json`), JSON.stringify({ testPath, hits }));
});
