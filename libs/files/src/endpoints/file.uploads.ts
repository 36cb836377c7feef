import { randomBytes } from 'node:crypto';
import {
  ConfigurationError,
  optionChecks,
  Shutdown,
  type EndpointOptions,
  type OptionChecks,
} from '@nest-endpoints/core';
import { mayPostpone } from '@nest-endpoints/core/internal';
import {
  EndpointKind,
  modelChecks,
  outcomes,
  TextReply,
  type DescribedKind,
  type KindContext,
  type ModelSource,
} from '@nest-endpoints/core/kinds';
import { Logger } from '@nestjs/common';
import { ApplicationConfig } from '@nestjs/core';
import { FileColumn } from '../column/file.column.js';
import { ownerOf } from '../records/file.owner.js';
import { FileRecord } from '../records/file.record.js';
import { FileRuntime } from '../records/file.runtime.js';
import { checkSurroundings } from './surroundings.check.js';
import { UploadAnswer } from './upload.answer.js';
import { UploadInput } from './upload.input.js';

const unknownSenders =
  "Who announces a file cannot be told from others: give their authorization data a `sub`, a text that is each one's own";

/** Parameters of {@link FileUploads}. */
export interface FileUploadsOptions extends EndpointOptions {
  /** The entity whose records have the files. */
  readonly modelClass: ModelSource['modelClass'];
  /** The internal name of the column, whose type is a `FileColumn`. */
  readonly columnName: string;
}

/** Answers who announces a file with its key, and with the request that sends its bytes. */
export class FileUploads extends EndpointKind<FileUploadsOptions> {
  static override readonly optionChecks: OptionChecks = {
    modelClass: modelChecks.modelClass,
    columnName: optionChecks.name,
    outputSchema: optionChecks.never,
  };

  protected override readonly defaultMethods = ['POST'] as const;
  override readonly requiredOptions = ['modelClass', 'columnName'];
  override readonly repliesPlainly = false;
  override readonly readsBody = true;
  override readonly effect = 'writes';

  override compile(context: KindContext): DescribedKind {
    const { owner, database, names } = context;
    const { columnName } = this.options;
    const model = context.model(this.options);
    const column = model.columns.get(columnName)?.type;
    if (!(column instanceof FileColumn))
      throw new ConfigurationError(
        owner,
        'columnName',
        `'${columnName}' of ${model.meta.className} is no FileColumn`,
      );
    checkSurroundings(context);
    const runtime = FileRuntime.of(database);
    runtime.add(column);
    context.whenReady(() => begin(context, runtime, column));
    const { storage } = column.options;
    const input = new UploadInput(context, column.options);
    const writer = new UploadAnswer(context);
    return {
      handle: async (request) => {
        const file = input.read(request.requiredJsonObject());
        const key = randomBytes(16).toString('hex');
        const by = ownerOf(request.authorizationData);
        if (by === undefined) throw new TypeError(unknownSenders);
        await request.session.em
          .createQueryBuilder(FileRecord)
          .insert({
            ...file,
            key,
            state: 'pending',
            owner: by,
            model: model.meta.root.className,
            column: columnName,
            recordId: null,
            seenAt: null,
            changedAt: new Date(),
          })
          .execute();
        const upload = storage.upload({ ...file, key }, request.path.replace(/\/+$/, ''));
        return new TextReply(writer.text(key, upload), undefined, outcomes.created.statusCode);
      },
      describe: () => ({
        verb: 'announce',
        summary: `Announce a file for ${names.outward(columnName)} of a ${model.meta.className}`,
        description:
          'The answer has a key, and the request that sends the bytes. Who writes the key into the column of a record gives it the file.',
        body: { schema: input.schema, isRequired: true },
        answer: { kind: 'envelope', data: writer.schema, statusCode: outcomes.created.statusCode },
        refusals: ['invalidInput'],
      }),
    };
  }
}

/** Urls begin with the global prefix, which is known when the application is. Files are swept while it runs. */
async function begin(
  { pattern, providers }: KindContext,
  runtime: FileRuntime,
  { place }: FileColumn,
): Promise<void> {
  const config = (await providers.find(ApplicationConfig, { native: {} })) as ApplicationConfig;
  const prefix = config.getGlobalPrefix().replaceAll(/^\/+|\/+$/g, '');
  const own = pattern.toString().replace(/^\/+/, '');
  place.path = `/${[prefix, own].filter((part) => part !== '').join('/')}`;
  // A command ends soon.
  if (mayPostpone()) return;
  const shutdown = (await providers.find(Shutdown, { native: {} })) as Shutdown;
  const logger = new Logger('Endpoints');
  runtime.start((error) => {
    logger.warn(`Files could not be swept: ${error instanceof Error ? error.message : String(error)}`);
  });
  shutdown.whenBegun(() => {
    runtime.stop();
  });
}
