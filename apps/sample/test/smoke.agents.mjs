// Agents: every endpoint that reads, through HTTP and through its tool: the same data, the same errors.
import { deepStrictEqual, equal, ok } from 'node:assert/strict';

const snake = (operationId) => operationId.replaceAll(/([a-z\d])([A-Z])/g, '$1_$2').toLowerCase();

/** Values of path parameters; what they do not fit is refused, in the same words. */
const values = { code: 'FR', country_code: 'FR', id: '2988507' };

export async function askAsAgent({ url, step, call }) {
  const accept = { accept: 'application/json, text/event-stream' };
  const tool = async (method, params) => {
    const message = { jsonrpc: '2.0', id: 1, method, params };
    return call(`${url}/mcp`, 'POST', message, accept);
  };
  await step(
    'the tools of /mcp answer what their endpoints answer, and refuse what they refuse',
    async () => {
      const { body } = await tool('tools/list', {});
      const names = new Set(body.result.tools.map(({ name }) => name));
      const { paths } = (await call(`${url}/schema`)).body;
      let count = 0;
      const operations = Object.entries(paths).flatMap(([path, methods]) =>
        ['get', 'post'].flatMap((method) => (methods[method] ? [[path, method, methods[method]]] : [])),
      );
      for (const [path, method, { operationId, parameters }] of operations) {
        if (!names.has(snake(operationId))) continue;
        const given = Object.fromEntries(
          [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, values[name] ?? '1']),
        );
        const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => given[name]);
        const { name } = parameters.find((one) => one.name.toLowerCase() === 'limit') ?? {};
        const query = name === undefined ? '' : `?${name}=3`;
        const direct = await call(
          `${url}${filled}${query}`,
          method.toUpperCase(),
          method === 'post' ? {} : undefined,
        );
        const asked = await tool('tools/call', {
          name: snake(operationId),
          arguments: { ...given, ...(name === undefined ? {} : { [name]: 3 }) },
        });
        alike(`${method} ${filled}`, direct, asked);
        count += 1;
      }
      ok(count > 30, `${count} tools`);
      return `${count} tools`;
    },
  );
}

/** The envelope in any casing, or a plain answer, beside the result of a call. */
function alike(path, direct, { code, body }) {
  if (direct.code === 401) return equal(code, 401, path);
  const { isError, structuredContent, content } = body.result;
  if (direct.code !== 200) return ok(isError && content[0].text.startsWith(`${direct.code} `), path);
  const data = direct.body.data ?? direct.body.Data ?? direct.body;
  deepStrictEqual(structuredContent.data, data, path);
}
