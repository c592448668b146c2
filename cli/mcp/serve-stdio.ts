import { serveStdio as serve } from '@modelcontextprotocol/server/stdio';
import * as v from 'valibot';
import { mcpServer } from '../../shared/mcp/server.ts';
import { NotUnderstood, type ToolContext } from '../../shared/mcp/tool.ts';
import { readJsonFile } from '../files.ts';
import { CommandError } from '../outcome.ts';
import { dbtArtifacts } from '../push/dbt-artifacts.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Serves until standard input ends. */
export async function serveStdio(terminal: Terminal, context: ToolContext, version: string): Promise<void> {
  const ended = new Promise<void>((resolve) => process.stdin.once('end', resolve));
  const served = serve(() => mcpServer({ ...context, readBranch: (path) => branchAt(terminal, path) }, version));
  await ended;
  await served.close();
}

const Exported = v.looseObject({ schema: v.string(), project: v.looseObject({}) });

/** A SQLMesh export, or else the manifest of a dbt project. Throws NotUnderstood. */
function branchAt(terminal: Terminal, path: string) {
  try {
    if (path.endsWith('.json')) {
      const document = readJsonFile(terminal, path);
      if (v.is(Exported, document)) return { project: document };
    }
    return { manifest: dbtArtifacts(terminal, path).manifest.json };
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    throw new NotUnderstood('no_branch', [error.message, ...error.hints].join(' '));
  }
}
