import type { DocumentedRoute } from '@nest-endpoints/core/internal';
import type { EndpointRequest, KindContext } from '@nest-endpoints/core/kinds';
import { Logger } from '@nestjs/common';
import type { McpOptions } from './mcp.options.js';
import { PlainBox } from './server/plain.box.js';
import { RegistryBox } from './server/registry.box.js';
import type { ToolBox } from './server/tool.box.js';
import { ToolCall } from './tools/tool.call.js';
import { ToolCatalogue } from './tools/tool.catalogue.js';
import type { Tool } from './tools/tool.js';

interface Made {
  readonly routes: unknown;
  readonly catalogue: ToolCatalogue;
  readonly box: ToolBox;
}

/** The tools of an Mcp: made when the application starts, and again only if its routes change, because a module was loaded later. */
export class ServedTools {
  #made: Made | undefined;
  readonly #calls: ToolCall;

  constructor(
    private readonly context: KindContext,
    private readonly options: McpOptions,
  ) {
    const { answerLimit = 65_536, maximumLimit = 50 } = options;
    const { dispatching } = context;
    this.#calls = new ToolCall(
      (asking, call, leaf) => dispatching.call(asking, call, leaf),
      async (asking, tool) => (await this.#shown(asking, [tool])).length > 0,
      answerLimit,
      maximumLimit,
    );
  }

  get box(): ToolBox {
    return this.#current.box;
  }

  /**
   * Makes the tools, and warns where agents cannot know whom to ask for a token.
   *
   * @throws ConfigurationError for names that are taken, too long, or of no endpoint
   */
  check(tellsIssuers: boolean): void {
    const closed = this.#current.catalogue.tools.find(({ route }) => this.#needsBearer(route));
    if (closed === undefined || tellsIssuers) return;
    const { owner } = this.context;
    new Logger('Endpoints').warn(
      `${owner}: ${closed.route.owner} needs a token, and agents are not told where to get one: name resource and authorizationServers`,
    );
  }

  get #current(): Made {
    const { documentation } = this.context;
    const { routes } = documentation;
    if (this.#made?.routes === routes) return this.#made;
    const { tools = 'reads', maximumLimit = 50, wholeApplication = false } = this.options;
    const groups = wholeApplication ? [] : this.context.groups;
    const catalogue = new ToolCatalogue(this.context.owner, documentation, { tools, maximumLimit, groups });
    this.#made = { routes, catalogue, box: this.#boxOf(catalogue) };
    return this.#made;
  }

  #boxOf(catalogue: ToolCatalogue): ToolBox {
    const { mode = 'auto', maximumTools = 64 } = this.options;
    const isRegistry = mode === 'registry' || (mode === 'auto' && catalogue.tools.length > maximumTools);
    const Box = isRegistry ? RegistryBox : PlainBox;
    return new Box(catalogue, this.#calls, (request, tools) => this.#shown(request, tools));
  }

  /** The tools that no role and no scope keeps the sender from, in their order. */
  async #shown(request: EndpointRequest, tools: readonly Tool[]): Promise<readonly Tool[]> {
    const leaves = [...new Set(tools.map(({ route }) => route.leaf))];
    const open = new Set(await this.context.dispatching.open(request, leaves));
    return tools.filter(({ route }) => open.has(route.leaf));
  }

  #needsBearer({ operation }: DocumentedRoute): boolean {
    const { securitySchemes } = this.context.documentation;
    return operation.security
      .flatMap((one) => Object.keys(one))
      .some((name) => {
        const { type, scheme } = securitySchemes.get(name) ?? {};
        return type === 'oauth2' || type === 'openIdConnect' || (type === 'http' && scheme === 'bearer');
      });
  }
}
