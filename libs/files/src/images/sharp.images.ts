import { createRequire } from 'node:module';
import { stat } from 'node:fs/promises';
import { ConfigurationError, optionChecks, type ChecksOf } from '@nest-endpoints/core';
import { Logger } from '@nestjs/common';
import { checkRequired } from '../options/required.options.js';
import type { FileStorage } from '../storages/file.storage.js';
import { LocalFiles } from '../storages/local.files.js';
import { FileImages, sizeWord, type ImageSize, type VariantSource } from './file.images.js';
import { ImageQueue } from './image.queue.js';

/** Options of {@link SharpImages}. */
export interface SharpImagesOptions {
  /** The most pixels of a file that is read at all: a small file may be large when it is unpacked. Default 50,000,000. */
  readonly maximumPixels?: number;
}

/** An image that was made. */
export interface MadeImage {
  readonly path: string;
  readonly bytes: number;
}

const checks = {
  maximumPixels: optionChecks.wholeNumber(1, 1_000_000_000, 'pixels'),
} as const satisfies ChecksOf<SharpImagesOptions>;

/** The time that one image may take, in seconds. */
const seconds = 20;

/**
 * Smaller images of files on a local disk, by the package `sharp`, in a thread. They are WebP, made when they are first asked for,
 * and kept.
 *
 * @example new SharpImages()
 */
export class SharpImages extends FileImages {
  readonly #queue: ImageQueue;

  /** @throws ConfigurationError for options that are not allowed, and where `sharp` is not installed */
  constructor(options: SharpImagesOptions = {}) {
    super();
    checkRequired('SharpImages', options, checks, []);
    const { maximumPixels = 50_000_000 } = options;
    const logger = new Logger('Endpoints');
    this.#queue = new ImageQueue({ sharp: pathOfSharp(), maximumPixels, seconds }, (source, reason) => {
      logger.warn(`No smaller image can be made of ${source}: ${reason}`);
    });
  }

  override misfit(storage: FileStorage): string | undefined {
    return storage instanceof LocalFiles
      ? undefined
      : 'SharpImages are made of files on a local disk: use new ImgproxyImages(…)';
  }

  override url({ file, size, storage, reading, place }: VariantSource): string {
    return storage.url(file, { ...reading, size: sizeWord(size) }, place);
  }

  /**
   * Finds the image of a file, and has it made where there is none yet. Called by the library.
   *
   * @param folder where images are that are not finished
   * @returns undefined while it is made, `impossible` where it cannot be
   */
  async find(
    source: string,
    target: string,
    size: ImageSize,
    folder: string,
  ): Promise<MadeImage | 'impossible' | undefined> {
    try {
      const { size: bytes } = await stat(target);
      return bytes === 0 ? 'impossible' : { path: target, bytes };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      this.#queue.ask({ source, target, folder, ...size });
      return undefined;
    }
  }
}

/** The package is optional: who has no smaller images needs none. */
function pathOfSharp(): string {
  try {
    return createRequire(import.meta.url).resolve('sharp');
  } catch {
    throw new ConfigurationError(
      'SharpImages',
      'sharp',
      "the package 'sharp' is not installed: npm install sharp",
    );
  }
}
