import type { EndpointRequest } from '@nest-endpoints/core/kinds';
import type { CallResult, ToolCall } from '../tools/tool.call.js';
import type { ToolCatalogue } from '../tools/tool.catalogue.js';
import type { Tool, ToolDefinition } from '../tools/tool.js';
import type { ToolBox } from './tool.box.js';

/** Gives those of some tools that the sender of a request is shown. */
export type Shown = (request: EndpointRequest, tools: readonly Tool[]) => Promise<readonly Tool[]>;

/** Shows each tool by itself. */
export class PlainBox implements ToolBox {
  constructor(
    private readonly catalogue: ToolCatalogue,
    private readonly calls: ToolCall,
    private readonly shown: Shown,
  ) {}

  async list(request: EndpointRequest): Promise<readonly ToolDefinition[]> {
    const tools = await this.shown(request, this.catalogue.tools);
    return tools.map(({ definition }) => definition);
  }

  async call(
    request: EndpointRequest,
    name: string,
    given: Readonly<Record<string, unknown>>,
  ): Promise<CallResult | undefined> {
    const tool = this.catalogue.find(name);
    return tool && this.calls.run(request, tool, given);
  }
}
