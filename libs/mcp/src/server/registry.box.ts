import type { EndpointRequest } from '@nest-endpoints/core/kinds';
import { failed, type CallResult, type ToolCall } from '../tools/tool.call.js';
import type { ToolCatalogue } from '../tools/tool.catalogue.js';
import type { Tool, ToolDefinition } from '../tools/tool.js';
import type { Shown } from './plain.box.js';
import { complaintsAbout } from './registry.arguments.js';
import { registryDefinitions } from './registry.definitions.js';
import type { ToolBox } from './tool.box.js';

type Arguments = Readonly<Record<string, unknown>>;

/** The arguments of all tools of the registry, once they are judged. */
interface Judged {
  readonly query?: string;
  readonly limit?: number;
  readonly name: string;
  readonly arguments?: Arguments;
}

type Run = (request: EndpointRequest, given: Judged) => Promise<CallResult>;

/** Shows tools to look others up with, where there are many. */
export class RegistryBox implements ToolBox {
  readonly #runs: Readonly<Record<keyof typeof registryDefinitions, Run>> = {
    search_endpoints: (request, given) => this.#search(request, given),
    describe_endpoint: (request, given) => this.#describe(request, given),
    call_read_endpoint: (request, given) => this.#call(request, given, true),
    call_endpoint: (request, given) => this.#call(request, given, false),
  };

  constructor(
    private readonly catalogue: ToolCatalogue,
    private readonly calls: ToolCall,
    private readonly shown: Shown,
  ) {}

  list(): Promise<readonly ToolDefinition[]> {
    return Promise.resolve(Object.values(registryDefinitions));
  }

  async call(request: EndpointRequest, name: string, given: Arguments): Promise<CallResult | undefined> {
    if (!isOfRegistry(name)) return undefined;
    const complaints = complaintsAbout(registryDefinitions[name].inputSchema, given);
    if (complaints.size > 0)
      return failed(`400 input_errors: ${JSON.stringify(Object.fromEntries(complaints))}`);
    return this.#runs[name](request, given as Arguments & Judged);
  }

  async #search(request: EndpointRequest, { query = '', limit = 20 }: Judged): Promise<CallResult> {
    const words = [...new Set(query.toLowerCase().split(/[^\p{L}\p{M}\p{N}_]+/u))];
    const found = (await this.shown(request, this.catalogue.tools)).filter((tool) => hasAll(tool, words));
    const endpoints = found.slice(0, limit).map(({ definition }) => {
      const { name, title, description, annotations } = definition;
      return { name, title, description, read_only: annotations.readOnlyHint };
    });
    return this.calls.answered(JSON.stringify({ endpoints, total: found.length }), [
      "fewer endpoints ('limit')",
    ]);
  }

  async #describe(request: EndpointRequest, { name }: Judged): Promise<CallResult> {
    const tool = this.catalogue.find(name);
    const [shown] = tool === undefined ? [] : await this.shown(request, [tool]);
    if (shown === undefined) return unknown(name);
    const { inputSchema, outputSchema, annotations, ...texts } = shown.definition;
    const told = { ...texts, input_schema: inputSchema, annotations };
    // The application's own: where it is long, an agent can still call the endpoint.
    const whole = { ...told, output_schema: outputSchema };
    return answered(JSON.stringify(whole).length > this.calls.answerLimit ? told : whole);
  }

  async #call(request: EndpointRequest, given: Judged, mustRead: boolean): Promise<CallResult> {
    const { name, arguments: values = {} } = given;
    const tool = this.catalogue.find(name);
    if (tool === undefined) return unknown(name);
    if (mustRead && !tool.definition.annotations.readOnlyHint)
      return this.calls.wrong(request, tool, `'${tool.definition.name}' writes: call it with call_endpoint.`);
    return this.calls.run(request, tool, values);
  }
}

function isOfRegistry(name: string): name is keyof typeof registryDefinitions {
  return Object.hasOwn(registryDefinitions, name);
}

function hasAll({ searchedText }: Tool, words: readonly string[]): boolean {
  return words.every((word) => searchedText.includes(word));
}

function unknown(name: string): CallResult {
  return failed(`There is no endpoint '${name}'; search_endpoints finds them.`);
}

function answered(structuredContent: Record<string, unknown>): CallResult {
  return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
}
