import type { EndpointRequest } from '@nest-endpoints/core/kinds';
import type { CallResult } from '../tools/tool.call.js';
import type { ToolDefinition } from '../tools/tool.js';

/** The tools that a server shows, and what it does when one is called. */
export interface ToolBox {
  /** The tools that the sender of a request is shown. */
  list(request: EndpointRequest): Promise<readonly ToolDefinition[]>;
  /** @returns undefined for a tool that is not there @throws AccessRefused */
  call(
    request: EndpointRequest,
    name: string,
    given: Readonly<Record<string, unknown>>,
  ): Promise<CallResult | undefined>;
}
