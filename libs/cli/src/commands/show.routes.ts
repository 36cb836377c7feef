import type { MountedEndpoint } from '@nest-endpoints/core/internal';
import { table } from '../output/record.table.js';
import type { CommandContext } from './command.context.js';

const columns = ['methods', 'path', 'kind', 'model', 'authentication', 'rules'] as const;

/** Every route of the endpoints: methods, path, kind, model, authentication and the rules that hold. */
export async function showRoutes({ application, output }: CommandContext): Promise<boolean> {
  const lines = rowsOf(application.endpoints).map(({ methods, endpoint }) => [
    methods.join(', '),
    endpoint.path,
    endpoint.kind,
    endpoint.modelName ?? '–',
    endpoint.authentication ?? 'public',
    rulesOf(endpoint),
  ]);
  await output.write(table([...columns], lines, output));
  return true;
}

interface Row {
  readonly endpoint: MountedEndpoint;
  readonly methods: string[];
}

/** One row for an endpoint, whichever methods it has. */
function rowsOf(endpoints: readonly MountedEndpoint[]): readonly Row[] {
  const rows: Row[] = [];
  for (const endpoint of endpoints) {
    const last = rows.at(-1);
    const { path, kind, modelName, authentication } = endpoint;
    const known = last?.endpoint;
    const isSame =
      known?.path === path &&
      known.kind === kind &&
      known.modelName === modelName &&
      known.authentication === authentication &&
      rulesOf(known) === rulesOf(endpoint);
    if (last !== undefined && isSame) last.methods.push(endpoint.method);
    else rows.push({ endpoint, methods: [endpoint.method] });
  }
  return rows;
}

function rulesOf({ rules }: MountedEndpoint): string {
  return rules.length === 0 ? '–' : rules.join(', ');
}
