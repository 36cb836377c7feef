import { Get } from '@nest-endpoints/core';
import {
  startApplication,
  type Application,
  type ApplicationOptions,
  type Platform,
} from '../support/application.js';
import { libraryWith } from '../support/endpoints.js';
import { Book } from '../support/entities/library.js';

export const platforms = ['express', 'fastify'] as const;

/** The endpoint that these tests are about. */
export const get = (options: Partial<ConstructorParameters<typeof Get<Book>>[0]> = {}): Get<Book> =>
  new Get<Book>({ url: 'books/:id', modelClass: Book, readableColumnNames: ['title'], ...options });

/** Runs an application that may use the straight road. */
export const started = async (
  platform: Platform,
  options: Partial<ApplicationOptions>,
  body: (application: Application) => Promise<void> | void,
): Promise<void> => {
  const whole = libraryWith(options.endpoints ?? [get()], options);
  const application = await startApplication(platform, 'sqlite', {
    ...whole,
    root: { ...whole.root, road: 'straight', ...options.root },
  });
  try {
    await body(application);
  } finally {
    await application.close();
  }
};

/** What the log says of {@link get} where nothing stands around it. */
export const straight = "debug Get 'books/:id': the straight road Endpoints";

/** What the log says of the road of {@link get}. */
export const roadOf = (text: string): string =>
  text.split('\n').find((line) => line.includes("'books/:id': the ")) ?? 'nobody said which road';
