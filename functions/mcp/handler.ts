import { apiOf } from '../../shared/client/api.ts';
import { mcpRoutes } from '../../shared/contract/mcp.ts';
import { Problem } from '../../shared/contract/problems.ts';
import { version } from '../../shared/contract/system.ts';
import { mcpServer } from '../../shared/mcp/server.ts';
import { streamingHttpFunction } from '../../shared/runtime/http.ts';
import type { Implementations } from '../../shared/runtime/implementation.ts';
import { answerMessage } from './answer.ts';

/** Serves agents by the routes that everybody asks, with the token that they came with. */
const mcpImplementations: Implementations<typeof mcpRoutes> = {
  postMcp: ({ base, body, headers: { origin, ...headers }, authorization }) => {
    if (origin !== undefined && origin !== URL.parse(base)?.origin)
      throw new Problem('origin_not_allowed', {
        message: 'Only a page of this service may send messages from a browser.',
      });
    const token = /^bearer (.+)$/i.exec(authorization ?? '')?.[1];
    const url = `${base}${mcpRoutes.postMcp.path}`;
    return answerMessage(() => mcpServer({ api: apiOf(base, token) }, version), { url, headers, body });
  },
};

export const handler = streamingHttpFunction(mcpRoutes, mcpImplementations);
