import { AnswerPrinter } from '../output/answer.printer.js';
import { requestOf } from '../request/request.of.line.js';
import { FlowingBody } from '../command-line/flowing.body.js';
import type { CommandContext } from './command.context.js';
import { onlyReads } from '../request/operation.at.js';
import { importFile } from './import.file.js';
import { suggest } from './suggest.js';
import { warn } from './warn.js';

/** One request, and its answer. */
export async function askEndpoint(context: CommandContext): Promise<boolean> {
  const { line, body, application, signal, environment, output, errors } = context;
  if (body instanceof FlowingBody) return importFile(context, body);
  const request = requestOf(line, body, application, environment);
  if (onlyReads(request, line, application)) context.endWithReader();
  const answer = await application.client.send(request, { signal });
  if (answer.statusCode === 404) await suggest(context);
  await warn(context, answer);
  return new AnswerPrinter(output, errors).print(answer, line.table);
}
