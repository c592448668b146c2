// The whole graph of a service, an OpenLineage event a line.
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { Unreachable } from '../../shared/client/api.ts';
import { routes } from '../../shared/contract/api/routes.ts';
import type { Session } from '../session.ts';

type Wanted = { readonly connector?: string | undefined; readonly events?: string | undefined };

/** Throws ApiFailure before the first line, Unreachable at any. */
export async function exportLines(session: Session, { connector, events }: Wanted): Promise<AsyncGenerator<string>> {
  const [api, workspace] = [await session.api(), await session.workspace()];
  const query = { workspace_id: workspace.id, connector_id: connector, output: 'ndjson', profile: events };
  return linesOf(api.url, await api.stream(routes.exportLineage, { query }));
}

/** Begins to read when it is iterated: until then, an interface of readline loses the lines that come. */
async function* linesOf(url: string, { body }: Response): AsyncGenerator<string> {
  try {
    yield* createInterface({ input: Readable.from(body ?? []), crlfDelay: Number.POSITIVE_INFINITY });
  } catch (error) {
    throw new Unreachable(url, error);
  }
}
