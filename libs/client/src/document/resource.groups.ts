import type { ApiDocument, ApiOperation } from './api.document.js';
import { actions, type Action, type ResourceCall } from './resource.js';

/** Operations on the records of one url. */
export interface ResourceGroup {
  readonly path: string;
  readonly model: string;
  readonly calls: Partial<Record<Action, ResourceCall>>;
}

interface KnownCall extends ResourceCall {
  readonly action: Action;
  readonly model: string;
}

/** The actions whose path ends with what the record is called by. */
const ofOneRecord: ReadonlySet<Action> = new Set<Action>(['get', 'update', 'delete']);

/** The actions that stand at the url of a list, and make it a resource. */
const ofTheList: ReadonlySet<Action> = new Set<Action>(['list', 'create']);

const lastParameter = /\/\{[^{}]+\}$/;

/** Puts the operations of a document together by the url of their records. */
export function resourceGroups(document: ApiDocument): readonly ResourceGroup[] {
  const groups = new Map<string, ResourceGroup>();
  const calls = [...callsIn(document)];
  const put = (path: string, { action, model, ...call }: KnownCall): void => {
    const group = groups.get(path) ?? { path, model, calls: {} };
    groups.set(path, group);
    // Of several methods the first one counts, but a script cannot send a body with GET.
    const known = group.calls[action];
    if (known === undefined || (known.method === 'get' && action === 'search')) group.calls[action] = call;
  };
  for (const call of calls) {
    if (ofTheList.has(call.action)) put(call.path, call);
    else if (ofOneRecord.has(call.action) && lastParameter.test(call.path))
      put(call.path.replace(lastParameter, ''), call);
  }
  for (const call of calls)
    if (!ofTheList.has(call.action) && !ofOneRecord.has(call.action)) put(homeOf(call, groups), call);
  return [...groups.values()];
}

/** A search or a write of many stands at the url of a list of its entity, or below it: the closest one is meant. */
function homeOf({ path, model }: KnownCall, groups: ReadonlyMap<string, ResourceGroup>): string {
  const around = [...groups.values()].filter(
    (group) => group.model === model && `${path}/`.startsWith(`${group.path}/`),
  );
  return around.sort((a, b) => b.path.length - a.path.length)[0]?.path ?? path;
}

function* callsIn({ paths }: ApiDocument): Generator<KnownCall> {
  for (const [path, methods] of Object.entries(paths))
    for (const [method, operation] of Object.entries(methods)) {
      const call = knownCall(path, method, operation);
      if (call !== undefined) yield call;
    }
}

function knownCall(path: string, method: string, operation: ApiOperation): KnownCall | undefined {
  const { verb = '', model = '' } = operation['x-endpoint'] ?? {};
  // In the trash, to purge is what deletes.
  const action = actions.find((one) => one === (verb === 'purge' ? 'delete' : verb));
  return action === undefined ? undefined : { action, model, method, path, operation };
}
