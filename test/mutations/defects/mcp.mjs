/** Tools of agents. See defects.mjs. */
export const defects = [
  {
    name: 'a number that was rounded reaches another record',
    file: 'libs/mcp/src/tools/tool.request.ts',
    find: 'if (!takesRounded(slot) && isRounded(value))',
    replace: 'if (!takesRounded(slot) && isRounded(slot))',
    tests: ['contract/mcp.numbers'],
  },
  {
    name: 'a tool refuses a number that need not be exact',
    file: 'libs/mcp/src/tools/tool.request.ts',
    find: "(slot.in === 'query' || slot.in === 'parameters') && slot.isNumber",
    replace: "slot.in === 'parameters' && slot.isNumber",
    tests: ['contract/mcp.numbers'],
  },
];
