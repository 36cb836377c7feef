export { Mcp } from './mcp.js';
export type { McpOptions } from './mcp.options.js';
export type { ToolCandidate, ToolChoice } from './tools/tool.choice.js';
