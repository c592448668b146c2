import type { Command } from 'commander';
import { type Context, serves } from '../framework.ts';
import { exitCodes } from '../outcome.ts';
import type { Session } from '../session.ts';
import { version } from '../version.ts';

export function registerMcp(program: Command, context: Context): void {
  program
    .command('mcp')
    .description('serves the Model Context Protocol on standard input and output, for agents')
    .action(
      serves(context, async (session) => {
        const { serveStdio } = await import('../mcp/serve-stdio.ts');
        const { workspace, connector, origin } = session.settings;
        const connectorFrom = origin.connector ?? undefined;
        const place = { workspace: await named(session, workspace), connector, connectorFrom };
        await serveStdio(session.terminal, { api: await session.api(), ...place }, version);
        return exitCodes.done;
      }),
    );
}

/** In a credentials file the token is of one workspace, which need not be named again. */
const named = async (session: Session, workspace: string | undefined) =>
  session.settings.credentials === null ? workspace : (await session.workspace()).id;
