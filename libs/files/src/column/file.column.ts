import {
  ColumnType,
  ConfigurationError,
  optionChecks,
  type ChecksOf,
  type ColumnFacts,
  type JsonSchema,
  type RuledType,
} from '@nest-endpoints/core';
import { FileImages, hasVariants, type ImageSize } from '../images/file.images.js';
import { checkRequired } from '../options/required.options.js';
import { FileStorage, isFileKey, type FileReading, type StoredFile } from '../storages/file.storage.js';
import { AttachableFile, type ColumnFiles } from './attachable.file.validator.js';
import { fileTypes, mayBeInline } from './file.types.js';

/** Options of {@link FileColumn}. */
export interface FileColumnOptions {
  /** The place where the bytes are. */
  readonly storage: FileStorage;
  /** The largest file, in bytes, from 1 to 5 GiB. */
  readonly maximumBytes: number;
  /** The media types that are taken, e.g. `['image/png', 'image/jpeg']`. The first bytes of a file must bear its type out. */
  readonly types: readonly string[];
  /** True for urls that everybody may read and caches may keep: they never end. Default false: each is good for two minutes. */
  readonly public?: boolean;
  /** True to let browsers show images and PDF in place of saving them; SVG and HTML never are. Default false. */
  readonly inline?: boolean;
  /** Smaller images of those that are sent, by name: `{ thumb: { width: 200 } }`. Records show the url of each. Default none. */
  readonly variants?: Readonly<Record<string, ImageSize>>;
  /** The maker of smaller images; required with variants. */
  readonly images?: FileImages;
}

/** The options of a column, with their defaults. */
export type KnownFileOptions = Required<Omit<FileColumnOptions, 'images'>> &
  Pick<FileColumnOptions, 'images'>;

/** The largest file that one request of S3 takes: 5 GiB. */
const largest = 5 * 1024 ** 3;

const side = optionChecks.wholeNumber(1, 10_000, 'pixels');
const sizes = optionChecks.mapOf(
  'an object of sizes, e.g. { thumb: { width: 200 } }',
  optionChecks.objectWith({ width: side, height: side } satisfies ChecksOf<ImageSize>, ['width']),
);
const variantsCheck = {
  allowed: sizes.allowed,
  complaint: (value: unknown) =>
    sizes.complaint(value) ?? (Object.keys(value as object).length > 0 ? undefined : 'it has no size'),
};

const checks = {
  storage: optionChecks.check('new LocalFiles(…), new S3Files(…)', (value) => value instanceof FileStorage),
  maximumBytes: optionChecks.wholeNumber(1, largest, 'bytes'),
  types: optionChecks.listOf('media types', optionChecks.oneOfTexts(...fileTypes), 1),
  public: optionChecks.boolean,
  inline: optionChecks.boolean,
  variants: variantsCheck,
  images: optionChecks.check(
    'new SharpImages(…), new ImgproxyImages(…)',
    (value) => value instanceof FileImages,
  ),
} as const satisfies ChecksOf<FileColumnOptions>;

/** The endpoints of a column, as far as its urls depend on them. It is filled when an application starts. */
export interface FilePlace {
  /** The path of the endpoint that serves files. */
  path: string | undefined;
  /** The files of each database that the column is used with. */
  readonly databases: Set<ColumnFiles>;
}

/**
 * A file that a record has. Clients write its key, which `fileEndpoints` gave them, and read its name, type, size and url. It
 * stands over a Json property.
 *
 * @example defineColumns(Trip, { photo: { type: new FileColumn({ storage, maximumBytes: 5_000_000, types: ['image/png'] }) } });
 */
export class FileColumn extends ColumnType implements RuledType {
  readonly name = 'File';
  override readonly storage = 'json';
  override readonly isFleeting: boolean;
  /** The options, with their defaults. */
  readonly options: KnownFileOptions;
  /** Called by the library. */
  readonly place: FilePlace = { path: undefined, databases: new Set() };
  readonly validators = [new AttachableFile(this.place.databases)];

  readonly schema: JsonSchema;

