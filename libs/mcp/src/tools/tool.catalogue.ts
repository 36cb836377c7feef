import { ConfigurationError } from '@nest-endpoints/core';
import type { ApiDocumentation, DocumentedRoute } from '@nest-endpoints/core/internal';
import { PlainSchemas } from './plain.schema.js';
import { isChosen, isOffered, type ToolCandidate, type ToolChoice } from './tool.choice.js';
import { toolInputOf } from './tool.input.js';
import { toolOutputOf } from './tool.output.js';
import { toolTextsOf } from './tool.texts.js';
import type { Tool } from './tool.js';

/** The choice of tools, and what holds for all of them. */
interface CatalogueOptions {
  readonly tools: ToolChoice;
  readonly maximumLimit: number;
  /** The groups whose endpoints are offered, from the outermost in; none for the whole application. */
  readonly groups: readonly object[];
}

/** The tools of one server, in the order of the documents. */
export class ToolCatalogue {
  readonly #tools = new Map<string, Tool>();

  /** @throws ConfigurationError for names that are taken, too long, or of no endpoint */
  constructor(
    private readonly owner: string,
    documentation: ApiDocumentation,
    { tools, maximumLimit, groups }: CatalogueOptions,
  ) {
    const schemas = new PlainSchemas(documentation.schemas);
    for (const route of documentation.routes) {
      if (!isBelow(route, groups) || !isOffered(route)) continue;
      const output = documentation.outputOf(route);
      if (output === undefined) continue;
      const texts = toolTextsOf(route, output);
      if (!isChosen(tools, candidateOf(route, texts.name))) continue;
      const { isPaged } = output;
      const { schema, ...input } = toolInputOf(route.operation, schemas, isPaged ? maximumLimit : undefined);
      const definition = { ...texts, inputSchema: schema, outputSchema: toolOutputOf(output, schemas) };
      const searchedText = `${texts.name} ${texts.title} ${texts.description}`.toLowerCase();
      this.#add({ definition, route, searchedText, isPaged, ...input });
    }
    if (Array.isArray(tools)) this.#refuseUnknown(tools as readonly string[]);
  }

  get tools(): readonly Tool[] {
    return [...this.#tools.values()];
  }

  find(name: string): Tool | undefined {
    return this.#tools.get(name);
  }

  #add(tool: Tool): void {
    const { name } = tool.definition;
    const { owner } = tool.route;
    if (!/^[a-z0-9_]{1,64}$/.test(name))
      throw new ConfigurationError(
        this.owner,
        'tools',
        `'${name}' of ${owner} is longer than 64 characters; name it with tool: { name }, or leave it out with tool: false`,
      );
    const other = this.#tools.get(name);
    if (other !== undefined)
      throw new ConfigurationError(
        this.owner,
        'tools',
        `${other.route.owner} and ${owner} are both '${name}'; name one of them with tool: { name }`,
      );
    this.#tools.set(name, tool);
  }

  #refuseUnknown(names: readonly string[]): void {
    const unknown = names.find((name) => !this.#tools.has(name));
    if (unknown !== undefined)
      throw new ConfigurationError(this.owner, 'tools', `'${unknown}' is the name of no endpoint here`);
  }
}

function isBelow({ groups }: DocumentedRoute, around: readonly object[]): boolean {
  return around.every((group, index) => groups[index] === group);
}

function candidateOf({ endpoint, operation, method, path }: DocumentedRoute, name: string): ToolCandidate {
  const { operationId, tags } = operation;
  return {
    name,
    operationId,
    method,
    path,
    kind: endpoint.kind,
    tags,
    readOnly: endpoint.effect === 'reads',
  };
}
