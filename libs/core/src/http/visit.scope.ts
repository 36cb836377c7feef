import type { EndpointFacts, RequestScope } from '../endpoint/endpoint.context.js';
import type { Database } from '../records/database.js';
import type { Session } from '../records/session.js';
import type { Responder } from './responder.js';
import type { Visit } from './visit.js';

/** What EndpointContext tells of one request. Nothing is worked out before somebody asks. */
export class VisitScope implements RequestScope {
  constructor(
    private readonly responderOf: () => Responder,
    private readonly visit: Visit,
  ) {}

  get requestId(): string {
    return this.responderOf().request.requestId;
  }

  get identity(): unknown {
    return this.responderOf().request.authorizationData;
  }

  get endpoint(): EndpointFacts {
    const responder = this.responderOf();
    if (responder.kind === 'endpoint') return responder.endpoint.facts;
    throw new Error('Nobody answers this request, so that nothing runs as part of it');
  }

  statementEnded(took: number): void {
    this.visit.figures?.statementEnded(took);
  }

  sessionOn(database: Database): Session | undefined {
    const responder = this.responderOf();
    const isOurs = responder.kind === 'endpoint' && responder.endpoint.database === database;
    return isOurs && responder.request.isAdmitted ? responder.request.session : undefined;
  }
}
