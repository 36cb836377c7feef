import { ConfigurationError, EndpointGroup, type InheritedOptions } from '@nest-endpoints/core';
import { classOf, definitionsOf } from '@nest-endpoints/core/internal';
import { FileColumn } from '../column/file.column.js';
import { SharpImages } from '../images/sharp.images.js';
import { uploadTime } from '../storages/file.storage.js';
import { LocalFiles } from '../storages/local.files.js';
import { FileReceiving } from './file.receiving.js';
import { FileServing } from './file.serving.js';
import { FileUploads, type FileUploadsOptions } from './file.uploads.js';

/** Options of {@link fileEndpoints}, beside those that members of groups inherit. */
export interface FileEndpointsOptions
  extends InheritedOptions, Pick<FileUploadsOptions, 'modelClass' | 'columnName'> {
  /** The path, without parameters. It stands in front of endpoints that take every path below their own. */
  readonly url: string;
}

/** The time that sending and taking bytes may need, in milliseconds: that of the url, and of the last wait for the client. */
const timeout = uploadTime + 60_000;

/**
 * The endpoints of a column of files. `POST <url>` announces one and answers its key; its bytes go to `PUT <url>/<key>`, and come
 * from `GET <url>/<key>`, with signed urls. A storage with urls of its own, such as `S3Files`, has the first alone.
 *
 * @example fileEndpoints({ url: 'trips/files', modelClass: Trip, columnName: 'photo', authentication })
 * @throws ConfigurationError for a column that has no files
 */
export function fileEndpoints({
  url,
  modelClass,
  columnName,
  ...inherited
}: FileEndpointsOptions): EndpointGroup {
  const owner = `fileEndpoints '${url}'`;
  const uploads = new FileUploads({ modelClass, columnName });
  const column = definitionsOf(classOf(modelClass)).get(columnName)?.type;
  if (!(column instanceof FileColumn))
    throw new ConfigurationError(owner, 'columnName', `defineColumns says of no FileColumn '${columnName}'`);
  const { storage, images } = column.options;
  const made = images instanceof SharpImages ? { images } : {};
  const bytes =
    storage instanceof LocalFiles
      ? [
          new FileReceiving({ url: ':key', storage, timeout }),
          new FileServing({ url: ':key', storage, ...made }),
        ]
      : [];
  return new EndpointGroup({ ...inherited, url, endpoints: [uploads, ...bytes] });
}
