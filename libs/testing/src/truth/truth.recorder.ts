import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { openApiDocument, type OpenApiDocument } from '@nest-endpoints/openapi';
import type { INestApplication } from '@nestjs/common';
import { DocumentCheck } from './document.check.js';
import { observe } from './observed.exchange.js';
import { noPort } from './response.reading.js';

/** The check that was made last, with the text of its document: to compile schemas takes longer than most tests. */
let made: { readonly text: string; readonly check: DocumentCheck } | undefined;

/** Gives applications whose documents have the same text the same check: tests start one after another of them. */
function checkOf(document: OpenApiDocument): DocumentCheck {
  const text = JSON.stringify(document);
  if (made?.text !== text) made = { text, check: new DocumentCheck(document) };
  return made.check;
}

/** Judges everything that an application answers over HTTP, whatever its platform. */
export class TruthRecorder {
  /** Sentences about what the document does not tell. */
  problems: string[] = [];
  /** The number of answers that were judged. A request that is no operation of the document does not count. */
  judged = 0;
  #check: DocumentCheck | undefined;

  constructor(private readonly document: () => OpenApiDocument) {}

  /** Made with the first request, so that recording costs nothing where nothing is sent. */
  get check(): DocumentCheck {
    return (this.#check ??= checkOf(this.document()));
  }

  attach(server: Server): void {
    server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
      observe(request, response, (exchange) => {
        const { isDocumented, problems } = this.check.judge(exchange);
        if (isDocumented) this.judged += 1;
        this.problems.push(...problems);
      });
    });
  }

  /** @throws Error with all that was found since the last time */
  expectTruth(): void {
    const { problems } = this;
    this.problems = [];
    if (problems.length > 0) throw new Error(`The document does not tell the truth:\n${problems.join('\n')}`);
  }
}

/**
 * The recorders by the ports at which their applications listened last. As supertest does, a client may close the server
 * with its answer and open it at another port for the next request. So a port is kept until somebody else has it.
 */
const recorders = new Map<string, WeakRef<TruthRecorder>>();

/** The recorder of the application that was recorded last, for answers that came through no port. */
let latest: WeakRef<TruthRecorder> | undefined;

/**
 * Records a test run: from now on every answer of the application is compared with its document, and so is every request
 * that it accepted.
 *
 * @param app an application that is initialised
 * @example
 * const recorder = recordTruth(app);
 * afterEach(() => recorder.expectTruth());
 */
export function recordTruth(app: INestApplication): TruthRecorder {
  // QUERY has a word only in the last version.
  const recorder = new TruthRecorder(() => openApiDocument(app, { schemaFormat: 'openapi3.2' }));
  const server = app.getHttpServer() as Server;
  recorder.attach(server);
  latest = new WeakRef(recorder);
  const register = (): void => {
    const address = server.address();
    if (typeof address === 'object' && address !== null)
      recorders.set(String(address.port), new WeakRef(recorder));
  };
  server.on('listening', register);
  if (server.listening) register();
  return recorder;
}

/** The check of the application that listens at a port, or did last; undefined where none is recorded. */
export function checkAt(port: string): DocumentCheck | undefined {
  return (port === noPort ? latest : recorders.get(port))?.deref()?.check;
}
