import type { FileReading, FileStorage, StoredFile } from '../storages/file.storage.js';

/** The box that an image is made to fit into, in pixels. It keeps its proportions, and never grows. */
export interface ImageSize {
  readonly width: number;
  /** Default: what comes of the width. */
  readonly height?: number;
}

/** The facts that the url of a variant is made of. */
export interface VariantSource {
  readonly file: StoredFile;
  readonly size: ImageSize;
  readonly storage: FileStorage;
  readonly reading: FileReading;
  /** The path of the endpoint; undefined where no application has one. */
  readonly place: string | undefined;
}

/** The maker of smaller images. Ours are `SharpImages` and `ImgproxyImages`; none is made within a request. */
export abstract class FileImages {
  /** Says why images of a storage cannot be made; undefined where they can. */
  abstract misfit(storage: FileStorage): string | undefined;

  /** Gives the url of a smaller image. */
  abstract url(source: VariantSource): string;
}

const shrinkable: ReadonlySet<string> = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
]);

/** True for a type of pixels. Drawings such as SVG are programs as much as images: nothing reads them here. */
export function hasVariants(type: string): boolean {
  return shrinkable.has(type);
}

/** A size as a word: `200x0`. */
export function sizeWord({ width, height = 0 }: ImageSize): string {
  return `${width}x${height}`;
}
