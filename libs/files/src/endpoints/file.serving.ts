import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { NotAuthorized, NotFound, StreamBody } from '@nest-endpoints/core';
import {
  conditional,
  conditionalRead,
  EndpointKind,
  isKnown,
  RawReply,
  type DescribedKind,
  type EndpointRequest,
  type KindContext,
} from '@nest-endpoints/core/kinds';
import { mayBeInline } from '../column/file.types.js';
import { sizeWord } from '../images/file.images.js';
import type { SharpImages } from '../images/sharp.images.js';
import { contentDisposition } from '../storages/content.disposition.js';
import { isFileKey } from '../storages/file.storage.js';
import type { ServedFile } from '../storages/local.files.js';
import { byteRange, type ByteRange } from './byte.range.js';
import { fileBytesChecks, signed, type FileBytesOptions } from './file.receiving.js';

const partial = 206;
const notSatisfiable = 416;
const year = 31_536_000;

/** A file as it is sent. */
interface SentFile extends ServedFile {
  /** The entity tag, without quotes. */
  readonly tag: string;
  /** True if clients may keep it for as long as its url is good. */
  readonly isKept: boolean;
}

/** Serves files to who has a signed url: as what they are, to be saved, and with nothing in them that runs. */
export class FileServing extends EndpointKind<FileBytesOptions> {
  static override readonly optionChecks = fileBytesChecks;

  protected override readonly defaultMethods = ['GET'] as const;
  override readonly requiredOptions = ['storage'];
  override readonly repliesPlainly = false;
  override readonly isPublic = true;
  override readonly hasRecords = false;
  override readonly isBatchable = false;
  override readonly readsBody = false;
  override readonly effect = 'reads';

  override compile({ settings }: KindContext): DescribedKind {
    const { storage, images } = this.options;
    return {
      ...conditional,
      reads: [...conditional.reads, 'Range', 'If-Range'],
      handle: async (request) => {
        const key = request.routingData['key'];
        const file = isFileKey(key) ? await storage.served(key, request.queryParameters) : 'refused';
        if (file === 'refused') throw new NotAuthorized();
        if (file === undefined) throw new NotFound();
        return served(await imageOf(file, images), request, settings.stallTimeout);
      },
      describe: () => ({
        ...conditionalRead,
        verb: 'download',
        summary: 'Read a file',
        description: 'The url is the one that a record has.',
        pathParameters: { key: { type: 'string' } },
        queryParameters: {
          name: signed,
          type: signed,
          sha256: signed,
          inline: signed,
          size: signed,
          expires: signed,
          signature: signed,
        },
        headerParameters: {
          ...conditionalRead.headerParameters,
          Range: { description: 'A part of the file, such as bytes=0-99: then the answer is a 206.' },
          'If-Range': {
            description: 'The entity tag of the file that the part is of; of another one the whole is sent.',
          },
        },
        answer: { kind: 'raw', content: { '*/*': { type: 'string', format: 'binary' } } },
        refusals: 'any',
      }),
    };
  }
}

/**
 * The smaller image in place of the file. While it is made, the file itself is what is served, and nobody keeps it as the image.
 *
 * @throws NotFound where no image can be made
 */
async function imageOf(file: ServedFile, images: SharpImages | undefined): Promise<SentFile> {
  const { image, path, sha256 } = file;
  if (image === undefined || images === undefined) return { ...file, tag: sha256, isKept: true };
  const found = await images.find(path, image.path, image.size, image.folder);
  if (found === 'impossible') throw new NotFound();
  if (found === undefined) return { ...file, tag: sha256, isKept: false };
  const name = `${file.name.replace(/\.[^.]*$/, '')}.webp`;
  return {
    ...file,
    ...found,
    name,
    type: 'image/webp',
    tag: `${sha256}-${sizeWord(image.size)}`,
    isKept: true,
  };
}

function served(file: SentFile, request: EndpointRequest, stallLimit: number): RawReply {
  const { bytes, tag, type, path } = file;
  const entityTag = `"${tag}"`;
  const range = asksForPart(request, entityTag) ? byteRange(request.headers.range, bytes) : undefined;
  if (range === 'unsatisfiable')
    return new RawReply('', '', [['Content-Range', `bytes */${bytes}`]], notSatisfiable);
  const { start, end } = range ?? { start: 0, end: bytes - 1 };
  const readable = Readable.from(chunksOf(path, { start, end }), { objectMode: false });
  const lines = [
    ...headersOf(file),
    ...(range === undefined ? [] : [['Content-Range', `bytes ${start}-${end}/${bytes}`] as const]),
  ] as const;
  const statusCode = range === undefined ? undefined : partial;
  const body = new StreamBody(readable, stallLimit, undefined, false, end - start + 1);
  return new RawReply(body, type, lines, statusCode, false, entityTag);
}

/** Parts are for GET alone (RFC 9110, 14.2), and for clients that have another file, or none. */
function asksForPart(request: EndpointRequest, entityTag: string): boolean {
  const { method, headers } = request;
  if (method !== 'GET' || headers.range === undefined || isKnown(request, entityTag)) return false;
  return headers['if-range'] === undefined || headers['if-range'] === entityTag;
}

/** The headers that keep browsers from taking a file for a page of ours. */
function headersOf({
  name,
  type,
  isInline,
  expires,
  isKept,
}: SentFile): readonly (readonly [string, string])[] {
  const left = expires === undefined ? year : Math.max(0, Math.floor((expires - Date.now()) / 1000));
  const cache = expires === undefined ? `public, max-age=${left}, immutable` : `private, max-age=${left}`;
  return [
    ['Content-Disposition', contentDisposition(name, isInline && mayBeInline(type))],
    ['X-Content-Type-Options', 'nosniff'],
    ['Content-Security-Policy', "default-src 'none'; sandbox"],
    ['Cache-Control', isKept ? cache : 'no-store'],
    ['Accept-Ranges', 'bytes'],
  ];
}

/** Opens a file when its first byte is asked for: a client that has it already costs no handle. */
async function* chunksOf(path: string, { start, end }: ByteRange): AsyncGenerator<Buffer> {
  const file = await open(path);
  let left = end - start + 1;
  for await (const chunk of file.createReadStream({ start, end }) as AsyncIterable<Buffer>) {
    left -= chunk.length;
    yield chunk;
  }
  // Its client waits for what was promised: an end would look like one of the file.
  if (left > 0) throw new Error(`${path} has become shorter`);
}
