import { tmpdir } from 'node:os';
import { expect, test } from '@jest/globals';
import {
  FileColumn,
  ImgproxyImages,
  imgproxySignature,
  LocalFiles,
  S3Files,
  SharpImages,
} from '@nest-endpoints/files';

const directory = tmpdir();
const secret = 'a secret of thirty-two characters';
const storage = new LocalFiles({ directory, secret });
const images = new SharpImages({ maximumPixels: 1_000_000 });
const variants = { thumb: { width: 200 }, tile: { width: 40, height: 40 } } as const;

interface Shown {
  readonly url: string;
  readonly variants: { readonly thumb: string; readonly tile: string } | null;
}

test('A url of imgproxy has the signature that imgproxy documents, and ends', () => {
  const key = '943b421c9eb07c830af81030552c86009268de4e532ba2ee2eab8247c6da0881';
  const salt = '520f986b998545b4785e0defbc4f3c1203f22de2374a3d53cb7a7fe9fea309c5';
  const path = '/fill/300/300/no/1/aHR0cDovL2ltZy5leGFtcGxlLmNvbS9wcmV0dHkvaW1hZ2UuanBn.png';
  expect(imgproxySignature(key, salt, path)).toBe('_PQ4ytCQMMp-1w1m_vP6g8Qb-Q7yF9mwghf6PddqxLw');
  const bucket = new S3Files({
    endpoint: 'https://s3.eu-central-1.amazonaws.com',
    bucket: 'photos',
    region: 'eu-central-1',
    accessKeyId: 'A',
    secretAccessKey: 'B',
  });
  const proxy = new ImgproxyImages({ url: 'https://images.example', key, salt });
  const column = new FileColumn({ ...taken, storage: bucket, variants, images: proxy });
  const file = { key: 'f'.repeat(32), name: 'a.png', type: 'image/png', bytes: 9, sha256: '0'.repeat(64) };
  const shown = JSON.parse(column.toWire(file)) as Shown;
  const [, signature = '', processing = '', exp, source = ''] =
    /^https:\/\/images\.example\/([\w-]{43})(\/rs:fit:200:0\/exp:(\d{10})\/([\w-]+)\.webp)$/.exec(
      String(shown.variants?.thumb),
    ) ?? [];
  expect(signature).toBe(imgproxySignature(key, salt, processing));
  expect(Buffer.from(source, 'base64url').toString()).toBe(shown.url);
  expect(Number(exp) * 1000 - Date.now()).toBeLessThanOrEqual(120_000);
});

const taken = { maximumBytes: 1000, types: ['image/png'] } as const;

test('Variants without a maker, or of a storage that it cannot read, stop the start', () => {
  const proxy = new ImgproxyImages({ url: 'https://images.example', key: 'aa', salt: 'bb' });
  const column = (options: object) => () => new FileColumn({ ...taken, storage, ...options });
  const bucket = { endpoint: 'https://s3.example', bucket: 'photos', region: 'x' };
  const s3 = new S3Files({ ...bucket, accessKeyId: 'A', secretAccessKey: 'B' });
  expect(column({ variants })).toThrow('FileColumn: images: is required with variants');
  expect(column({ images })).toThrow('FileColumn: variants: is required with images');
  expect(column({ variants, images: proxy })).toThrow(/say the 'url' of LocalFiles/);
  expect(column({ variants, images, storage: s3 })).toThrow(/use new ImgproxyImages/);
  expect(column({ variants: { thumb: { height: 9 } }, images })).toThrow(/variants: .*'width' is required/);
  expect(column({ variants: { thumb: { width: 20_000 } }, images })).toThrow(/variants: .*10000|10,000/);
  expect(() => new SharpImages({ maximumPixels: 0 })).toThrow(/SharpImages: maximumPixels/);
  expect(() => new ImgproxyImages({ url: 'images', key: 'aa', salt: 'b' })).toThrow(/ImgproxyImages: url/);
  const address = new LocalFiles({ directory, secret, url: 'https://api.example' });
  expect(column({ variants, images: proxy, storage: address })).not.toThrow();
});
