import { truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { everyPlatform, service } from '../support/contract.js';
import { directory, png } from './files.album.js';
import { posters, sent } from './files.posters.js';

for (const road of ['straight', 'platform'] as const)
  service(
    posters,
    everyPlatform.map((one) => ({ ...one, road })),
  ).contract(
    `The length of a file and of a part is told, of a HEAD, too, and one that becomes shorter is cut: ${road}`,
    async (subject) => {
      const bytes = png('length');
      const key = await sent(subject, bytes);
      const created = await subject.request().post('/posters').send({ file: key });
      const { url } = created.body.data.file as { readonly url: string };
      const told = async (method: string, headers = {}) => {
        const answer = await subject.raw(method, url, { headers });
        return [answer.status, answer.headers['content-length'], answer.headers['transfer-encoding']];
      };
      const whole = [200, String(bytes.length), undefined];
      expect([await told('GET'), await told('HEAD')]).toEqual([whole, whole]);
      expect(await told('GET', { Range: 'bytes=3-9' })).toEqual([206, '7', undefined]);
      expect(await told('GET', { 'If-None-Match': '*' })).toEqual([304, undefined, undefined]);
      const path = join(directory, key.slice(0, 2), key);
      await truncate(path, 100_000_000);
      const answer = await fetch(subject.url + url);
      const reader = answer.body?.getReader();
      await reader?.read();
      await truncate(path, 10);
      const rest = async (): Promise<void> => {
        while ((await reader?.read())?.done === false);
      };
      await expect(rest()).rejects.toThrow('terminated');
      expect(subject.log.text()).toContain('has become shorter');
    },
  );
