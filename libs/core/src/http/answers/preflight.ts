import { Injectable } from '@nestjs/common';
import type { SecurityHeader } from '../../access/security.header.js';
import type { RouteLeaf } from '../../routing/route.tree.js';
import { Answer } from '../../wire/answer.js';
import { NotFound } from '../../wire/refusals.js';
import { EndpointDirectory } from '../endpoint.directory.js';
import { HttpEdge } from '../http.edge.js';

/** Answers OPTIONS for every endpoint that shares a path (contract: Routing rules, 5). Never authenticated. */
@Injectable()
export class Preflight {
  constructor(
    private readonly edge: HttpEdge,
    private readonly directory: EndpointDirectory,
  ) {}

  /** @throws NotFound where no endpoint of the path has security headers */
  async answer(native: unknown): Promise<Answer> {
    const exchange = this.edge.exchangeOf(native);
    const { raw, route } = exchange;
    const { path } = route;
    const leaves = this.edge.table.leavesAt(path.segments);
    const first = leaves.find((leaf) => this.#securityOf(leaf).length > 0);
    if (first === undefined) throw new NotFound();
    const preflight = {
      methods: [...new Set(leaves.flatMap(({ endpoint }) => endpoint.requestMethods))],
      requestHeaders: this.#requestHeaders(leaves, raw.headers['access-control-request-headers'] ?? ''),
    };
    const special = this.#securityOf(first).flatMap((header) => header.preflightHeaders?.(preflight) ?? []);
    const { style, open } = this.directory.endpointAt(first);
    const parameters = this.edge.table.parametersOf(first, path.segments);
    const request = this.edge.requestOf(exchange, native, parameters, open);
    const headers = await style.headers(() => request.context());
    return new Answer(200, '', [...headers, ...special]);
  }

  /** Lists the headers that authentication reads, then those that the client asks for and some endpoint of the path reads. */
  #requestHeaders(leaves: readonly RouteLeaf[], asked: string): string[] {
    const authenticating = leaves.flatMap(
      (leaf) => this.directory.endpointAt(leaf).style.settings.authentication.allowedHeaders,
    );
    const body = leaves.some(({ endpoint }) => endpoint.readsBody) ? ['Content-Type'] : [];
    const own = leaves.flatMap((leaf) => [...this.directory.endpointAt(leaf).requestHeaders]);
    const readable = [...body, ...own];
    const names = asked.split(',').map((name) => name.trim().toLowerCase());
    const granted = readable.filter((name) => names.includes(name.toLowerCase()));
    return [...new Set([...authenticating, ...granted])];
  }

  #securityOf(leaf: RouteLeaf): readonly SecurityHeader[] {
    return this.directory.endpointAt(leaf).style.settings.securityHeaders;
  }
}
