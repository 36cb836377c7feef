import type { EndpointRequest } from '@nest-endpoints/core/kinds';
import { failed, type CallResult, type ToolCall } from '../tools/tool.call.js';
import type { ToolCatalogue } from '../tools/tool.catalogue.js';
import type { Tool, ToolDefinition } from '../tools/tool.js';
import type { Shown } from './plain.box.js';
import { registryDefinitions } from './registry.definitions.js';
import type { ToolBox } from './tool.box.js';

type Arguments = Readonly<Record<string, unknown>>;

type Run = (request: EndpointRequest, given: Arguments) => Promise<CallResult>;

/** Shows tools to look others up with, where there are many. */
export class RegistryBox implements ToolBox {
  readonly #runs: ReadonlyMap<string, Run> = new Map<keyof typeof registryDefinitions, Run>([
    ['search_endpoints', (request, given) => this.#search(request, given)],
    ['describe_endpoint', (request, given) => this.#describe(request, given)],
    ['call_read_endpoint', (request, given) => this.#call(request, given, true)],
    ['call_endpoint', (request, given) => this.#call(request, given, false)],
  ]);

  constructor(
    private readonly catalogue: ToolCatalogue,
    private readonly calls: ToolCall,
    private readonly shown: Shown,
  ) {}

  list(): Promise<readonly ToolDefinition[]> {
    return Promise.resolve(Object.values(registryDefinitions));
  }

  async call(request: EndpointRequest, name: string, given: Arguments): Promise<CallResult | undefined> {
    return this.#runs.get(name)?.(request, given);
  }

  async #search(request: EndpointRequest, { query = '', limit = 20 }: Arguments): Promise<CallResult> {
    const words = String(query).toLowerCase().split(/\W+/).filter(Boolean);
    const found = (await this.shown(request, this.catalogue.tools)).filter((tool) => hasAll(tool, words));
    const count = Math.min(Math.max(Math.trunc(Number(limit)) || 1, 1), 100);
    const endpoints = found.slice(0, count).map(({ definition }) => {
      const { name, title, description, annotations } = definition;
      return { name, title, description, read_only: annotations.readOnlyHint };
    });
    return answered({ endpoints, total: found.length });
  }

  async #describe(request: EndpointRequest, { name }: Arguments): Promise<CallResult> {
    const tool = this.#find(name);
    const [shown] = tool === undefined ? [] : await this.shown(request, [tool]);
    if (shown === undefined) return unknown(name);
    const { inputSchema, outputSchema, annotations, ...texts } = shown.definition;
    return answered({ ...texts, input_schema: inputSchema, output_schema: outputSchema, annotations });
  }

  async #call(request: EndpointRequest, given: Arguments, mustRead: boolean): Promise<CallResult> {
    const { name, arguments: values = {} } = given;
    const tool = this.#find(name);
    if (tool === undefined) return unknown(name);
    if (mustRead && !tool.definition.annotations.readOnlyHint)
      return this.calls.wrong(request, tool, `'${tool.definition.name}' writes: call it with call_endpoint.`);
    if (typeof values !== 'object' || values === null || Array.isArray(values))
      return this.calls.wrong(request, tool, "'arguments' must be an object.");
    return this.calls.run(request, tool, values as Arguments);
  }

  #find(name: unknown): Tool | undefined {
    return typeof name === 'string' ? this.catalogue.find(name) : undefined;
  }
}

function hasAll({ definition: { name, title, description } }: Tool, words: readonly string[]): boolean {
  const text = `${name} ${title} ${description}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

function unknown(name: unknown): CallResult {
  return failed(`There is no endpoint '${String(name)}'; search_endpoints finds them.`);
}

function answered(structuredContent: Record<string, unknown>): CallResult {
  return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
}
