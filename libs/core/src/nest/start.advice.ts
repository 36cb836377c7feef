import type { Server } from 'node:http';
import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { HttpAdapterHost, type AbstractHttpAdapter } from '@nestjs/core';
import { Public } from '../access/authentication.js';
import { ruleName } from '../access/combined.authorization.js';
import { reachProblem } from '../database/reach.problem.js';
import { indexAdvice, type IndexAdvice } from '../records/index.advice.js';
import { lockAdvice } from '../records/distributed/lock.advice.js';
import { softAdvice } from '../records/soft/soft.advice.js';
import type { TellingUnique } from '../access/telling.uniques.js';
import type { RouteLeaf } from '../routing/route.tree.js';
import { Consistency } from '../http/consistency.js';
import { EndpointDirectory } from '../http/endpoint.directory.js';
import { residentsOf, warningOf } from './process.residents.js';

/** Tells in the log, once the application is ready, what it should be given before many use it. */
@Injectable()
export class StartAdvice implements OnApplicationBootstrap {
  readonly #logger = new Logger('Endpoints');

  constructor(
    private readonly directory: EndpointDirectory,
    private readonly consistency: Consistency,
    private readonly adapterHost: HttpAdapterHost,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    this.#tellWays();
    this.#warnOfNobody();
    this.#warnOfUniques();
    this.#warnOfKinds();
    this.#watchListening();
    if (process.env['NODE_ENV'] === 'production') this.#warnOfResidents();
    await this.#warnOfTables();
    if (this.directory.options.adviseIndexes === true) await this.#adviseIndexes();
  }

  /** Warns of state that lives in one process. Who runs one process alone may leave it at that. */
  #warnOfResidents(): void {
    const warning = warningOf([...residentsOf(this.directory, this.consistency)]);
    if (warning !== undefined) this.#logger.warn(warning);
  }

  /** A rule about identities lets nobody in where there is none. */
  #warnOfNobody(): void {
    for (const { endpoints } of this.directory.features)
      for (const { leaf, style } of endpoints) {
        const { authentication, authorizations } = style.settings;
        if (!(authentication instanceof Public) || authorizations.length === 0) continue;
        const rules = this.#rulesOf(leaf).join(', ');
        const sentence = `is public, and an authorization holds (${rules}): it is asked without an identity`;
        this.#logger.warn(`${leaf.owner} ${sentence}; give it an authentication`);
      }
  }

  /** Warns of unique values: who is refused one that is taken knows that another tenant has it. */
  #warnOfUniques(): void {
    const told = new Set<string>();
    for (const { endpoints } of this.directory.features)
      for (const unique of endpoints.flatMap(({ tellingUniques }) => tellingUniques)) {
        const { name, properties, meta } = unique;
        const key = [meta.root.className, name, ...properties].join(' ');
        if (!told.has(key)) this.#logger.warn(aboutUnique(unique));
        told.add(key);
      }
  }

  /** Warns of what kinds have found out when they were compiled. */
  #warnOfKinds(): void {
    for (const { endpoints } of this.directory.features)
      for (const { leaf, warnings } of endpoints)
        for (const warning of warnings) this.#logger.warn(`${leaf.owner} ${warning}`);
  }

  /** Warns of what tables and the server have against writes. A database that is away is no reason not to start. */
  async #warnOfTables(): Promise<void> {
    const databases = new Set(this.directory.features.flatMap(({ database }) => database ?? []));
    const isParted = this.directory.options.partition !== undefined;
    for (const database of databases)
      try {
        for (const sentence of [...(await softAdvice(database)), ...(await lockAdvice(database, isParted))])
          this.#logger.warn(sentence);
      } catch (error) {
        this.#logger.debug(`Nobody knows what a database has against writes: ${String(error)}`);
      }
  }

  /** A command, and a test without a port, ask their database for themselves. */
  #watchListening(): void {
    const adapter = this.adapterHost.httpAdapter as AbstractHttpAdapter | undefined;
    const server = adapter?.getHttpServer() as Server | undefined;
    server?.once('listening', () => {
      this.#tellDatabases().catch((error: unknown) => {
        this.#logger.error(error);
      });
    });
  }

  /** The rules that hold for an endpoint, with where they are said. */
  #rulesOf({ groups, endpoint }: RouteLeaf): string[] {
    const layers = [
      { place: ' of EndpointsModule.forRoot', options: this.directory.options },
      ...groups.map(({ constructor, pattern, options }) => ({
        place: ` of ${constructor.name} '${pattern.text}'`,
        options,
      })),
      { place: '', options: endpoint.options },
    ];
    return layers.flatMap(({ place, options: { authorization } }) =>
      authorization === undefined ? [] : `${ruleName(authorization)}${place}`,
    );
  }

  /** A database that is away is no reason not to start: requests are answered 503 until it is there. */
  async #tellDatabases(): Promise<void> {
    const databases = new Set(this.directory.features.flatMap(({ database }) => database ?? []));
    for (const database of databases) {
      const problem = await reachProblem(database.orm);
      if (problem !== undefined) this.#logger.error(problem);
    }
  }

  /** One line for each endpoint, for whoever wants to know why one is slower than another. */
  #tellWays(): void {
    for (const { endpoints } of this.directory.features)
      for (const { leaf, way } of endpoints)
        if (way !== undefined) this.#logger.debug(`${leaf.endpoint.kind} '${leaf.pattern.text}': ${way}`);
  }

  /** Advice is no reason not to start: a database that cannot be asked now will be told of by requests. */
  async #adviseIndexes(): Promise<void> {
    try {
      for (const { database, endpoints } of this.directory.features) {
        if (database === undefined) continue;
        const uses = endpoints.flatMap((endpoint) => endpoint.columnUses);
        for (const advice of await indexAdvice(database, uses)) this.#logger.warn(sentence(advice));
      }
    } catch (error) {
      this.#logger.warn(`No advice about indexes: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}

function aboutUnique({ meta, name, properties, missing }: TellingUnique): string {
  const index = name === undefined ? '' : ` (${name})`;
  const about = `${meta.className}: ${properties.join(', ')} is unique${index} across all values of '${missing}'`;
  const names = [missing, ...properties].map((property) => `'${property}'`).join(', ');
  return `${about}, so that a refusal tells of records that the sender may not see; make [${names}] unique together`;
}

function sentence({ table, column, uses, records, statement }: IndexAdvice): string {
  const about = `${table}.${column} is ${uses.join(' and ')} by, over some ${records} records`;
  return `${about}, and no index begins with it: ${statement}`;
}
