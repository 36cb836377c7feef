import type { OpenApiDocument } from '@nest-endpoints/openapi';
import { DocumentCheck } from './document.check.js';
import { exchangeOf, type AnyResponse } from './response.reading.js';
import { checkAt } from './truth.recorder.js';

/** Facts that a response does not have in itself. */
export interface MatchOptions {
  /** The method of the request, where the response does not know it, as one of fetch. Default `GET`. */
  readonly method?: string;
  /** The document to compare with. Default: that of the application that answered, see `recordTruth`. */
  readonly document?: OpenApiDocument;
}

/**
 * Compares a response of supertest, of fetch or of Fastify's `inject` with the document that describes it.
 *
 * @throws Error with what the document does not tell, and when the document has no such operation
 * @example
 * await expectToMatchSchema(await request(app.getHttpServer()).get('/cities'));
 */
export async function expectToMatchSchema(
  response: AnyResponse,
  { method = 'GET', document }: MatchOptions = {},
): Promise<void> {
  const { exchange, port } = await exchangeOf(response, method);
  const check = document === undefined ? checkAt(port) : new DocumentCheck(document);
  if (check === undefined)
    throw new Error(
      `No application at port ${port} is recorded: call recordTruth(app), or give the document`,
    );
  const { isDocumented, problems } = check.judge(exchange, false);
  if (!isDocumented) throw new Error(`The document has no ${exchange.method} ${exchange.target}`);
  if (problems.length > 0) throw new Error(problems.join('\n'));
}
