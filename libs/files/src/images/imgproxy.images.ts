import { createHmac } from 'node:crypto';
import { optionChecks, type ChecksOf } from '@nest-endpoints/core';
import { checkRequired } from '../options/required.options.js';
import { readEnd, type FileStorage } from '../storages/file.storage.js';
import { FileImages, type VariantSource } from './file.images.js';

/** Options of {@link ImgproxyImages}. */
export interface ImgproxyImagesOptions {
  /** The address of imgproxy, e.g. `https://images.example`. */
  readonly url: string;
  /** The value of `IMGPROXY_KEY`, in hexadecimal digits. */
  readonly key: string;
  /** The value of `IMGPROXY_SALT`, in hexadecimal digits. */
  readonly salt: string;
}

const digits = optionChecks.check(
  'hexadecimal digits, two for each byte',
  (value) => typeof value === 'string' && /^(?:[0-9a-f]{2})+$/i.test(value),
);

const checks = {
  url: optionChecks.check(
    "an address, e.g. 'https://images.example'",
    (value) => typeof value === 'string' && /^https?:\/\/.*[^/]$/.test(value) && URL.canParse(value),
  ),
  key: digits,
  salt: digits,
} as const satisfies ChecksOf<ImgproxyImagesOptions>;

/**
 * Smaller images by imgproxy, a service of its own, which reads a file by its signed url.
 *
 * @example new ImgproxyImages({ url: 'https://images.example', key: process.env['IMGPROXY_KEY'] ?? '', salt: … })
 */
export class ImgproxyImages extends FileImages {
  readonly #options: ImgproxyImagesOptions;

  /** @throws ConfigurationError for options that are not allowed */
  constructor(options: ImgproxyImagesOptions) {
    super();
    checkRequired('ImgproxyImages', options, checks, ['url', 'key', 'salt']);
    this.#options = options;
  }

  override misfit(storage: FileStorage): string | undefined {
    return storage.hasAddresses
      ? undefined
      : "imgproxy needs addresses of files: say the 'url' of LocalFiles, e.g. 'https://api.example'";
  }

  override url({ file, size: { width, height = 0 }, storage, reading, place }: VariantSource): string {
    const { url, key, salt } = this.#options;
    const source = Buffer.from(storage.url(file, reading, place)).toString('base64url');
    const ends = reading.isPublic ? '' : `/exp:${Math.floor(readEnd() / 1000)}`;
    const path = `/rs:fit:${width}:${height}${ends}/${source}.webp`;
    return `${url}/${imgproxySignature(key, salt, path)}${path}`;
  }
}

/** The signature of a path, as imgproxy wants it: HMAC with SHA-256 of the salt and the path. */
export function imgproxySignature(key: string, salt: string, path: string): string {
  return createHmac('sha256', Buffer.from(key, 'hex'))
    .update(Buffer.from(salt, 'hex'))
    .update(path)
    .digest('base64url');
}
