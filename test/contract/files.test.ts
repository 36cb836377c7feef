import { expect } from '@jest/globals';
import { everyDatabase, service } from '../support/contract.js';
import { album, announced, as, png, sha256, stateOf } from './files.album.js';

const { contract } = service(album(), everyDatabase);

contract('A file is announced, sent, attached by its key and read by a signed url', async (subject) => {
  const { request } = subject;
  const bytes = png('sea');
  const announce = await request().post('/pictures/files').set(as('ann')).send(announced(bytes));
  expect(announce.status).toBe(201);
  const { key, upload: told } = announce.body.data;
  expect(key).toMatch(/^[0-9a-f]{32}$/);
  expect(told).toEqual({
    method: 'PUT',
    url: expect.stringMatching(`^/pictures/files/${key}\\?bytes=${bytes.length}&`),
    headers: { 'Content-Type': 'application/octet-stream' },
    expires_at: expect.any(String),
  });
  expect(await stateOf(subject, key)).toBe('pending -');
  expect((await request().put(told.url).set(told.headers).send(bytes)).status).toBe(200);
  const created = await request().post('/pictures').set(as('ann')).send({ title: 'Sea', cover_file: key });
  expect(created.status).toBe(201);
  const { id, cover_file: file } = created.body.data;
  expect(file).toEqual({
    name: 'sea.png',
    type: 'image/png',
    bytes: bytes.length,
    sha256: sha256(bytes),
    url: expect.stringMatching(`^/pictures/files/${key}\\?name=sea.png&`),
  });
  expect(await stateOf(subject, key)).toBe(`attached ${id}`);
  const got = await request().get(`/pictures/${id}`).set(as('ann'));
  const read = await request().get(got.body.data.cover_file.url);
  expect([read.status, read.body.equals(bytes), read.headers['content-type']]).toEqual([
    200,
    true,
    'image/png',
  ]);
});