  /** @throws ConfigurationError for options that are not allowed */
  constructor(options: FileColumnOptions) {
    super();
    checkRequired('FileColumn', options, checks, ['storage', 'maximumBytes', 'types']);
    this.options = Object.freeze({ public: false, inline: false, variants: {}, ...options });
    this.schema = fileSchema(Object.keys(this.options.variants));
    checkImages(this.options);
    this.isFleeting = !this.options.public;
  }

  /** The key of a file. */
  override get inputSchema(): JsonSchema {
    return { type: 'string', pattern: '^[0-9a-f]{32}$' };
  }

  override misfit({ holdsJson }: ColumnFacts): string | undefined {
    return holdsJson === true ? undefined : 'the property keeps no JSON';
  }

  complaint(value: unknown): string | undefined {
    return isFileKey(value) ? undefined : 'value should be the key of a file';
  }

  /** A file as clients see it: without its key, with a url. */
  toWire(value: unknown): string {
    const file = storedFileIn(value);
    if (file === undefined) return 'null';
    const { name, type, bytes, sha256 } = file;
    const { storage, public: isPublic, inline } = this.options;
    const reading = { isPublic, isInline: inline && mayBeInline(type) };
    const url = storage.url(file, reading, this.place.path);
    return JSON.stringify({ name, type, bytes, sha256, url, ...this.#variants(file, reading) });
  }

  /** The urls of smaller images: null for a file that is no image. */
  #variants(file: StoredFile, reading: FileReading): { readonly variants?: object | null } {
    const { images, storage, variants } = this.options;
    if (images === undefined) return {};
    if (!hasVariants(file.type)) return { variants: null };
    const source = { file, storage, reading, place: this.place.path };
    const urls = Object.entries(variants).map(([name, size]) => [name, images.url({ ...source, size })]);
    return { variants: Object.fromEntries(urls) as object };
  }

  override toDatabase(value: unknown): string {
    return JSON.stringify({ key: value });
  }

  /** The key alone. The rest is read where the file is attached: nobody takes the client's word for it. */
  override toEntity(value: unknown): unknown {
    return { key: value };
  }
}

function checkImages({ variants, images, storage }: KnownFileOptions): void {
  const hasSizes = Object.keys(variants).length > 0;
  if (hasSizes && images === undefined)
    throw new ConfigurationError('FileColumn', 'images', 'is required with variants');
  if (!hasSizes && images !== undefined)
    throw new ConfigurationError('FileColumn', 'variants', 'is required with images');
  const misfit = images?.misfit(storage);
  if (misfit !== undefined) throw new ConfigurationError('FileColumn', 'images', misfit);
}

/** @param variants the names of smaller images */
function fileSchema(variants: readonly string[]): JsonSchema {
  const text = { type: 'string' } as const;
  const urls = {
    ...{ type: 'object', properties: Object.fromEntries(variants.map((name) => [name, text])) },
    ...{ required: [...variants], additionalProperties: false },
  } as const;
  return {
    type: 'object',
    properties: {
      ...{ name: text, type: text, bytes: { type: 'integer' }, sha256: text, url: text },
      ...(variants.length === 0 ? {} : { variants: { anyOf: [urls, { type: 'null' }] } }),
    },
    required: ['name', 'type', 'bytes', 'sha256', 'url', ...(variants.length === 0 ? [] : ['variants'])],
    additionalProperties: false,
  };
}

/** The file that a column keeps; undefined where it keeps something else. */
function storedFileIn(value: unknown): StoredFile | undefined {
  const given = typeof value === 'string' ? parsed(value) : value;
  if (typeof given !== 'object' || given === null) return undefined;
  const { key, name, type, bytes, sha256 } = given as Readonly<Record<string, unknown>>;
  if (!isFileKey(key) || typeof name !== 'string' || typeof type !== 'string') return undefined;
  return typeof bytes === 'number' && typeof sha256 === 'string'
    ? { key, name, type, bytes, sha256 }
    : undefined;
}

/** The key that a value of an entity names; undefined for null and for what is no file. */
export function fileKeyIn(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, 'key')) return undefined;
  const key: unknown = Reflect.get(value, 'key');
  return isFileKey(key) ? key : undefined;
}

/** {@link fileKeyIn} for a value of a row, which some databases give as text. */
export function storedKeyIn(value: unknown): string | undefined {
  return fileKeyIn(typeof value === 'string' ? parsed(value) : value);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
