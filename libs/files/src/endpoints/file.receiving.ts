import {
  BadRequest,
  NotAuthorized,
  optionChecks,
  type EndpointOptions,
  type OptionChecks,
} from '@nest-endpoints/core';
import { ContentTooLarge } from '@nest-endpoints/core/internal';
import {
  EndpointKind,
  outcomes,
  TextReply,
  type DescribedKind,
  type EndpointRequest,
} from '@nest-endpoints/core/kinds';
import { SharpImages } from '../images/sharp.images.js';
import { isFileKey, uploadTime } from '../storages/file.storage.js';
import { LocalFiles } from '../storages/local.files.js';

/** Parameters of {@link FileReceiving} and of the kind that serves files. */
export interface FileBytesOptions extends EndpointOptions {
  /** The folder of the files. */
  readonly storage: LocalFiles;
  /** The maker of smaller images; undefined for none. */
  readonly images?: SharpImages | undefined;
}

/** The checks of these parameters. */
export const fileBytesChecks: OptionChecks = {
  storage: optionChecks.instanceOf('new LocalFiles(…)', LocalFiles, 'new LocalFiles(…)'),
  images: optionChecks.instanceOf('new SharpImages(…)', SharpImages, 'new SharpImages(…)'),
};

/** The schema of each parameter of a signed url. */
export const signed = { type: 'string', description: 'Part of the url that was given.' } as const;

/** Receives the bytes of a file from who has a signed url, which is all that is asked. */
export class FileReceiving extends EndpointKind<FileBytesOptions> {
  static override readonly optionChecks = fileBytesChecks;

  protected override readonly defaultMethods = ['PUT'] as const;
  override readonly requiredOptions = ['storage'];
  override readonly repliesPlainly = false;
  override readonly isPublic = true;
  override readonly hasRecords = false;
  override readonly isBatchable = false;
  override readonly readsBody = true;
  override readonly streamsBody = true;
  // A command line has no bytes, and replicas have no files.
  override readonly effect = 'writes';

  override compile(): DescribedKind {
    const { storage } = this.options;
    return {
      handle: async (request) => {
        const key = request.routingData['key'];
        const ticket = isFileKey(key) ? storage.ticket(key, request.queryParameters) : undefined;
        if (ticket === undefined) throw new NotAuthorized();
        await storage.write(ticket, bytesOf(request, ticket.bytes));
        return new TextReply('{}', undefined, outcomes.success.statusCode);
      },
      describe: () => ({
        verb: 'upload',
        summary: 'Send the bytes of a file',
        description: `The url and its headers are those that were given. It is good for ${uploadTime / 60_000} minutes, and for one file.`,
        pathParameters: { key: { type: 'string' } },
        queryParameters: { bytes: signed, sha256: signed, type: signed, expires: signed, signature: signed },
        body: {
          schema: {},
          isRequired: true,
          content: { 'application/octet-stream': { type: 'string', format: 'binary' } },
        },
        answer: { kind: 'envelope', data: { type: 'object' } },
        refusals: [
          'badRequest',
          'notAuthorized',
          'requestTimeout',
          'conflict',
          'contentTooLarge',
          'unavailable',
        ],
      }),
    };
  }
}

/** @throws Refusal where the client says that it sends something else */
function bytesOf({ body }: EndpointRequest, bytes: number): AsyncIterable<Buffer> {
  const refused = new BadRequest(`The body must have ${bytes} bytes`);
  if (body.kind !== 'stream') throw refused;
  const { announced, contentEncoding = 'identity' } = body;
  if (announced !== undefined && announced > bytes) throw new ContentTooLarge(bytes);
  // A body in pieces tells its length at its end alone, which is judged then.
  if (announced !== undefined && announced !== bytes) throw refused;
  if (contentEncoding !== 'identity') throw new BadRequest('The body must have no Content-Encoding');
  return body.chunks();
}
