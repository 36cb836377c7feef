import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { RefusalWriter } from '../http/answers/refusal.writer.js';

/** Answers everything that is thrown in a generated controller with the envelope. */
@Catch()
export class EnvelopeFilter implements ExceptionFilter {
  constructor(
    private readonly refusals: RefusalWriter,
    private readonly adapterHost: HttpAdapterHost,
  ) {}

  async catch(error: unknown, host: ArgumentsHost): Promise<void> {
    const http = host.switchToHttp();
    await this.refusals.send(this.adapterHost.httpAdapter, error, http.getRequest(), http.getResponse());
  }
}
